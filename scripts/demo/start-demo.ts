import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { findFreePort } from "../site/free-ports.ts";
import { peopleOf } from "./people.ts";

type Site = { persistTo: string; stripe: string; vars: Record<string, string> };
/** Starts a program that ends with the site, and returns a function that ends it earlier. */
type Begin = (
  name: string,
  command: string,
  args: string[],
  own: { env: Record<string, string> },
) => { end: () => Promise<void>; printed: () => string };

/** What the site and the demo must agree on. */
const names = [
  "PUBLIC_ORIGIN",
  "STRIPE_API_BASE",
  "STRIPE_SECRET_KEY",
  "CODE_PEPPER",
  "MAIL_FROM",
  "ENTITLEMENT_SIGNING_KEY",
];

/** Which people take part, or all of them if empty. Tests use a few, which takes seconds. */
const chosen = process.env["DEMO_PEOPLE"] ?? "";

/** Increased when older data can no longer be used. With 2, the emulator's Durable Object got another name. */
const demoVersion = 2;

/** Removes a demo of an older version, before anything opens its folder: it is generated again. */
export function removeOldDemo(persistTo: string): void {
  const note = join(persistTo, "demo.json");
  if (!existsSync(note)) return;
  const { state, version = 1 } = JSON.parse(readFileSync(note, "utf8")) as { state: string; version?: number };
  if (state !== "played" || version === demoVersion) return;
  for (const name of ["v3", "stripe", "demo.json"]) rmSync(join(persistTo, name), { recursive: true, force: true });
}

/**
 * `npm start -- --demo`, between the start of the Stripe emulator and that of the site: generates the history once. A folder that already
 * contains the demo is left as it is, and one with other data is refused.
 */
export async function startDemo(site: Site, begin: Begin): Promise<void> {
  const note = join(site.persistTo, "demo.json");
  const state: unknown = existsSync(note) ? JSON.parse(readFileSync(note, "utf8")).state : null;
  if (state === "played") return;
  if (state !== null) throw new Error(`The demo in ${site.persistTo} broke off: remove that folder and start again.`);
  const health = await fetch(`${site.stripe}/control/health`);
  // The Stripe emulator's own response, which counts what is for sale.
  const { prices } = (await health.json()) as { prices: number };
  if (prices > 0)
    throw new Error(`${site.persistTo} has data of its own. The demo needs an empty folder: -- --persist-to`);
  console.log("\n  Creating the demo's customers and their history. This happens once and takes about half a minute.");
  mkdirSync(site.persistTo, { recursive: true });
  writeFileSync(note, JSON.stringify({ state: "begun" }));
  await play(site, begin);
  writeFileSync(note, JSON.stringify({ state: "played", version: demoVersion, at: new Date().toISOString() }));
}

async function play({ persistTo, vars }: Site, begin: Begin): Promise<void> {
  // Any port: this Worker ends before the site starts.
  const port = await findFreePort();
  const args = [
    "dev",
    "-c",
    "scripts/demo/wrangler.toml",
    "--port",
    String(port),
    "--inspector-port",
    "0",
    "--persist-to",
    persistTo,
    ...names.flatMap((name) => ["--var", `${name}:${vars[name]}`]),
    "--var",
    `DEMO_PEOPLE:${chosen}`,
  ];
  // Readiness is read from its output, even if the rest is silenced.
  const stage = begin("demo", "wrangler", args, { env: { WRANGLER_LOG: "log" } });
  try {
    while (!stage.printed().includes("Ready on")) await new Promise((resolve) => setTimeout(resolve, 50));
    const { status, body } = await post(`http://localhost:${port}/`);
    if (status !== 200) throw new Error(`The demo broke off:\n${body}`);
  } finally {
    await stage.end();
  }
}

/** Waits as long as it takes: `fetch` gives up after five minutes, and a busy machine needs more. */
async function post(url: string): Promise<{ status: number | undefined; body: string }> {
  const sent = request(url, { method: "POST" }).end();
  // Node's type of an event's arguments is `any[]`.
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return { status: answer.statusCode, body: await text(answer) };
}

/** Lists who to sign in as, and what to look at. */
export function listPeople(): string {
  const shown = peopleOf(chosen).filter(({ people }) => people.length > 0);
  const rows = shown.flatMap(({ title, people }) => [
    `\n  ${title}`,
    ...people.map(({ address, now = address, shows }) => `    ${(now ?? `(${address})`).padEnd(30)}${shows}`),
  ]);
  return rows.join("\n");
}
