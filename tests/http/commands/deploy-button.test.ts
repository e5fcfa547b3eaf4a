// @module-tag slow

import { spawn, spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { configurationProblems } from "#app/configuration.ts";
import { startCloudflareApi } from "#tests/support/clients/cloudflare-api.ts";
import { CloudflareUploads } from "#tests/support/clients/cloudflare-uploads.ts";
import { copyRepository } from "../../../scripts/checks/repository-copy.ts";

const use = "deploy-button";
const name = "shop-of-ada";
const database = "00000000-0000-0000-0000-000000000000";

/** The names in the file that the button reads: it asks for a value of each. */
const inputs = [...readFileSync(".dev.vars.example", "utf8").matchAll(/^([A-Z_]+)=/gm)].map(([, one = ""]) => one);

/** What the button does: a copy of the repository with the chosen name, a new database, and the values as secrets of a new Worker. */
async function pressButton(given: Record<string, string>) {
  const folder = copyRepository(use);
  const toml = readFileSync("wrangler.toml", "utf8")
    .replace(/^name = ".*"/m, `name = "${name}"`)
    .replace(/^database_name = ".*"/m, `database_name = "${name}"\ndatabase_id = "${database}"`);
  writeFileSync(join(folder, "wrangler.toml"), toml);
  spawnSync("git", ["init", "--quiet"], { cwd: folder });
  spawnSync("git", ["add", "."], { cwd: folder });
  spawnSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-qm", "Shop"], {
    cwd: folder,
  });
  const uploads = new CloudflareUploads();
  const api = await startCloudflareApi({ databases: [name], secrets: Object.keys(given), uploads });
  const started = spawn("npm", ["run", "deploy"], {
    cwd: folder,
    env: {
      ...process.env,
      WORKERS_CI: "1",
      WORKERS_CI_BRANCH: "main",
      CLOUDFLARE_API_TOKEN: "token",
      CLOUDFLARE_API_BASE_URL: api.url,
    },
  });
  const ended = new Promise<number | null>((resolve) => started.on("exit", resolve));
  const [output, errors] = await Promise.all([text(started.stdout), text(started.stderr)]);
  api.close();
  const bindings = uploads.workers.get(name)?.versions.at(-1)?.bindings ?? [];
  const vars = Object.fromEntries(bindings.flatMap((one) => (one.type === "plain_text" ? [[one.name, one.text]] : [])));
  return {
    status: await ended,
    output: output + errors,
    calls: api.calls,
    worker: { ...given, ...api.values, ...vars },
  };
}

afterAll(() => rmSync(join(".renamed", use), { recursive: true, force: true }));

test("the deploy button asks for the sender alone, and its Worker serves at the address that the account gives it", async () => {
  expect(inputs).toEqual(["MAIL_FROM"]);
  const { status, output, calls, worker } = await pressButton({ MAIL_FROM: "Shop <hello@shop.example>" });
  expect(status, output).toBe(0);
  expect(worker).toMatchObject({ PUBLIC_ORIGIN: `https://${name}.ada.workers.dev` });
  expect(configurationProblems(worker)).toEqual([]);
  expect(calls.some((call) => call.includes("CREATE TABLE"))).toBe(true);
  for (const secret of ["CODE_PEPPER", "VISIT_SECRET", "ENTITLEMENT_SIGNING_KEY"]) {
    expect(output).not.toContain(worker[secret as keyof typeof worker]);
  }
});

test("without the sender it deploys as well: its page says what is missing", async () => {
  const { status, output, worker } = await pressButton({});
  expect(status, output).toBe(0);
  expect(configurationProblems(worker)).toEqual(["MAIL_FROM is missing"]);
  expect(output).toContain("MAIL_FROM is missing");
  expect(output).toContain(`npx wrangler secret put MAIL_FROM --name ${name}`);
  expect(output.trimEnd().split("\n").at(-1)).toContain(`https://${name}.ada.workers.dev/set-up`);
});

test("each binding and each value that the button shows is described", () => {
  const { cloudflare } = JSON.parse(readFileSync("package.json", "utf8")) as {
    cloudflare: { bindings: Record<string, { description: string }> };
  };
  const bound = [...readFileSync("wrangler.toml", "utf8").matchAll(/^(?:binding|name) = "([A-Z_]+)"/gm)];
  const shown = bound.map(([, one = ""]) => one).filter((one) => !one.startsWith("FLOOD_"));
  expect(Object.keys(cloudflare.bindings).toSorted()).toEqual([...shown, ...inputs].toSorted());
});
