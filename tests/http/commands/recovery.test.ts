import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { getPlatformProxy, unstable_readConfig as readConfig } from "wrangler";
import { describe, expect, test } from "vitest";
import { startCloudflareApi } from "#tests/support/clients/cloudflare-api.ts";
import { CloudflareRows } from "#tests/support/clients/cloudflare-rows.ts";
import { runScript } from "#tests/support/clients/run-script.ts";
import { startSite } from "#tests/support/site/site.ts";
import { environment } from "../../../scripts/run.ts";
import { applyMigrations } from "../../../scripts/site/apply-migrations.ts";
import { configFor, readTarget } from "../../../scripts/deploy/target.ts";
import { withResourceNames } from "../../../scripts/brand/resource-names.ts";

const config = readConfig({ config: "wrangler.toml" }, { hideWarnings: true });
const worker = String(config.name);
const guide = readFileSync("docs/guides/operate.md", "utf8");
const login = (api: { url: string }) => ({ CLOUDFLARE_API_TOKEN: "token", CLOUDFLARE_API_BASE_URL: api.url });

/** The guide's commands that contain a text, run as they are written there. */
async function runCommandOf(part: string, api: { url: string }, change = (line: string) => line) {
  const line = guide.split("\n").find((each) => /^(echo|npx) /.test(each) && each.includes(part));
  const command = change((line ?? `no command has ${part}`).replaceAll("npx ", ""));
  const child = spawn("sh", ["-c", command], { env: { ...environment, ...login(api) } });
  const [code, printed] = await Promise.all([once(child, "exit"), text(child.stdout), text(child.stderr)]);
  return { status: code[0] as number | null, printed };
}

test("the guide's commands for maintenance work on the deployed Worker, and a deployment in between is accepted", async () => {
  const secrets = ["CODE_PEPPER", "VISIT_SECRET", "ENTITLEMENT_SIGNING_KEY"];
  const deployed = { [worker]: "https://shop.example" };
  const api = await startCloudflareApi({ databases: [worker], secrets, deployed });
  expect((await runCommandOf("secret put MAINTENANCE", api)).status).toBe(0);
  expect(api.values).toEqual({ MAINTENANCE: "on" });
  const variables = { MAIL_FROM: "Shop <hello@shop.example>", PUBLIC_ORIGIN: "" };
  const ended = await runScript("scripts/deploy/deploy.ts", ["--dirty"], { ...variables, ...login(api) });
  expect(ended.problems).toEqual([]);
  expect((await runCommandOf("secret delete MAINTENANCE", api)).status).toBe(0);
  const written = api.calls.filter((call) => call.includes("/secrets") && !call.startsWith("GET"));
  expect(written).toEqual([
    `PUT /accounts/acc0/workers/scripts/${worker}/secrets`,
    `DELETE /accounts/acc0/workers/scripts/${worker}/secrets/MAINTENANCE`,
  ]);
  api.close();
});

/** Calls `read` with the local database of a folder. */
async function inDatabase<Result>(folder = "", read: (database: D1Database) => Promise<Result>): Promise<Result> {
  const persist = { path: join(folder, ".wrangler/state/v3") };
  const { env, dispose } = await getPlatformProxy<{ DB: D1Database }>({ persist, remoteBindings: false });
  const result = await read(env.DB);
  await dispose();
  return result;
}

/** The rows of each table, and what the schema consists of. */
async function contentsOf(database: D1Database): Promise<Record<string, unknown[]>> {
  const { results: schema } = await database
    .prepare("select type, name, sql from sqlite_schema where name not like '\\_cf%' escape '\\' order by type, name")
    .all<{ type: string; name: string }>();
  const tables = schema.filter(({ type }) => type === "table").map(({ name }) => name);
  const rows = await database.batch(tables.map((name) => database.prepare(`select * from "${name}" order by 1, 2`)));
  return { schema, ...Object.fromEntries(tables.map((name, index) => [name, rows[index]?.results ?? []])) };
}

describe("from an export", () => {
  const toml = readFileSync("wrangler.toml", "utf8");
  const [, lines = ""] = /```\n(database_name = [^`]+)```/.exec(guide) ?? [];
  const restored = toml.replace(/^database_name = .*\n/m, lines.replace("…", "00000000-0000-0000-0000-000000000001"));

  test("the guide's commands create a database where the data belongs, and fill it", async () => {
    const site = await startSite({ stripe: false, migrate: false });
    const api = await startCloudflareApi({ databases: [worker], rows: new CloudflareRows(site.database) });
    const created = await runCommandOf("d1 create", api);
    expect([created.status, created.printed]).toEqual([0, expect.stringContaining("database_id = ")]);
    expect(api.calls).toContain("created foyer-restored in eu");
    const file = join(mkdtempSync(join(tmpdir(), "foyer-export-")), "export.sql");
    writeFileSync(file, "create table exported (id text);\ninsert into exported values ('one');\n");
    const filled = await runCommandOf("d1 execute", api, (line) => line.replace(/\S+\.sql$/, file));
    expect(filled.status, filled.printed).toBe(0);
    const { results } = await (await site.database()).prepare("select * from exported").all();
    expect(results).toEqual([{ id: "one" }]);
    api.close();
    await site.close();
  });

  test("a local database is filled with all rows, indexes and triggers, and none of these counts twice", async () => {
    const [from = "", to = ""] = ["from", "to"].map((name) => mkdtempSync(join(tmpdir(), `foyer-export-${name}-`)));
    for (const folder of [from, to]) copyFileSync("wrangler.toml", join(folder, "wrangler.toml"));
    const waiting = (id: string) => [...Array(6).fill(id), "none", "signup", "waiting", 1, 1, 1];
    const before = await inDatabase(from, async (database) => {
      await applyMigrations(database);
      const entry = database.prepare(
        `insert into entries (id, email, email_canonical, confirm_hash, entry_hash, share_code, review, gate, state, created_at,
          confirm_expires_at, confirmed_at) values (${Array(12).fill("?")})`,
      );
      await database.batch([entry.bind(...waiting("a")), entry.bind(...waiting("b"))]);
      return contentsOf(database);
    });
    expect(before["queue_counts"]).not.toEqual([]);
    const file = join(from, "export.sql");
    const runIn = (folder: string, part: string) =>
      runCommandOf(part, { url: "" }, (line) => {
        const own = line
          .replace("--remote", "--local")
          .replace("foyer-restored", "DB")
          .replace(/\S+\.sql$/, file);
        return `cd ${folder} && ${own}`;
      });
    const exported = await runIn(from, "d1 export");
    expect(exported.status, exported.printed).toBe(0);
    const filled = await runIn(to, "d1 execute");
    expect(filled.status, filled.printed).toBe(0);
    expect(await inDatabase(to, contentsOf)).toEqual(before);
  });

  test("the new database is production's alone, and keeps its name when resources are named again", () => {
    const file = join(mkdtempSync(join(tmpdir(), "foyer-restored-")), "wrangler.toml");
    writeFileSync(file, restored);
    const read = readConfig({ config: file }, { hideWarnings: true });
    const databases = ["production", "staging"].map((to) => configFor(read, readTarget(to, null)).d1_databases[0]);
    expect(databases).toEqual([
      expect.objectContaining({ database_name: "foyer-restored", database_id: expect.stringMatching(/1$/) }),
      expect.objectContaining({ database_name: `${worker}-staging` }),
    ]);
    expect(databases[1]).not.toHaveProperty("database_id");
    const files = { "wrangler.toml": restored, "package.json": "{}" };
    expect(withResourceNames(files, worker)["wrangler.toml"]).toBe(restored);
    expect(withResourceNames({ ...files, "wrangler.toml": toml }, "acme")["wrangler.toml"]).toContain(
      'database_name = "acme"',
    );
  });
});
