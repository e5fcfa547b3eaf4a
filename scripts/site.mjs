import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { listPeople, playDemo } from "./demo/start.ts";
import { forgetSite, rememberSite } from "./running-site.ts";
import { run, environment } from "./run.mjs";

/**
 * A site and its Stripe emulator as two processes that start and end together. `serve` is the site's own command: the built
 * Worker for `npm start`, the development server for `npm run dev`. With the demo, its history is generated before the site starts.
 */
export async function runSite(options, serve) {
  const { stripePort, origin, stripe, persistTo, vars, isDemo } = options;
  console.log("Migrating the local database …");
  await run("wrangler", ["d1", "migrations", "apply", "DB", "--local", "--persist-to", persistTo]);
  console.log("Starting the site and the local Stripe …");
  const networkAddress = keepHouse();
  networkAddress.begin("local Stripe", "wrangler", [
    ...["dev", "-c", "workers/stripe-emulator/wrangler.toml", "--port", String(stripePort), "--inspector-port", "0"],
    // A separate folder: two runtimes that open one folder's databases at the same time lock each other out.
    ...["--persist-to", join(persistTo, "stripe"), "--var", `SITE_ORIGIN:${origin}`],
    ...["--var", `WEBHOOK_SECRET:${String(vars.STRIPE_WEBHOOK_SECRET).split(",")[0]}`],
  ]);
  try {
    if (isDemo) {
      await answers(`${stripe}/control/health`);
      await playDemo(options, networkAddress.begin);
    }
    networkAddress.begin("site", serve.command, serve.args, serve.env);
    await answers(`${stripe}/control/health`);
    // Without a key paid plans are not on sale, and there is no catalogue to seed.
    if (vars.STRIPE_SECRET_KEY) await run("node", ["scripts/stripe-setup.ts"], { env: vars });
    await answers(`${origin}/healthz`);
  } catch (error) {
    console.error(error.message);
    await networkAddress.end(1);
  }
  rememberSite(options);
  process.on("exit", forgetSite);
  tickEveryMinute(origin);
  console.log(
    [
      "",
      `  Site          ${origin}`,
      `  Mailbox       ${origin}/cdn-cgi/local/explorer`,
      `  Local Stripe  ${stripe}`,
      ...(isDemo ? [listPeople()] : []),
      "",
      "  Stop with Ctrl-C.",
      "",
    ].join("\n"),
  );
}

/** Programs that end together: when one of them exits, or at a signal. */
function keepHouse() {
  const members = new Set();
  let ending = false;
  const end = async (code) => {
    if (ending) return;
    ending = true;
    await Promise.all([...members].map(({ child }) => endGroup(child)));
    process.exit(code);
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => void end(0));
  const begin = (name, command, args, env) => {
    const member = start(command, args, env);
    members.add(member);
    member.child.on("exit", (code) => {
      if (ending || !members.has(member)) return;
      console.error(`The ${name} ended (${code}):\n${member.printed()}`);
      void end(1);
    });
    const leave = () => {
      members.delete(member);
      return endGroup(member.child);
    };
    return { end: leave, printed: member.printed };
  };
  return { begin, end };
}

function start(command, args, env = {}) {
  // A separate process group: wrangler starts further processes, and all of them end together.
  const child = spawn(command, args, {
    env: { ...environment, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let printed = "";
  const keep = (text) => {
    printed = (printed + text).slice(-4000);
    if (process.env.FOYER_VERBOSE) process.stdout.write(text);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  return { child, printed: () => printed };
}

async function endGroup(child) {
  const isRunning = child.exitCode === null && child.signalCode === null;
  const gone = isRunning ? once(child, "exit") : null;
  signalGroup(child, "SIGTERM");
  await Promise.race([gone, wait(5000)]);
  signalGroup(child, "SIGKILL");
}

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The whole group has already exited.
  }
}

/** Polls until the response is 2xx. Otherwise the wait ends when a child exits. */
async function answers(url) {
  for (;;) {
    const response = await fetch(url).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) return;
    await wait(100);
  }
}

/** Cloudflare calls the cron trigger once a minute; locally nothing else does. */
function tickEveryMinute(origin) {
  setInterval(() => {
    const door = `${origin}/cdn-cgi/local/scheduled?${new URLSearchParams({ cron: "* * * * *", time: String(Date.now()) })}`;
    fetch(door).then(
      (response) => response.body?.cancel(),
      () => undefined,
    );
  }, 60_000);
}
