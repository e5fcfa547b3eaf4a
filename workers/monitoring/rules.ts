/**
 * Diagnostics: the tunnel at /monitoring that carries browsers' envelopes to our own receiver, and what both
 * SDKs may report. Not product behaviour: with no DSN, or a receiver that is down, slow or hostile, no page changes.
 * This file: the settings, the tunnel's endpoint, and the headers that it forwards and returns.
 */
import {
  BODY_BYTES_CEILING,
  BODY_BYTES_DEFAULT,
  TUNNEL_PATH,
  VIOLATIONS_PATH,
  UPSTREAM_ATTEMPT_MS,
  UPSTREAM_DEADLINE_MS,
  UPSTREAM_PAUSES_MS,
} from "./constants.ts";
import { type Dsn, parseDsn, publicDsnText } from "./envelopes/dsn.rules.ts";

/** As set in the Worker's environment: strings, where empty is unset. */
export type DiagnosticsEnv = {
  SENTRY_DSN?: string;
  SENTRY_ENVIRONMENT?: string;
  SENTRY_RELEASE?: string;
  SENTRY_TRACES_SAMPLE_RATE?: string;
  /** Largest body that the tunnel accepts, in bytes: 1 MiB unless set, at most 8 MiB. */
  SENTRY_TUNNEL_BODY_BYTES_MAX?: string;
  /**
   * "false": the tunnel adds no X-Sentry-Forwarded-For. Cloudflare still adds CF-Connecting-IP to requests to external hosts, which no
   * Worker can remove: both SDKs ask the receiver not to store the address (`infer_ip: never`).
   */
  SENTRY_TUNNEL_FORWARD_ADDRESS?: string;
};

export type DiagnosticsSettings = {
  /** Null while diagnostics are off. */
  dsn: Dsn | null;
  environment: string;
  release: string;
  tracesSampleRate: number;
  bodyBytesMax: number;
  forwardsAddress: boolean;
  sending: { attemptMs: number; deadlineMs: number; pausesMs: readonly number[] };
};

/** What a browser needs; returned by the root loader. */
export type ClientSettings = { dsn: string; environment: string; release: string; tracesSampleRate: number };

export function settingsFromEnv(env: DiagnosticsEnv): DiagnosticsSettings {
  const known = knownSettings.get(env);
  if (known) return known;
  const settings = readSettings(env);
  knownSettings.set(env, settings);
  return settings;
}

/** A Worker's variables don't change, and are read several times for each request. */
const knownSettings = new WeakMap<DiagnosticsEnv, DiagnosticsSettings>();

function readSettings(env: DiagnosticsEnv): DiagnosticsSettings {
  return {
    dsn: parseDsn(env.SENTRY_DSN ?? ""),
    environment: env.SENTRY_ENVIRONMENT || "production",
    release: env.SENTRY_RELEASE ?? "",
    tracesSampleRate: numberBetween(0, 1, env.SENTRY_TRACES_SAMPLE_RATE) ?? 0,
    bodyBytesMax: numberBetween(1, BODY_BYTES_CEILING, env.SENTRY_TUNNEL_BODY_BYTES_MAX) ?? BODY_BYTES_DEFAULT,
    forwardsAddress: env.SENTRY_TUNNEL_FORWARD_ADDRESS !== "false",
    sending: { attemptMs: UPSTREAM_ATTEMPT_MS, deadlineMs: UPSTREAM_DEADLINE_MS, pausesMs: UPSTREAM_PAUSES_MS },
  };
}

export function clientSettings({
  dsn,
  environment,
  release,
  tracesSampleRate,
}: DiagnosticsSettings): ClientSettings | null {
  return dsn === null ? null : { dsn: publicDsnText(dsn), environment, release, tracesSampleRate };
}

function numberBetween(least: number, most: number, text: string | undefined): number | null {
  if (text === undefined || text.trim() === "") return null;
  const number = Number(text);
  return Number.isNaN(number) ? null : Math.min(most, Math.max(least, number));
}

/** The exact path; one trailing slash is accepted. */
export function isTunnelPath(pathname: string): boolean {
  return pathname === TUNNEL_PATH || pathname === `${TUNNEL_PATH}/`;
}

export function isViolationsPath(pathname: string): boolean {
  return pathname === VIOLATIONS_PATH;
}

/** Refuses posts from other sites. Old browsers and programs send neither header; they are accepted, as an attacker gains nothing here. */
export function isForeign(headers: Headers, ownOrigin: string): boolean {
  const site = headers.get("Sec-Fetch-Site");
  if (site !== null && site !== "same-origin" && site !== "none") return true;
  const origin = headers.get("Origin");
  return origin !== null && origin !== ownOrigin;
}

/** Headers that the receiver needs about the browser (Relay reads exactly these). No cookies, no authorization, no referrer. */
const HEADERS_UP = ["user-agent", "sec-ch-ua", "sec-ch-ua-model", "sec-ch-ua-platform", "sec-ch-ua-platform-version"];

export function headersUp(headers: Headers, encoding: string | null, forwardsAddress: boolean): Headers {
  const up = new Headers({ "content-type": "application/x-sentry-envelope" });
  for (const name of HEADERS_UP) {
    const value = headers.get(name);
    if (value !== null) up.set(name, value);
  }
  if (encoding !== null) up.set("content-encoding", encoding);
  const address = headers.get("CF-Connecting-IP");
  if (forwardsAddress && address !== null) up.set("x-sentry-forwarded-for", address);
  return up;
}

const EVENT_ID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

/** The same response as the receiver's own. */
export function acceptedBody(eventId: unknown): string {
  return JSON.stringify(typeof eventId === "string" && EVENT_ID.test(eventId) ? { id: eventId } : {});
}
