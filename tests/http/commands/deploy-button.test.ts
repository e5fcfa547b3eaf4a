import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { configurationProblems } from "#app/configuration.ts";
import { product } from "#app/product/config.ts";
import { startCloudflareApi } from "#tests/support/clients/cloudflare-api.ts";
import { CloudflareUploads } from "#tests/support/clients/cloudflare-uploads.ts";
import { copySources } from "../../../scripts/maintainers/checks/repository-copy.ts";

const name = "shop-of-ada";
const database = "00000000-0000-0000-0000-000000000000";
const store = "7d1c0a4be5f3463f9a6b1c2d3e4f5061";

/** The names in the file that the button reads: it asks for a value of each. */
const inputs = [...readFileSync(".dev.vars.example", "utf8").matchAll(/^([A-Z_]+)=/gm)].map(([, one = ""]) => one);

/** Outside of this clone, whose packages would be found from a folder in it. */
const folder = mkdtempSync(join(tmpdir(), "foyer-button-"));

/** A command of Cloudflare's build, in the copied repository: no terminal, no values of this machine's own. */
async function build(command: string, args: string[], env: Record<string, string> = {}) {
  const none = { CLOUDFLARE_ACCOUNT_ID: "", PUBLIC_ORIGIN: "", MAIL_FROM: "" };
  const started = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...none, CI: "true", WORKERS_CI: "1", WORKERS_CI_BRANCH: "main", ...env },
  });
  const ended = new Promise<number | null>((done) => started.on("exit", done));
  const [output, errors] = await Promise.all([text(started.stdout), text(started.stderr)]);
  return { status: await ended, output: output + errors };
}

const git = (...args: string[]) =>
  spawnSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], { cwd: folder });

/** What Cloudflare commits to the copied repository: the chosen name, and the ids of what it made. */
function commitNames({ hasStore }: { hasStore: boolean }) {
  const toml = readFileSync("wrangler.toml", "utf8")
    .replace(/^name = ".*"/m, `name = "${name}"`)
    .replace(/^database_name = ".*"/m, `database_name = "${name}"\ndatabase_id = "${database}"`)
    .replace(/^binding = "VISITS"/m, (line) => (hasStore ? `${line}\nid = "${store}"` : line));
  writeFileSync(join(folder, "wrangler.toml"), toml);
  git("add", ".");
  git("commit", "-qm", "Shop");
}

beforeAll(async () => {
  copySources(folder);
  git("init", "--quiet");
  commitNames({ hasStore: true });
  const installed = await build("npm", ["clean-install", "--progress=false", "--prefer-offline"]);
  if (installed.status === 0) return;
  // Without a network the packages are this clone's, and what follows their installation runs all the same.
  expect(installed.output).toMatch(/E(NOTCACHED|AI_AGAIN|NOTFOUND|CONNREFUSED|CONNRESET|TIMEDOUT)|network/i);
  rmSync(join(folder, "node_modules"), { recursive: true, force: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  const prepared = await build("npm", ["run", "postinstall"]);
  expect(prepared.status, prepared.output).toBe(0);
}, 900_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What follows the installation: the two commands that Cloudflare takes from package.json, with the values as secrets of a new Worker. */
async function pressButton(given: Record<string, string>) {
  const uploads = new CloudflareUploads();
  const api = await startCloudflareApi({ databases: [name], secrets: Object.keys(given), uploads });
  const login = { CLOUDFLARE_API_TOKEN: "token", CLOUDFLARE_API_BASE_URL: api.url };
  const built = await build("npm", ["run", "build"]);
  const deployed = built.status === 0 ? await build("npm", ["run", "deploy"], login) : built;
  api.close();
  const bindings = uploads.workers.get(name)?.versions.at(-1)?.bindings ?? [];
  const vars = Object.fromEntries(bindings.flatMap((one) => (one.type === "plain_text" ? [[one.name, one.text]] : [])));
  return { ...deployed, calls: api.calls, bindings, worker: { ...given, ...api.values, ...vars } };
}

const makesStore = (call: string) => call.startsWith("POST") && call.endsWith("/storage/kv/namespaces");

test("the deploy button asks for the sender alone, and its Worker serves at the address that the account gives it", async () => {
  expect(inputs).toEqual(["MAIL_FROM"]);
  commitNames({ hasStore: true });
  const { status, output, calls, bindings, worker } = await pressButton({ MAIL_FROM: "Shop <hello@shop.example>" });
  expect(status, output).toBe(0);
  expect(worker).toMatchObject({ PUBLIC_ORIGIN: `https://${name}.ada.workers.dev`, PRODUCT: product.name });
  expect(configurationProblems(worker)).toEqual([]);
  expect(calls.some((call) => call.includes("CREATE TABLE"))).toBe(true);
  expect(bindings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: "DB", type: "d1", id: database }),
      expect.objectContaining({ name: "VISITS", type: "kv_namespace", namespace_id: store }),
    ]),
  );
  expect(calls.filter(makesStore)).toEqual([]);
  for (const secret of ["CODE_PEPPER", "VISIT_SECRET", "ENTITLEMENT_SIGNING_KEY"]) {
    expect(output).not.toContain(worker[secret as keyof typeof worker]);
  }
}, 600_000);

test("without the sender it deploys as well, and its page says what is missing; a KV namespace without an id is made", async () => {
  commitNames({ hasStore: false });
  const { status, output, calls, bindings, worker } = await pressButton({});
  expect(status, output).toBe(0);
  expect(calls.filter(makesStore)).toHaveLength(1);
  const made = { name: "VISITS", type: "kv_namespace", namespace_id: CloudflareUploads.namespaceId };
  expect(bindings).toContainEqual(expect.objectContaining(made));
  expect(configurationProblems(worker)).toEqual(["MAIL_FROM is missing"]);
  expect(output).toContain("MAIL_FROM is missing");
  expect(output).toContain(`npx wrangler secret put MAIL_FROM --name ${name}`);
  expect(output.trimEnd().split("\n").at(-1)).toContain(`https://${name}.ada.workers.dev/set-up`);
}, 600_000);

test("each binding and each value that the button shows is described", () => {
  const { cloudflare } = JSON.parse(readFileSync("package.json", "utf8")) as {
    cloudflare: { bindings: Record<string, { description: string }> };
  };
  const bound = [
    ...readFileSync("wrangler.toml", "utf8").matchAll(/^(?:(?:binding|name) = "|(?=[A-Z_]+ = ))([A-Z_]+)/gm),
  ];
  const shown = bound.map(([, one = ""]) => one).filter((one) => !one.startsWith("RATE_LIMIT_"));
  expect(Object.keys(cloudflare.bindings).toSorted()).toEqual([...shown, ...inputs].toSorted());
});
