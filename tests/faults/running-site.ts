import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { large } from "#tests/support/billing/catalogue.ts";
import { networkAddresses } from "#tests/support/clients/network-addresses.ts";
import { Visitor } from "#tests/support/clients/visitor.ts";
import type { Query } from "#tests/support/feature-samples.ts";
import { localVars, readCode, readEmails, startStripe } from "#tests/support/site/site.ts";
import { environment, run } from "../../scripts/run.ts";

export type RunningSite = Awaited<ReturnType<typeof layOutSite>>;

/** How long a start took: all of it, and what is left of it once the runtime's own process is there. */
export type Start = { wholeMs: number; oursMs: number };

/**
 * The site as `npm start` runs it: wrangler and the runtime as processes of their own over a folder that stays, so
 * that they can be killed and restarted. The Stripe emulator keeps running, as the real Stripe would.
 */
export async function layOutSite() {
  const folder = mkdtempSync(join(tmpdir(), "foyer-killed-"));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const stripe = await startStripe();
  const vars = { ...localVars, PUBLIC_ORIGIN: origin, STRIPE_API_BASE: stripe.origin, LAUNCH_GATE: `plan:${large.id}` };
  const { configPath, remove } = copyBuild();
  const own = ["-c", configPath, "--persist-to", folder];
  await run("wrangler", ["d1", "migrations", "apply", "DB", "--local", ...own]);
  const nextNetworkAddress = networkAddresses("198.18");
  let child: ChildProcess | null = null;
  let printed = "";

  async function start(): Promise<Start> {
    const startedAt = performance.now();
    const ports = ["--port", String(port), "--inspector-port", "0", "--infer-origin-from-routes=false"];
    const given = Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
    // A separate process group: wrangler starts the runtime, and all of them are killed together.
    const env = { ...process.env, ...environment };
    const begun = spawn("wrangler", ["dev", ...own, ...ports, ...given], { env, detached: true, stdio: "pipe" });
    child = begun;
    for (const stream of [begun.stdout, begun.stderr]) stream.on("data", (text) => (printed += text));
    const gone = once(begun, "exit").then(() => {
      throw new Error(`The site ended by itself:\n${printed.slice(-2000)}`);
    });
    await Promise.race([gone, isReady(origin)]);
    gone.catch(() => undefined);
    return { wholeMs: performance.now() - startedAt, oursMs: Date.now() - runtimeBegan(groupOf(begun)) };
  }

  return {
    origin,
    stripe,
    start,
    fetch: (path: string, init: RequestInit = {}) => fetch(origin + path, { redirect: "manual", ...init }),
    visitor: () => new Visitor(origin, nextNetworkAddress()),
    emailsTo: (address: string, atLeast = 1) => readEmails(origin, address, atLeast),
    codeTo: (address: string, nth = 1) => readCode(origin, address, nth),
    /** The clock of the cron endpoint, this many minutes from now. */
    runCron: async (minutes = 0) => {
      const query = new URLSearchParams({ cron: "* * * * *", time: String(Date.now() + minutes * 60_000) });
      await (await fetch(`${origin}/cdn-cgi/local/scheduled?${query}`)).text();
    },
    /** Without a warning or a clean-up: the runtime first, or all together. */
    async kill(first: "runtime" | "all"): Promise<void> {
      if (!child) return;
      const group = groupOf(child);
      const ended = once(child, "exit");
      if (first === "runtime") for (const pid of runtimesOf(group)) signal(pid);
      signal(-group);
      await ended;
      while (processesOf(group).length > 0) await pause(5);
      child = null;
    },
    /** A copy of the database as the last process left it, and what it contains. */
    openBooks: () => copyBooks(folder),
    /** How often an email was sent to an address, with a subject like this. */
    countEmails: (address: string, like: RegExp) =>
      printed.split("send_email binding called").filter((email) => {
        const [to, subject] = [/To: (.+)/.exec(email)?.[1], /Subject: (.+)/.exec(email)?.[1]];
        return to === address && like.test(subject ?? "");
      }).length,
    remove: async () => {
      await stripe.close();
      remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Read as a file after a crash, while no process uses it: what a copy recovers, the next process recovers from the
 * same.
 */
function copyBooks(folder: string): { books: Query; integrity: unknown[]; close: () => void } {
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).find(
    (name) => /d1\/.*\.sqlite$/.test(name) && !name.includes("metadata"),
  );
  if (!found) throw new Error(`There is no database in ${folder}`);
  const copy = mkdtempSync(join(tmpdir(), "foyer-books-"));
  cpSync(dirname(join(folder, found)), copy, { recursive: true });
  const database = new DatabaseSync(join(copy, found.split("/").at(-1) ?? ""));
  const books: Query = async (query) => database.prepare(query).all();
  return {
    books,
    integrity: database.prepare("pragma integrity_check").all(),
    close: () => {
      database.close();
      rmSync(copy, { recursive: true, force: true });
    },
  };
}

async function isReady(origin: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${origin}/healthz`).catch(() => null);
    await answer?.text().catch(() => null);
    if (answer?.status === 200) return;
    await pause(10);
  }
}

function groupOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error("It never began");
  return child.pid;
}

type Found = { pid: number; name: string; beganTicks: number };

/** Processes of a group, as /proc has them: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function processesOf(group: number): Found[] {
  return readdirSync("/proc").flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      const [, name = "", rest = ""] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${entry}/stat`, "utf8")) ?? [];
      const fields = rest.split(" ");
      // Field 3 is the first after the name: its state, where a zombie doesn't count; 5 is the group, 22 the time of
      // its start.
      if (Number(fields[2]) !== group || fields[0] === "Z") return [];
      return [{ pid: Number(entry), name, beganTicks: Number(fields[19]) }];
    } catch {
      return [];
    }
  });
}

const runtimesOf = (group: number) =>
  processesOf(group)
    .filter(({ name }) => name === "workerd")
    .map(({ pid }) => pid);

/** When the first process of the runtime started; ticks are hundredths of a second since the machine's start. */
function runtimeBegan(group: number): number {
  const [uptime = "0"] = readFileSync("/proc/uptime", "utf8").split(" ");
  const ticks = processesOf(group).flatMap(({ name, beganTicks }) => (name === "workerd" ? [beganTicks] : []));
  return Date.now() - (Number(uptime) - Math.min(...ticks) / 100) * 1000;
}

function signal(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("There is no port");
  return address.port;
}

/** Wrangler walks the folder that it serves from, where a new build would come and go. */
function copyBuild() {
  const folder = mkdtempSync(join(tmpdir(), "foyer-site-"));
  const filter = (path: string) => !/\.wrangler|server.*\.map$/.test(path);
  cpSync("build", join(folder, "build"), { recursive: true, filter });
  const configPath = join(folder, "build/server/wrangler.json");
  const config = JSON.parse(readFileSync(configPath, "utf8"));
  delete config.build;
  for (const database of config.d1_databases) database.migrations_dir = resolve("drizzle");
  for (const binding of config.send_email) binding.allowed_sender_addresses = [localVars.MAIL_FROM];
  writeFileSync(configPath, JSON.stringify(config));
  return { configPath, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
