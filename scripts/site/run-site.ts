import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { forgetSite, rememberSite } from "./running-site.ts";
import { migrateLocal } from "./migrate-local.ts";
import { run } from "../run.ts";
import { buildEmulator, emulatorConfig, orderKeys } from "../stripe/emulator.ts";
import { startProcesses } from "./start-processes.ts";
import type { SiteOptions } from "./site-options.ts";

/** A command and its arguments; `env` is added to the environment. `prepare` comes before it, while the Stripe emulator starts. */
type ServeCommand = { command: string; args: string[]; env?: Record<string, string>; prepare?: () => Promise<void> };

/**
 * Runs a site and its Stripe emulator as two processes that start and end together. `serve` is the site's own command: the built Worker for
 * `npm start`, the development server for `npm run dev`. What doesn't depend on each other runs side by side. With the demo, its history is
 * generated before the site starts.
 */
export async function runSite(options: SiteOptions, serve: ServeCommand): Promise<void> {
  const { stripePort, origin, stripe, persistTo, vars, isDemo } = options;
  // Loaded for the demo alone: it knows the whole site, which takes longer to load than to start.
  const demo = isDemo ? await import("../demo/start-demo.ts") : null;
  demo?.removeOldDemo(persistTo);
  console.log("Starting the site and the Stripe emulator …");
  const processes = startProcesses();
  const fail = (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return processes.end(1);
  };
  buildEmulator();
  processes.begin("Stripe emulator", "wrangler", [
    "dev",
    "-c",
    emulatorConfig,
    "--port",
    String(stripePort),
    "--inspector-port",
    "0",
    // A separate folder: two runtimes that open one folder's databases at the same time lock each other out.
    "--persist-to",
    join(persistTo, "stripe"),
    "--var",
    `SITE_ORIGIN:${origin}`,
    "--var",
    `WEBHOOK_SECRET:${String(vars["STRIPE_WEBHOOK_SECRET"]).split(",")[0]}`,
    "--var",
    `ORDER_KEYS:${orderKeys}`,
  ]);
  try {
    await Promise.all([serve.prepare?.(), migrateLocal(persistTo)]);
    if (demo) {
      await answers(`${stripe}/control/health`);
      await demo.startDemo(options, processes.begin);
    }
    processes.begin("site", serve.command, serve.args, { env: serve.env, showsErrors: true });
    const catalogue = fillCatalogue(options);
    // The site itself says whether its prices are there. Until then it isn't ready, and neither is it before the endpoint was made once.
    if (isFilled(options)) catalogue.catch(fail);
    else await catalogue;
    await answers(`${origin}/healthz`);
  } catch (error) {
    await fail(error);
  }
  rememberSite(options);
  process.on("exit", forgetSite);
  tickEveryMinute(origin);
  console.log(
    [
      "",
      `  Site             ${origin}`,
      `  Mailbox          ${stripe}/mailbox`,
      `    for scripts    ${origin}/cdn-cgi/local/explorer`,
      `  Stripe emulator  ${stripe}`,
      ...(demo ? [demo.listPeople(), "\n  Sign in with any address: the code is in the mailbox."] : []),
      "",
      "  Stop with Ctrl-C.",
      "",
    ].join("\n"),
  );
}

/** Notes for which address the emulator's data has products, prices, the webhook endpoint and the portal. */
const noteOf = ({ persistTo }: SiteOptions): string => join(persistTo, "stripe", "set-up-for.txt");

function isFilled(options: SiteOptions): boolean {
  try {
    return readFileSync(noteOf(options), "utf8") === options.origin;
  } catch {
    return false;
  }
}

async function fillCatalogue(options: SiteOptions): Promise<void> {
  const { stripe, vars, origin } = options;
  await answers(`${stripe}/control/health`);
  // Without a key, paid plans aren't on sale and there is no catalogue to seed. The emulator is this clone's, whatever its product is
  // called, hence `--renamed`.
  if (!vars["STRIPE_SECRET_KEY"]) return;
  await run("node", ["scripts/stripe/stripe-setup.ts", "--renamed"], { env: vars });
  writeFileSync(noteOf(options), origin);
}

/** Polls until the response is 2xx. Otherwise the wait ends when a child exits. */
async function answers(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(url).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) return;
    await wait(100);
  }
}

/** Cloudflare calls the cron trigger once a minute; locally nothing else does. */
function tickEveryMinute(origin: string): void {
  setInterval(() => {
    const trigger = `${origin}/cdn-cgi/local/scheduled?${new URLSearchParams({ cron: "* * * * *", time: String(Date.now()) })}`;
    fetch(trigger).then(
      (response) => response.body?.cancel(),
      () => undefined,
    );
  }, 60_000);
}
