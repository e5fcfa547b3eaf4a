import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startReceiver } from "./driver.ts";

/** The package as a stranger gets it: packed from a copy, and installed in a folder that has nothing else. */
const folder = mkdtempSync(join(tmpdir(), "stripe-emulator-"));
const shop = join(folder, "shop");
const ours = dirname(dirname(createRequire(import.meta.url).resolve("typescript/package.json")));
let packed: string[] = [];

const inFolder = (cwd: string, command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

beforeAll(() => {
  const copy = join(folder, "copy");
  cpSync(fileURLToPath(new URL("..", import.meta.url)), copy, {
    recursive: true,
    filter: (path) => !/[/\\](node_modules|dist|\.wrangler)$/.test(path),
  });
  symlinkSync(ours, join(copy, "node_modules"));
  const [made] = JSON.parse(inFolder(copy, "npm", "pack", "--json", "--loglevel=error")) as {
    filename: string;
    files: { path: string }[];
  }[];
  packed = made?.files.map(({ path }) => path) ?? [];
  mkdirSync(shop);
  writeFileSync(join(shop, "package.json"), '{ "private": true, "type": "module" }');
  inFolder(shop, "npm", "install", "--offline", "--no-audit", "--no-fund", join(copy, String(made?.filename)));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("contains its build and its documents, and brings no other package", () => {
  expect(packed.filter((path) => !/^dist\/.+\.(js|d\.ts)$/.test(path)).toSorted()).toEqual([
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "bin/stripe-emulator.js",
    "package.json",
    "wrangler.toml",
  ]);
  const installed = readdirSync(join(shop, "node_modules")).filter((name) => !name.startsWith("."));
  expect(installed).toEqual(["stripe-emulator"]);
});

test("answers a call of Stripe's SDK, and sends a signed webhook", async () => {
  const emulator = spawn(join(shop, "node_modules/.bin/stripe-emulator"), ["--port", "0"], { cwd: shop });
  const printed: string[] = [];
  for await (const line of createInterface(emulator.stdout)) if (printed.push(line) === 2) break;
  const [address, secret] = printed.map((line) => line.replace(/^.*?: +/, ""));
  const { hostname: host, port } = new URL(String(address));
  const stripe = new Stripe("local-shop", { host, port: Number(port), protocol: "http", telemetry: false });

  const receiver = await startReceiver();
  await stripe.webhookEndpoints.create({ url: receiver.url, enabled_events: ["customer.created"] });
  const customer = await stripe.customers.create({ email: "ada@example.com" });
  await receiver.until(1);
  const [{ body, signature } = { body: "", signature: "" }] = receiver.received;
  const event = await stripe.webhooks.constructEventAsync(body, signature, String(secret));
  expect(event).toMatchObject({ type: "customer.created", data: { object: { id: customer.id } } });

  receiver.close();
  emulator.kill("SIGTERM");
  expect(await once(emulator, "exit")).toEqual([0, null]);
});

test("runs in a test's own process, with types", () => {
  for (const name of ["stripe", "@types/node", "undici-types"]) {
    mkdirSync(dirname(join(shop, "node_modules", name)), { recursive: true });
    symlinkSync(join(ours, name), join(shop, "node_modules", name));
  }
  writeFileSync(
    join(shop, "shop.ts"),
    `import Stripe from "stripe";
import { startEmulator } from "stripe-emulator";
import { controlAt } from "stripe-emulator/control";
import { API_VERSION, TEST_CARDS } from "stripe-emulator/facts";

const { origin, close } = await startEmulator({ orderKeys: ["order"] });
const { hostname: host, port } = new URL(origin);
const stripe = new Stripe("local-shop", { host, port: Number(port), protocol: "http", telemetry: false });
const { created } = await stripe.customers.create({ email: "ada@example.com" });
const { now = 0 } = await controlAt(origin)("clock", { advanceDays: 1 });
await close();
console.log(now - created >= 86_400, API_VERSION, TEST_CARDS.length);
`,
  );
  const options = ["--strict", "--module", "nodenext", "--target", "es2023", "--lib", "es2023", "--types", "node"];
  inFolder(shop, join(ours, ".bin/tsc"), ...options, "shop.ts");
  expect(inFolder(shop, process.execPath, "shop.js")).toMatch(/^true \d{4}-\d\d-\d\d\.\w+ \d+\n$/);
});
