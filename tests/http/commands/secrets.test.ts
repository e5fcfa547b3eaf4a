import { existsSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { configurationProblems } from "#app/configuration.ts";
import { runScript } from "#tests/support/clients/run-script.ts";
import { startCloudflareApi } from "#tests/support/clients/cloudflare-api.ts";
import { generateSecrets } from "../../../scripts/secrets/generate-secrets.ts";

const names = ["CODE_PEPPER", "VISIT_SECRET", "ENTITLEMENT_SIGNING_KEY", "OPERATOR_TOKEN"];
const variables = { PUBLIC_ORIGIN: "https://shop.example", MAIL_FROM: "hello@shop.example" };

const newFile = () => join(mkdtempSync(join(tmpdir(), "foyer-secrets-")), "secrets.json");

function generate(api: { url: string } | null, args: string[] = ["--save", newFile()]) {
  const login = api && { CLOUDFLARE_API_TOKEN: "token", CLOUDFLARE_API_BASE_URL: api.url };
  return runScript("scripts/secrets/secrets.ts", args, login ?? {});
}

test("a Worker can serve with what is generated, and each run generates something else", () => {
  const secrets = generateSecrets([]);
  expect(configurationProblems({ ...variables, ...secrets })).toEqual([]);
  const others = Object.values(generateSecrets([]));
  expect(Object.values(secrets).filter((value) => others.includes(value))).toEqual([]);
});

describe.concurrent("npm run secrets", () => {
  test("creates the Worker with all of them, prints no value, and saves a copy that only its owner can read", async () => {
    const api = await startCloudflareApi({});
    const file = newFile();
    const { output, status } = await generate(api, ["--save", file]);
    expect(status, output).toBe(0);
    expect(output.match(/\w+(?=: generated)/g)).toEqual(names);
    expect(configurationProblems({ ...variables, ...api.values })).toEqual([]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(api.values);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const value of Object.values(api.values)) expect(output).not.toContain(value);
    api.close();
  });

  test("sets only what is missing, and nothing the second time", async () => {
    const api = await startCloudflareApi({ secrets: ["CODE_PEPPER", "STRIPE_SECRET_KEY"] });
    const first = await generate(api);
    expect(first.output).toContain("CODE_PEPPER: was set");
    expect(Object.keys(api.values)).toEqual(names.slice(1));
    const before = api.calls.length;
    const second = await generate(api, []);
    expect([second.status, second.output.match(/: generated/g)]).toEqual([0, null]);
    expect(api.calls.slice(before).filter((call) => call.startsWith("PATCH"))).toEqual([]);
    api.close();
  });

  test("without a login says so, and a file that exists is kept", async () => {
    const refused = await generate(null);
    expect([refused.status, refused.output]).toEqual([1, expect.stringContaining("npx wrangler login")]);
    const api = await startCloudflareApi({});
    const kept = await generate(api, ["--save", "package.json"]);
    expect([kept.status, kept.output]).toEqual([1, expect.stringContaining("package.json exists")]);
    const unsaved = await generate(api, []);
    expect([unsaved.status, unsaved.output]).toEqual([1, expect.stringContaining("OPERATOR_TOKEN: not generated")]);
    expect(api.values).toEqual({});
    api.close();
  });

  test("keeps the only copy of values that Cloudflare set without an answer", async () => {
    const api = await startCloudflareApi({ secrets: [], losesAnswer: true });
    const file = newFile();
    const lost = await generate(api, ["--save", file]);
    expect([lost.status, lost.output]).toEqual([1, expect.stringContaining(`keep ${file}`)]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(api.values);
    api.close();
  });

  test("leaves no copy of values that couldn't be uploaded", async () => {
    const api = await startCloudflareApi({ refusesSecrets: true });
    const file = newFile();
    expect((await generate(api, ["--save", file])).status).toBe(1);
    expect(existsSync(file)).toBe(false);
    api.close();
  });
});
