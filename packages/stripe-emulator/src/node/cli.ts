import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { AFTER_LAST_RETRY } from "../time/billing-times.ts";
import { defaultSettings, readOrderKeys } from "../settings.ts";
import { startEmulator } from "./index.ts";

const DEFAULT_PORT = 12_111;

const help = `Usage: stripe-emulator [options]

  --port N                 listens here; ${DEFAULT_PORT} if it isn't given, a free one if it is 0
  --hostname NAME          listens there; 127.0.0.1, which only this machine reaches
  --file PATH              keeps the account in this file; in memory, until it ends
  --site URL               address of your shop, for links to it; ${defaultSettings.siteOrigin}
  --webhook-secret TEXT    signs every webhook; ${defaultSettings.webhookSecret}
  --order-keys KEYS        metadata keys, with a comma between them, by whose values control calls name a payment
  --after-last-retry WORD  what becomes of a subscription that nobody paid: ${AFTER_LAST_RETRY.join(", ")}
  --help, --version
`;

try {
  const values = readOptions();
  if (values.help) print(help);
  else if (values.version) print(`${version()}\n`);
  else await run(values);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function readOptions() {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  return parseArgs({
    options: {
      port: text,
      hostname: text,
      file: text,
      site: text,
      "webhook-secret": text,
      "order-keys": text,
      "after-last-retry": text,
      help: { ...flag, short: "h" },
      version: flag,
    },
  }).values;
}

async function run(values: ReturnType<typeof readOptions>): Promise<void> {
  const {
    port = String(DEFAULT_PORT),
    hostname,
    file,
    site: siteOrigin = defaultSettings.siteOrigin,
    "webhook-secret": webhookSecret = defaultSettings.webhookSecret,
    "order-keys": keys = "",
    "after-last-retry": afterLastRetry = defaultSettings.afterLastRetry,
  } = values;
  if (!/^\d{1,5}$/.test(port)) throw new Error(`--port: ${port} is no port`);
  if (!AFTER_LAST_RETRY.some((known) => known === afterLastRetry))
    throw new Error(`--after-last-retry: one of ${AFTER_LAST_RETRY.join(", ")}`);
  if (!URL.canParse(siteOrigin)) throw new Error(`--site: ${siteOrigin} is no address`);
  const { origin, close } = await startEmulator({
    port: Number(port),
    ...(hostname !== undefined && { hostname }),
    ...(file !== undefined && { file }),
    siteOrigin,
    webhookSecret,
    orderKeys: readOrderKeys(keys),
    afterLastRetry,
  });
  print(`Stripe emulator: ${origin}\nWebhook secret:  ${webhookSecret}\n`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void close());
}

/** Of the package that this file is in. */
function version(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  return manifest.version;
}

function print(text: string): void {
  process.stdout.write(text);
}
