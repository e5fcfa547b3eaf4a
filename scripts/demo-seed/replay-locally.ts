import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startDemo } from "../demo/start-demo.ts";
import { findFreePort } from "../site/free-ports.ts";
import { migrateLocal } from "../site/migrate-local.ts";
import { startProcesses } from "../site/start-processes.ts";
import { buildEmulator, emulatorConfig, orderKeys } from "../stripe/emulator.ts";

type Settings = { PUBLIC_ORIGIN: string; CODE_PEPPER: string; ENTITLEMENT_SIGNING_KEY: string };

/** Plays the demo with the secrets of the Worker that gets its rows. Returns the file of the database. */
export async function replayLocally(folder: string, settings: Settings): Promise<string> {
  await migrateLocal(folder);
  const port = await findFreePort();
  const stripe = `http://localhost:${port}`;
  const { begin } = startProcesses();
  buildEmulator();
  const emulator = begin("Stripe emulator", "wrangler", [
    "dev",
    "-c",
    emulatorConfig,
    "--port",
    String(port),
    "--inspector-port",
    "0",
    "--persist-to",
    join(folder, "stripe"),
    "--var",
    `SITE_ORIGIN:${settings.PUBLIC_ORIGIN}`,
    "--var",
    `ORDER_KEYS:${orderKeys}`,
  ]);
  try {
    await answers(`${stripe}/control/health`);
    const vars = {
      ...settings,
      STRIPE_API_BASE: stripe,
      STRIPE_SECRET_KEY: "local-demo-key",
      MAIL_FROM: "demo@people.example",
    };
    await startDemo({ persistTo: folder, stripe, vars }, begin);
  } finally {
    await emulator.end();
  }
  const databases = join(folder, "v3/d1/miniflare-D1DatabaseObject");
  const file = readdirSync(databases).find((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");
  if (!file) throw new Error("The demo left no database");
  return join(databases, file);
}

async function answers(url: string): Promise<void> {
  for (const began = Date.now(); Date.now() - began < 60_000; await wait(100)) {
    if ((await fetch(url).catch(() => null))?.ok) return;
  }
  throw new Error("The Stripe emulator doesn't start");
}
