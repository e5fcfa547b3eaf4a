import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Stripe from "stripe";
import { createTestHarness } from "wrangler";
import { product } from "#app/product/config.ts";
import { setUpStripe } from "../../../scripts/stripe/set-up.ts";
import { large } from "#tests/support/billing/catalogue.ts";
import { networkAddresses } from "#tests/support/clients/network-addresses.ts";
import { emulatorUnderContract } from "#tests/support/billing/stripe-contract.ts";
import { Visitor } from "#tests/support/clients/visitor.ts";

export type Site = Awaited<ReturnType<typeof startSite>>;
export type Mail = { to: string; subject: string; text: string; html: string };

/** Values of a fresh clone, overridden by the test's. */
export const localVars: Record<string, string> = Object.fromEntries(
  [...readFileSync(".dev.vars.example", "utf8").matchAll(/^([A-Z_]+)="(.*)"$/gm)].map(([, name, value]) => [
    name,
    value,
  ]),
);

type SiteOptions = {
  vars?: Record<string, string>;
  stripe?: boolean;
  migrate?: boolean;
  /** A host name instead of the address: passkeys belong to hosts that have one. */
  host?: "localhost";
  /** Whether the waitlist accepts new addresses: a setting of the configuration, which is built in. */
  list?: "open" | "full";
  /** Without the free plan, which is built in as well. */
  freePlan?: "none";
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
  let { configPath, remove } = copyBuild("build", options);
  const harness = createTestHarness({ workers: [{ configPath, secrets: vars }] });
  const started = await harness.listen();
  const origin = options.host ? `http://${options.host}:${started.url.port}` : started.url.origin;
  const turned: Record<string, string> = {};
  const serve = (own: Record<string, string>) => {
    Object.assign(turned, own);
    const secrets = { ...vars, PUBLIC_ORIGIN: origin, ...options.vars, ...turned };
    return harness.update({ workers: [{ configPath, secrets }] });
  };
  await serve({});
  const { name } = JSON.parse(readFileSync(configPath, "utf8")) as { name: string };
  const worker = harness.getWorker<Cloudflare.Env>(name);
  if (options.migrate !== false) await worker.applyD1Migrations("DB");
  if (stripe) await stripe.seed(origin);
  return {
    origin,
    stripe,
    fetch: (path: string, init: RequestInit = {}) => fetch(origin + path, { redirect: "manual", ...init }),
    /** A browser without JavaScript (cookies, links, forms), each in a network of its own. */
    visitor: () => new Visitor(origin, nextNetworkAddress()),
    database: async () => (await worker.getEnv()).DB,
    /** Runs the cron job through its endpoint. */
    runCron: (at = Date.now()) => worker.scheduled({ cron: "* * * * *", scheduledTime: new Date(at) }),
    /** The eight digits in the newest email to an address, which is the `nth` one. */
    codeTo: (address: string, nth = 1) => readCode(origin, address, nth),
    /** Newest first, once there are as many as expected. */
    mailsTo: (address: string, atLeast = 1) => readMails(origin, address, atLeast),
    /** Another build in place of the one that ran so far, over the same rows. */
    turnBuild: (folder: string) => {
      remove();
      ({ configPath, remove } = copyBuild(folder, options));
      return serve({});
    },
    /** Down: the platform's mail refuses our sender, like one whose domain isn't set up. The rows stay. */
    turnMail: (state: "up" | "down") =>
      serve({ MAIL_FROM: state === "up" ? (localVars.MAIL_FROM ?? "") : "down@local.example" }),
    /** The site's own clock, so many days ahead of the real one. Sessions age with it. */
    turnClock: (days: number) => serve({ CLOCK_OFFSET_SECONDS: String(Math.round(days * 86_400)) }),
    /**
     * Another launch gate, or null for the one that the site began with. Entries that wait at the one before keep
     * their place.
     */
    turnGate: (gate: string | null) =>
      serve({ LAUNCH_GATE: gate ?? options.vars?.["LAUNCH_GATE"] ?? vars["LAUNCH_GATE"] ?? "" }),
    /** Other keys to sign entitlements with, as the secret contains them. */
    turnKeys: (keys: string) => serve({ ENTITLEMENT_SIGNING_KEY: keys }),
    logs: () => harness.getLogs(),
    close: async () => {
      await harness.close();
      remove();
      await stripe?.close();
    },
  };
}

/**
 * Each site runs from a copy of its own: wrangler walks the folder it serves from, where files of another site would
 * come and go.
 */
export function copyBuild(build: string, { list = "open", freePlan }: Pick<SiteOptions, "list" | "freePlan"> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "foyer-site-"));
  cpSync(build, join(folder, "build"), {
    recursive: true,
    filter: (path) => !/\.wrangler|server.*\.map$/.test(path),
  });
  const configPath = join(folder, "build/server/wrangler.json");
  const config = JSON.parse(readFileSync(configPath, "utf8"));
  delete config.build;
  for (const database of config.d1_databases) database.migrations_dir = resolve("drizzle");
  for (const binding of config.send_email) binding.allowed_sender_addresses = [localVars.MAIL_FROM];
  writeFileSync(configPath, JSON.stringify(config));
  const server = join(folder, "build/server");
  replaceInConfig(server, /(waitlist:\s*["'`])(?:open|full)(["'`],\s*invitationsPerDay:)/, `$1${list}$2`);
  if (freePlan === "none") {
    replaceInConfig(server, /\{\s*id:[^{}]*prices:\s*null,\s*limits:\s*\{[^{}]*\},\s*points:\s*\[[^\]]*\],?\s*\},/, "");
  }
  return { configPath, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** What tests need both ways of the configuration, and no variable overrides. */
function replaceInConfig(folder: string, word: RegExp, replacement: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  const found = files.find((file) => file.endsWith(".js") && word.test(readFileSync(file, "utf8")));
  if (!found) throw new Error("The built Worker doesn't hold the configuration as it did");
  writeFileSync(found, readFileSync(found, "utf8").replace(word, replacement));
}

export async function startStripe() {
  const contract = emulatorUnderContract("product");
  const harness = createTestHarness({ workers: [{ configPath: contract.configPath }] });
  const { url } = await harness.listen();
  const sdk = new Stripe("local-stripe-key", {
    host: url.hostname,
    port: Number(url.port),
    protocol: "http",
    telemetry: false,
  });
  return {
    origin: url.origin,
    sdk,
    seed: (site: string) => setUpStripe({ stripe: sdk, product, origin: site, log: () => undefined }),
    control: async (order: string, body: object) => {
      const response = await fetch(`${url.origin}/control/${order}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`control ${order}: ${response.status} ${await response.text()}`);
      return (await response.json()) as { events: { id: string; type: string }[]; redirect?: string };
    },
    close: () => contract.close(url.origin, () => harness.close()),
  };
}

/** The eight digits in the newest email to an address, which is the `nth` one. */
export async function readCode(origin: string, address: string, nth: number): Promise<string> {
  const [mail] = await readMails(origin, address, nth);
  return /\b\d{8}\b/.exec(mail?.subject ?? "")?.[0] ?? "no code in the mail";
}

/**
 * Wrangler's mailbox for an address, newest first. Emails are sent after the answer: it is polled until there are
 * enough.
 */
export async function readMails(origin: string, address: string, atLeast: number): Promise<Mail[]> {
  const mailbox = `${origin}/cdn-cgi/local/explorer/api/local/email/sending`;
  for (const started = performance.now(); performance.now() - started < 10_000;) {
    const list = await readResult<{ messageId: string; to: string[] }[]>(mailbox);
    const own = list.filter((mail) => mail.to.includes(address));
    if (own.length >= atLeast) {
      return Promise.all(
        own.map((mail) => readResult<Mail>(`${mailbox}?email_id=${encodeURIComponent(mail.messageId)}`)),
      );
    }
    await pause(30);
  }
  throw new Error(`Fewer than ${atLeast} mails came to ${address}`);
}

async function readResult<Result>(url: string): Promise<Result> {
  const response = await fetch(url);
  // The explorer's own envelope around its answers.
  const { result } = (await response.json()) as { result: Result };
  return result;
}
