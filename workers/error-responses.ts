import { href } from "react-router";
import type { App } from "#app/app.ts";
import { maintenanceRetrySeconds } from "#app/http/request/maintenance.ts";
import { isSafeMethod } from "#app/http/request/visitor.ts";
import { testModeMessages } from "#app/modules/email/messages/test-mode.messages.ts";
import { setUpSteps } from "#app/set-up-steps.ts";
import { renderSetUpSteps } from "./render-set-up-steps.ts";
import { plainPagesMessages } from "#app/plain-pages.messages.ts";

type Mode = Pick<App, "isTestMode">;

const messages = plainPagesMessages.en;

/** Paths that other services call, not our pages alone: they carry their own credentials and ignore cookies. */
const openPaths = /^\/(monitoring(\/|\/reports)?$|unsubscribe$|webhooks\/|api\/)/;

/** Pages are read and forms are posted; no other method is accepted here. The API has its own list. */
export function refuseMethod(request: Request, mode: Mode): Response | null {
  const { pathname } = new URL(request.url);
  if (["GET", "HEAD", "POST"].includes(request.method) || pathname.startsWith("/api/")) return null;
  return methodNotAllowed("GET, HEAD, POST", mode);
}

/** A form posted to a path without an action: React Router refuses it without an Allow header, and in JSON where there is no page. */
export function withAllowHeader(answer: Response, mode: Mode): Response {
  if (answer.status !== 405) return answer;
  const allowed = "GET, HEAD";
  if (answer.headers.get("Content-Type")?.startsWith("application/json")) return methodNotAllowed(allowed, mode);
  const named = new Response(answer.body, answer);
  named.headers.set("Allow", allowed);
  return named;
}

function methodNotAllowed(allowed: string, mode: Mode): Response {
  const answer = page(405, messages.method, mode);
  answer.headers.set("Allow", allowed);
  return answer;
}

/** Mailboxes post here, without an Origin; pages elsewhere don't. */
const mailboxPath = "/unsubscribe";

/**
 * A state change must come from one of our pages. Checked before React Router, whose own check accepts a missing Origin and skips
 * resource routes.
 */
export function refuseForeignOrigin(request: Request, mode: Mode): Response | null {
  if (isSafeMethod(request)) return null;
  const url = new URL(request.url);
  const origin = request.headers.get("Origin");
  const isOpen = openPaths.test(url.pathname) && (url.pathname !== mailboxPath || origin === null);
  if (isOpen || origin === url.origin) return null;
  return page(403, messages.foreignOrigin, mode);
}

/**
 * Nothing is served over plain HTTP once the site has an https address. Page visits are redirected; API calls and form posts are refused:
 * a silent redirect would let the client keep sending its data unencrypted.
 */
export function refusePlainHttp(request: Request, publicOrigin: string, mode: Mode): Response | null {
  if (request.url.startsWith("https:") || !publicOrigin.startsWith("https:")) return null;
  const [url, own] = [new URL(request.url), new URL(publicOrigin)];
  if (url.hostname !== own.hostname) return null;
  if (!isSafeMethod(request) || openPaths.test(url.pathname)) return page(403, messages.plainHttp, mode);
  return Response.redirect(`${own.origin}${url.pathname}${url.search}`, 301);
}

let namedProblems = "";

/**
 * Logs everything that is missing or wrong, once. The public response contains no value and no reason; the home page lists the names and
 * their commands for the team that sets the site up.
 */
export function refuseMisconfigured(request: Request, problems: string[], variables: object, mode: Mode): Response {
  const named = problems.join("; ");
  if (named !== namedProblems) console.error(`This Worker is not configured: ${named}`);
  namedProblems = named;
  if (new URL(request.url).pathname !== "/") return page(503, messages.misconfigured, mode);
  // The page reloads by a `meta` element, because pages outside React Router have no scripts.
  const extra = {
    head: '<meta http-equiv="refresh" content="5">',
    body: renderSetUpSteps(setUpSteps(problems, variables)),
  };
  return page(503, messages.setUp, mode, extra);
}

/**
 * Refuses pages and webhooks, and `/healthz` in JSON, since programs read it. `answerCall` refuses the API's calls. The router of an open
 * page shows only its own pages, so it is asked to load a document; a form stays filled in and says so (`UnsentNotice`).
 */
export function refuseDuringMaintenance(
  request: Request,
  app: Mode & Pick<App, "isUnderMaintenance">,
): Response | null {
  if (!app.isUnderMaintenance) return null;
  const url = new URL(request.url);
  if (url.pathname.endsWith(dataSuffix) && isSafeMethod(request)) return loadDocumentOf(url);
  const isHealth = url.pathname === href("/healthz");
  const answer = isHealth
    ? Response.json({ status: "maintenance" }, { status: 503 })
    : page(503, messages.maintenance, app);
  answer.headers.set("Retry-After", String(maintenanceRetrySeconds));
  return answer;
}

const dataSuffix = ".data";

/** React Router's answer to its own request for the data of a page: a redirect to the page, as a document. */
function loadDocumentOf({ pathname, searchParams }: URL): Response {
  searchParams.delete("_routes");
  const query = searchParams.size === 0 ? "" : `?${searchParams}`;
  const path = pathname.slice(0, -dataSuffix.length).replace(/\/_$/, "/");
  const headers = { "X-Remix-Redirect": path + query, "X-Remix-Status": "302", "X-Remix-Reload-Document": "true" };
  return new Response(null, { status: 204, headers });
}

let isMigrated = false;

/** Local runs only: shows a developer who starts the site by hand which command is missing. Checked until it passes. */
export async function refuseUnmigrated(
  app: Pick<App, "isLocal" | "isMigrated" | "isTestMode">,
): Promise<Response | null> {
  if (isMigrated || !app.isLocal) return null;
  isMigrated = await app.isMigrated();
  if (isMigrated) return null;
  return page(503, messages.unmigrated, app);
}

/** React Router answers with two words where none of our pages can be rendered: a route without one, or a bug in the error page. */
export function withErrorPage(answer: Response, { referenceId, ...mode }: Mode & Pick<App, "referenceId">): Response {
  const type = answer.headers.get("Content-Type");
  if (answer.status !== 500 || (type !== null && type !== "text/plain")) return answer;
  return page(500, { ...messages.broken, text: messages.broken.text(referenceId) }, mode);
}

/** Outside React Router there is no layout: one heading, one sentence, and the banner of Stripe's test mode. */
function page(
  status: number,
  { title, text }: { title: string; text: string },
  { isTestMode }: Mode,
  extra: { head: string; body: string } = { head: "", body: "" },
): Response {
  const testMode = testModeMessages.en;
  const banner = isTestMode ? `<aside><p>${testMode.label}: ${testMode.text}</p></aside>` : "";
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><link rel="stylesheet" href="/plain.css">${extra.head}<title>${title}</title></head><body>${banner}<h1>${title}</h1><p>${text}</p>${extra.body}</body></html>`;
  return new Response(html, { status, headers: { "Content-Type": "text/html; charset=utf-8" } });
}
