import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";

type RuntimeOptions = Parameters<typeof convertV4MiniflareOptions>[0];
type RuntimeWorker = Extract<RuntimeOptions, { workers: unknown }>["workers"][number];
type Log = Parameters<NonNullable<RuntimeOptions["handleStructuredLogs"]>>[0];

export type Module = { type: "ESModule"; path: string; contents: string };
type Variables = Record<string, string>;

/** A Worker as it was built; the folder of its configuration contains the modules. */
export type Build = { configPath: string; modules: Module[] };

type Run = {
  build: Build;
  /** Variables and secrets by the port that the Worker is served on. */
  variables: (port: number) => Variables;
  /** Bindings that differ from the configuration's, as Miniflare takes them. */
  bindings?: Partial<RuntimeWorker>;
  /** A folder of rows to start with, which is copied. */
  rows?: string;
  /** With a self-signed certificate. */
  https?: boolean;
  /** With wrangler's explorer, which has the mailbox. */
  explorer?: boolean;
};

/** How often a start is repeated that loses its port to another process. */
const startsMax = 5;
const name = "tested";

/** A Worker in its own runtime on a real socket. wrangler's own test harness takes 3.6 seconds of processor time to start one. */
export async function runWorker({ build, variables, bindings = {}, rows, https = false, explorer = false }: Run) {
  const folder = mkdtempSync(join(tmpdir(), "foyer-rows-"));
  if (rows) cpSync(rows, folder, { recursive: true });
  const logs: Log[] = [];
  let served = build;
  const optionsAt = (port: number, others: Variables = {}) => {
    const { configPath, modules } = served;
    // Wrangler's types leave open what is in them, and Miniflare's have no variant without modules.
    const configured = unstable_getMiniflareWorkerOptions(configPath).workerOptions as Partial<RuntimeWorker>;
    const vars = { ...configured.bindings, ...variables(port), ...others };
    const own = { name, modules, modulesRoot: dirname(configPath), bindings: vars, ...bindings };
    return convertV4MiniflareOptions({
      host: "127.0.0.1",
      port,
      https,
      cf: false,
      resourcePersistencePath: folder,
      unsafeLocalExplorer: explorer,
      handleStructuredLogs: (log) => logs.push(log),
      workers: [{ ...configured, ...own } as RuntimeWorker],
    });
  };
  const { runtime, port } = await startOnFreePort((free) => new Miniflare(optionsAt(free)));
  return {
    port,
    database: () => runtime.getD1Database("DB", name),
    runCron: async (at: Date) => (await runtime.getWorker(name)).scheduled({ cron: "* * * * *", scheduledTime: at }),
    /** Delivers a message of a queue; returns what became of the batch. */
    deliver: async (body: unknown) => {
      const worker = await runtime.getWorker(name);
      return worker.queue("events", [{ id: "1", timestamp: new Date(), attempts: 1, body }]);
    },
    logs: () => logs,
    /** Restarts the Worker with other variables, or another build of it, over the same rows. */
    serve: (others: Variables, next: Build = served) => {
      served = next;
      return runtime.setOptions(optionsAt(port, others));
    },
    close: async () => {
      await runtime.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Below the ports that the system gives to outgoing connections: none of these takes one between look and start. */
async function startOnFreePort(start: (port: number) => Miniflare): Promise<{ runtime: Miniflare; port: number }> {
  for (let starts = 1; ; starts += 1) {
    const port = 10_000 + Math.floor(Math.random() * 22_000);
    if (!(await isFree(port))) continue;
    const runtime = start(port);
    try {
      await runtime.ready;
      return { runtime, port };
    } catch (error) {
      await runtime.dispose();
      if (starts >= startsMax) throw error;
    }
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
