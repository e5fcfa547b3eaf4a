import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { listPeople, startDemo, removeOldDemo } from "../demo/start-demo.ts";
import { forgetSite, rememberSite } from "./running-site.ts";
import { migrateLocal } from "./migrate-local.ts";
import { run } from "../run.ts";
import { startProcesses } from "./start-processes.ts";
import type { SiteOptions } from "./site-options.ts";

/** A command and its arguments; `env` is added to the environment. */
type ServeCommand = { command: string; args: string[]; env?: Record<string, string> };

/**
 * Runs a site and its Stripe emulator as two processes that start and end together. `serve` is the site's own command: the built Worker for
 * `npm start`, the development server for `npm run dev`. With the demo, its history is generated before the site starts.
 */
export async function runSite(options: SiteOptions, serve: ServeCommand): Promise<void> {
  const { stripePort, origin, stripe, persistTo, vars, isDemo } = options;
  if (isDemo) removeOldDemo(persistTo);
  console.log("Migrating the local database …");
  await migrateLocal(persistTo);
  console.log("Starting the site and the Stripe emulator …");
  const processes = startProcesses();
  processes.begin("Stripe emulator", "wrangler", [
    "dev",
    "-c",
    "workers/stripe-emulator/wrangler.toml",
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
  ]);
  try {
    if (isDemo) {
      await answers(`${stripe}/control/health`);
      await startDemo(options, processes.begin);
    }
    processes.begin("site", serve.command, serve.args, serve.env);
    await answers(`${stripe}/control/health`);
    // Without a key, paid plans aren't on sale and there is no catalogue to seed. The emulator is this clone's, whatever its product is
    // called, hence `--renamed`.
    if (vars["STRIPE_SECRET_KEY"]) await run("node", ["scripts/stripe/stripe-setup.ts", "--renamed"], { env: vars });
    await answers(`${origin}/healthz`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    await processes.end(1);
  }
  rememberSite(options);
  process.on("exit", forgetSite);
  tickEveryMinute(origin);
  console.log(
    [
      "",
      `  Site             ${origin}`,
      `  Mailbox          ${origin}/cdn-cgi/local/explorer`,
      `  Stripe emulator  ${stripe}`,
      ...(isDemo ? [listPeople(), "\n  Sign in with any address: the code is in the mailbox."] : []),
      "",
      "  Stop with Ctrl-C.",
      "",
    ].join("\n"),
  );
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
