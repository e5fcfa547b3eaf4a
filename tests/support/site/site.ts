import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import Stripe from "stripe";
import { product } from "#app/product/config.ts";
import { setUpStripe } from "../../../scripts/stripe/set-up.ts";
import { large } from "#tests/support/billing/catalogue.ts";
import { networkAddresses } from "#tests/support/clients/network-addresses.ts";
import { emulatorUnderContract } from "#tests/support/billing/stripe-contract.ts";
import { Visitor } from "#tests/support/clients/visitor.ts";
import { builtSite, type Settings } from "./built-site.ts";
import { migratedDatabase } from "./prepared.ts";
import { runEmulator } from "./run-emulator.ts";
import { runWorker } from "./run-worker.ts";

export type Site = Awaited<ReturnType<typeof startSite>>;
export type Email = { to: string; subject: string; text: string; html: string };

/** Values of a fresh clone, overridden by the test's. */
export const localVars: Record<string, string> = Object.fromEntries(
  [...readFileSync("scripts/site/local.dev.vars", "utf8").matchAll(/^([A-Z_]+)="(.*)"$/gm)].map(([, name, value]) => [
    name,
    value,
  ]),
);

export type SiteOptions = Settings & {
  vars?: Record<string, string>;
  stripe?: boolean;
  migrate?: boolean;
  /** A host name instead of the address: passkeys belong to hosts that have one. */
  host?: "localhost";
};

/**
 * The built Worker and the Stripe emulator on real sockets, migrated and with a catalogue: what `npm start` serves. With
 * `stripe: false` no payment keys are set, and paid plans are not on sale.
 */
export async function startSite(options: SiteOptions = {}) {
  const stripe = options.stripe === false ? null : await startStripe();
  const nextNetworkAddress = networkAddresses("198.51");
  const vars: Record<string, string> = {
    ...localVars,
    // The gate of the configuration is a team's own: the tests know this one.
    LAUNCH_GATE: `plan:${large.id}`,
    STRIPE_API_BASE: stripe?.origin ?? "",
    ...(stripe ? {} : { STRIPE_SECRET_KEY: "", STRIPE_WEBHOOK_SECRET: "" }),
    ...options.vars,
  };
  const originAt = (port: number) => `http://${options.host ?? "127.0.0.1"}:${port}`;
  const worker = await runWorker({
    build: builtSite("build", options),
    variables: (port) => ({ ...vars, PUBLIC_ORIGIN: originAt(port), ...options.vars }),
    // The platform's email service accepts senders whose domain is set up.
    bindings: { email: { send_email: [{ name: "EMAIL", allowed_sender_addresses: [localVars.MAIL_FROM ?? ""] }] } },
    explorer: true,
    ...(options.migrate !== false && { rows: await migratedDatabase() }),
  });
  const origin = originAt(worker.port);
  const overrides: Record<string, string> = {};
  const serve = (changed: Record<string, string>) => worker.serve(Object.assign(overrides, changed));
  if (stripe) await stripe.seed(origin);
  return {
    origin,
    stripe,
    fetch: (path: string, init: RequestInit = {}) => fetch(origin + path, { redirect: "manual", ...init }),
    /** A browser without JavaScript (cookies, links, forms), each in a different network. */
    visitor: () => new Visitor(origin, nextNetworkAddress()),
    database: worker.database,
    /** Runs the cron job through its endpoint. */
    runCron: (at = Date.now()) => worker.runCron(new Date(at)),
    deliver: worker.deliver,
    /** The eight digits in the newest email to an address, which is the `nth` one. */
    codeTo: (address: string, nth = 1) => readCode(origin, address, nth),
    /** Newest first, once there are as many as expected. */
    emailsTo: (address: string, atLeast = 1) => readEmails(origin, address, atLeast),
    /** Another build in place of the one that ran so far, over the same rows. */
    switchBuild: (folder: string) => worker.serve(overrides, builtSite(folder, options)),
    /** Down: the platform's email service refuses our sender, like one whose domain isn't set up. The rows stay. */
    setEmail: (state: "up" | "down") =>
      serve({ MAIL_FROM: state === "up" ? (localVars.MAIL_FROM ?? "") : "down@local.example" }),
    /** The site's clock, this many days ahead of the real one. Sessions age with it. */
    setClock: (days: number) => serve({ CLOCK_OFFSET_SECONDS: String(Math.round(days * 86_400)) }),
    /**
     * Another launch gate, or null for the one that the site began with. Entries that wait at the one before keep
     * their place.
     */
    setGate: (gate: string | null) =>
      serve({ LAUNCH_GATE: gate ?? options.vars?.["LAUNCH_GATE"] ?? vars["LAUNCH_GATE"] ?? "" }),
    /** Any value switches it on. */
    setMaintenance: (value: string) => serve({ MAINTENANCE: value }),
    /** Other keys to sign entitlements with, as the secret contains them. */
    setKeys: (keys: string) => serve({ ENTITLEMENT_SIGNING_KEY: keys }),
    logs: worker.logs,
    close: async () => {
      await worker.close();
      await stripe?.close();
    },
  };
}

export async function startStripe() {
  const contract = emulatorUnderContract("product");
  const { origin, close } = await runEmulator(contract.kind);
  const url = new URL(origin);
  const sdk = new Stripe("local-stripe-key", {
    host: url.hostname,
    port: Number(url.port),
    protocol: "http",
    telemetry: false,
  });
  return {
    origin,
    sdk,
    seed: (site: string) => setUpStripe({ stripe: sdk, product, origin: site, log: () => undefined }),
    control: async (order: string, body: object) => {
      const response = await fetch(`${origin}/control/${order}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`control ${order}: ${response.status} ${await response.text()}`);
      return (await response.json()) as { events: { id: string; type: string }[]; redirect?: string };
    },
    close: () => contract.close(origin, close),
  };
}

/** The eight digits in the newest email to an address, which is the `nth` one. */
export async function readCode(origin: string, address: string, nth: number): Promise<string> {
  const [email] = await readEmails(origin, address, nth);
  return /\b\d{8}\b/.exec(email?.subject ?? "")?.[0] ?? "no code in the email";
}

/**
 * Wrangler's mailbox for an address, newest first. Emails are sent after the answer: it is polled until there are
 * enough.
 */
export async function readEmails(origin: string, address: string, atLeast: number): Promise<Email[]> {
  const mailbox = `${origin}/cdn-cgi/local/explorer/api/local/email/sending`;
  for (const started = performance.now(); performance.now() - started < 10_000;) {
    const list = await readResult<{ messageId: string; to: string[] }[]>(mailbox);
    const own = list.filter((email) => email.to.includes(address));
    if (own.length >= atLeast) {
      return Promise.all(
        own.map((email) => readResult<Email>(`${mailbox}?email_id=${encodeURIComponent(email.messageId)}`)),
      );
    }
    await pause(30);
  }
  throw new Error(`Fewer than ${atLeast} emails came to ${address}`);
}

async function readResult<Result>(url: string): Promise<Result> {
  const response = await fetch(url);
  // The explorer's own envelope around its answers.
  const { result } = (await response.json()) as { result: Result };
  return result;
}
