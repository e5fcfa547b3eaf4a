import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { minuteMs } from "#app/core/time/time.ts";
import { setUpAccounts } from "#tests/browser/support/test-accounts.ts";
import { askForCode, signUp, typeCode } from "#tests/support/clients/customers.ts";
import { readEmails, startSite } from "#tests/support/site/site.ts";
import { Visitor } from "#tests/support/clients/visitor.ts";
import { addressOf } from "../demo/address.ts";

export type GallerySite = {
  origin: string;
  /** Signed in, if the person has an account. */
  visitor: (who: string) => Promise<Visitor>;
  /** A scene's path, with its people's own data filled in. */
  fill: (path: string, who: string) => Promise<string>;
  close: () => Promise<void>;
};

/** What the browser suite sets up: many accounts with minutes of history, in an empty database. */
export async function openTestAccounts(): Promise<GallerySite> {
  const site = await startSite();
  const { visitors, fill } = await setUpAccounts(site);
  const known = new Map<string, Visitor>(Object.entries(visitors));
  return {
    origin: site.origin,
    visitor: async (who) => known.get(who) ?? site.visitor(),
    fill: async (path) => fill(path),
    close: site.close,
  };
}

/** An empty site: all that the public pages of a product need. */
export async function openEmptySite(): Promise<GallerySite> {
  const site = await startSite();
  return {
    origin: site.origin,
    visitor: async () => site.visitor(),
    fill: async (path) => site.origin + path,
    close: site.close,
  };
}

/** The same site with a key of Stripe's test mode, as a team has it before going live. */
export async function openTestMode(): Promise<GallerySite> {
  const site = await startSite({ vars: { STRIPE_SECRET_KEY: "sk_test_of_the_gallery" } });
  const tester = await signUp(site, "tester@example.com");
  return {
    origin: site.origin,
    visitor: async (who) => (who === "tester" ? tester : site.visitor()),
    fill: async (path) => site.origin + path,
    close: site.close,
  };
}

/** A site of a feature's own, with strangers. `end` stops what was started beside it. */
export async function openGallerySite(
  options: Parameters<typeof startSite>[0],
  end: () => Promise<void>,
): Promise<GallerySite> {
  const site = await startSite(options);
  return {
    origin: site.origin,
    visitor: async () => site.visitor(),
    fill: async (path) => site.origin + path,
    close: async () => {
      await site.close();
      await end();
    },
  };
}

const folder = ".wrangler/gallery/demo";
/** The demo is regenerated after this long, since an invoice created for a renewal is charged within the hour. */
const freshMs = 20 * minuteMs;

/** What `npm start -- --demo` serves: other accounts with years of history, in a folder that is reused for a while. */
export async function openDemo(port: number): Promise<GallerySite> {
  if (!isFresh()) rmSync(folder, { recursive: true, force: true });
  const origin = `http://localhost:${port}`;
  const end = await startDemo(port);
  const visitors = new Map<string, Promise<Visitor>>();
  const visitor = (who: string) => {
    const known = visitors.get(who) ?? signIn(origin, who, visitors.size);
    visitors.set(who, known);
    return known;
  };
  return {
    origin,
    visitor,
    fill: (path, who) => fillIn(path, origin, (name) => visitor(name ?? who)),
    close: async () => {
      // Ends our browser's sessions, which aren't theirs, so that the next run finds as many as this one did.
      for (const known of visitors.values()) await (await known).post({}, "/logout");
      await end();
    },
  };
}

function isFresh(): boolean {
  try {
    // We wrote this marker: see scripts/demo/start-demo.ts.
    const note = JSON.parse(readFileSync(`${folder}/demo.json`, "utf8")) as { at?: string };
    return Date.now() - Date.parse(note.at ?? "") < freshMs;
  } catch {
    return false;
  }
}

async function startDemo(port: number): Promise<() => Promise<void>> {
  const args = ["scripts/site/start.ts", "--demo", "--port", String(port), "--persist-to", folder];
  const program: ChildProcess = spawn(process.execPath, args, { stdio: "pipe" });
  // Stops the site even when taking the pictures fails. Otherwise it would keep running, and the next run would find its port in use.
  process.once("exit", () => program.kill("SIGTERM"));
  let output = "";
  for (const stream of [program.stdout, program.stderr]) stream?.on("data", (text) => (output += text));
  const ended = once(program, "exit");
  while (!output.includes("Ctrl-C") && program.exitCode === null) await pause(50);
  if (program.exitCode !== null) throw new Error(output);
  return async () => {
    program.kill("SIGTERM");
    await ended;
  };
}

async function signIn(origin: string, who: string, index: number): Promise<Visitor> {
  const visitor = new Visitor(origin, `198.18.1.${index + 1}`);
  if (who.startsWith("nobody")) return visitor;
  const address = addressOf(who);
  const before = (await readEmails(origin, address, 0)).length;
  await visitor.open("/login");
  await askForCode(visitor, address);
  const [email] = await readEmails(origin, address, before + 1);
  return typeCode(visitor, /\b\d{8}\b/.exec(email?.subject ?? "")?.[0] ?? "");
}

/** `{order}` is the newest order, `{first-order}` the oldest that the orders page lists, `{credit-note}` the page of its first credit note, `{link}` the link for friends, `{link of mara}` Mara's. */
async function fillIn(path: string, origin: string, visitorOf: (name?: string) => Promise<Visitor>): Promise<string> {
  const [hole, what, name] = /\{((?:first-)?order|credit-note|link)(?: of (\w+))?\}/.exec(path) ?? [];
  if (!hole) return origin + path;
  const visitor = await visitorOf(name);
  if (what === "credit-note") {
    await visitor.open(await fillIn("/settings/orders/{order}", "", visitorOf));
    const note = /href="([^"]*credit-note=[^"]*)"/.exec(visitor.html)?.[1];
    if (!note) throw new Error(`Nothing was returned of ${visitor.path()}`);
    return origin + path.replace(hole, note.replaceAll("&amp;", "&"));
  }
  const [page, pattern] =
    what === "link" ? ["/settings/referral", /(\/\?ref=\w+)/g] : ["/settings/orders", /\/settings\/orders\/(ord_\w+)/g];
  const all = [...(await visitor.open(page)).html.matchAll(pattern)];
  const found = all.at(what === "first-order" ? -1 : 0)?.[1];
  if (!found) throw new Error(`Nobody knows what ${path} is`);
  return origin + path.replace(hole, found);
}
