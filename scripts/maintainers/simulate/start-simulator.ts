import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { build } from "vite";
import { buildEmulator } from "../../stripe/emulator.ts";
import { applyMigrations, migrationStatements } from "../../site/apply-migrations.ts";
import type { Played, Story } from "./story.ts";

const entry = "scripts/maintainers/simulate/worker/worker.ts";

/** The Worker of the simulation as one module. `conditions` are those of package.json's imports, which choose the product. */
export async function bundleSimulator(conditions: string[] = []): Promise<string> {
  buildEmulator();
  const folder = mkdtempSync(join(tmpdir(), "simulate-"));
  try {
    await build({
      configFile: false,
      logLevel: "error",
      publicDir: false,
      ssr: {
        noExternal: true,
        target: "webworker",
        resolve: { conditions: [...conditions, "workerd", "module", "default"] },
      },
      build: {
        ssr: entry,
        outDir: folder,
        emptyOutDir: true,
        rolldownOptions: {
          external: [/^node:/, /^cloudflare:/],
          output: { codeSplitting: false, entryFileNames: "worker.js" },
        },
      },
    });
    return readFileSync(join(folder, "worker.js"), "utf8");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export type Simulator = Awaited<ReturnType<typeof startSimulator>>;

/** The Worker of the simulation in workerd, with a D1 of its own. It plays one story at a time. */
export async function startSimulator(contents: string) {
  let runtime = await open(contents);
  return {
    /** With `isOnD1`, plays on a real D1, which takes many times as long. The hash is the same. */
    async play(story: Story, isOnD1 = false): Promise<Played> {
      try {
        return await within(timeFor(story, isOnD1), ask(runtime, { story, isOnD1 }));
      } catch (error) {
        await runtime.dispose();
        runtime = await open(contents);
        return brokenOff(error);
      }
    },
    async stop(): Promise<void> {
      await runtime.dispose();
    },
  };
}

async function open(contents: string): Promise<Miniflare> {
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      modules: [{ type: "ESModule", path: "/worker.js", contents }],
      modulesRoot: "/",
      compatibilityDate: "2026-10-23",
      compatibilityFlags: ["nodejs_compat"],
      cf: false,
      d1Databases: { DB: "DB" },
      durableObjects: { STRIPE_ACCOUNT: { className: "Simulation", useSQLite: true } },
      bindings: {
        SITE_ORIGIN: "http://localhost:8787",
        WEBHOOK_SECRET: "local-stripe-webhook-secret",
        ENTITLEMENT_SIGNING_KEY: "local-entitlement-signing-key",
        MIGRATIONS: JSON.stringify(migrationStatements()),
      },
    }),
  );
  await applyMigrations(await runtime.getD1Database("DB"));
  return runtime;
}

async function ask(runtime: Miniflare, order: { story: Story; isOnD1: boolean }): Promise<Played> {
  const answer = await runtime.dispatchFetch("http://simulation/", { method: "POST", body: JSON.stringify(order) });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`The simulation broke off (${answer.status}):\n${text.slice(0, 2000)}`);
  // The Worker's own answer.
  return JSON.parse(text) as Played;
}

/** Many times what a story takes on a slow machine. */
function timeFor({ steps }: Story, isOnD1: boolean): number {
  return (120_000 + steps.length * 1_000) * (isOnD1 ? 10 : 1);
}

async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The simulation didn't end within ${ms / 1000} seconds.`)), ms);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** A crash or a hang is a violation like any other: it has a seed, and can be shortened. */
function brokenOff(error: unknown): Played {
  const details = error instanceof Error ? error.message : String(error);
  return {
    violation: { invariant: "a story is played to its end", details, afterStep: null, at: 0 },
    outcomes: {},
    hash: "",
    spent: {},
    reports: {},
    calls: { database: 0, stripe: 0 },
    emails: 0,
    lastedDays: 0,
  };
}
