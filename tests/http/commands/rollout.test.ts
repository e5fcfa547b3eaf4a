import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runScript } from "#tests/support/clients/run-script.ts";
import { startCloudflareApi } from "#tests/support/clients/cloudflare-api.ts";
import { CloudflareUploads } from "#tests/support/clients/cloudflare-uploads.ts";
import { unstable_readConfig as readConfig } from "wrangler";
import { configFor, readTarget } from "../../../scripts/deploy/target.ts";

const config = readConfig({ config: "wrangler.toml" }, { hideWarnings: true });
const worker = String(config.name);
const secrets = ["CODE_PEPPER", "VISIT_SECRET", "ENTITLEMENT_SIGNING_KEY"];

test(
  "a version gets a share of the requests, then more, and can be taken back; domain and cron are set with it",
  { timeout: 900_000 },
  async () => {
    const uploads = new CloudflareUploads();
    const api = await startCloudflareApi({ databases: [worker], secrets, uploads });
    const output = join(mkdtempSync(join(tmpdir(), "foyer-workflow-")), "output");
    const env = {
      CLOUDFLARE_API_TOKEN: "token",
      CLOUDFLARE_API_BASE_URL: api.url,
      PUBLIC_ORIGIN: "https://shop.example",
      MAIL_FROM: "Shop <hello@shop.example>",
      GITHUB_OUTPUT: output,
    };
    const run = (script: string, args: string[]) => runScript(`scripts/deploy/${script}.ts`, args, env);
    /** By version, in percent. */
    const shares = () =>
      uploads.workers
        .get(worker)
        ?.deployments.at(-1)
        ?.versions.map(({ version_id: id, percentage }) => `${Number(id.slice(-12))}: ${percentage}`);

    /** What the workflow may take back. */
    const outputs = () => (existsSync(output) ? readFileSync(output, "utf8").trim().split("\n") : []);

    expect(await run("rollout", ["50"])).toMatchObject({
      status: 1,
      output: expect.stringContaining("No rollout is under way"),
    });
    // There is no other version to share with.
    const first = await run("deploy", ["--dirty", "--share", "10"]);
    expect([first.status, shares(), outputs()], first.output).toEqual([0, ["1: 100"], []]);
    expect(uploads.workers.get(worker)).toMatchObject({
      domains: { origins: [{ hostname: "shop.example" }] },
      schedules: [{ cron: "* * * * *" }],
    });
    const second = await run("deploy", ["--dirty", "--share", "10"]);
    expect([second.status, shares()], second.output).toEqual([0, ["2: 10", "1: 90"]]);
    const third = await run("deploy", ["--dirty", "--share", "10"]);
    expect([third.status, third.output]).toEqual([1, expect.stringContaining("A rollout is under way")]);
    expect(outputs()).toEqual([expect.stringMatching(/^version=.*2$/)]);
    await run("rollout", ["50"]);
    expect(shares()).toEqual(["2: 50", "1: 50"]);
    const back = await run("rollout", ["back"]);
    expect([shares(), back.output]).toEqual([["1: 100"], expect.stringContaining("Cloudflare sets no secret now")]);
    expect((await run("rollout", ["50"])).status).toBe(1);
    // As after the very first deployment, where the workflow continues.
    expect((await run("rollout", ["100"])).status).toBe(0);
    // As after a deployment that failed before it shared anything: nothing is taken back twice.
    expect([(await run("rollout", ["back"])).status, shares()]).toEqual([0, ["1: 100"]]);
    api.close();
  },
);

test(
  "the release that runs is named: during a rollout and after going back the one before",
  { timeout: 900_000 },
  async () => {
    const uploads = new CloudflareUploads();
    const api = await startCloudflareApi({ databases: [worker], secrets, uploads });
    const output = join(mkdtempSync(join(tmpdir(), "foyer-workflow-")), "output");
    const env = { CLOUDFLARE_API_TOKEN: "token", CLOUDFLARE_API_BASE_URL: api.url, GITHUB_OUTPUT: output };
    const site = { PUBLIC_ORIGIN: "https://shop.example", MAIL_FROM: "Shop <hello@shop.example>" };
    const deploy = (release: string, ...args: string[]) =>
      runScript("scripts/deploy/deploy.ts", ["--dirty", ...args], { ...env, ...site, SENTRY_RELEASE: release });
    const rollout = (order: string) => runScript("scripts/deploy/rollout.ts", [order], env);
    expect(await rollout("release")).toMatchObject({
      status: 0,
      output: expect.stringContaining("Nothing is deployed"),
    });
    await deploy("first");
    await deploy("second", "--share", "10");
    expect((await rollout("release")).output.trim()).toBe("first");
    await rollout("back");
    expect((await rollout("release")).output.trim()).toBe("first");
    await deploy("third");
    expect((await rollout("release")).output.trim()).toBe("third");
    const named = readFileSync(output, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("release="));
    expect(named).toEqual(["first", "first", "third"].map((release) => `release=${release}`));
    api.close();
  },
);

test(
  "a release is the commit that is checked out, also when the one that runs is deployed again after going back",
  { timeout: 900_000 },
  async () => {
    const api = await startCloudflareApi({ databases: [worker], secrets, uploads: new CloudflareUploads() });
    const clone = mkdtempSync(join(tmpdir(), "foyer-clone-"));
    const git = (...args: string[]) => execFileSync("git", ["-C", clone, ...args], { encoding: "utf8" }).trim();
    git("init", "--quiet");
    const env = {
      CLOUDFLARE_API_TOKEN: "token",
      CLOUDFLARE_API_BASE_URL: api.url,
      PUBLIC_ORIGIN: "https://shop.example",
      MAIL_FROM: "Shop <hello@shop.example>",
      GIT_DIR: join(clone, ".git"),
      GIT_WORK_TREE: clone,
    };
    const commit = (text: string) => {
      git("-c", "user.name=Ada", "-c", "user.email=ada@shop.example", "commit", "--quiet", "--allow-empty", "-m", text);
      return git("rev-parse", "HEAD");
    };
    const deploy = (...args: string[]) => runScript("scripts/deploy/deploy.ts", args, env);
    const release = async () => (await runScript("scripts/deploy/rollout.ts", ["release"], env)).output.trim();
    const first = commit("First");
    expect((await deploy()).problems).toEqual([]);
    commit("Second");
    await deploy("--share", "10");
    await runScript("scripts/deploy/rollout.ts", ["back"], env);
    expect(await release()).toBe(first);
    git("checkout", "--quiet", first);
    await deploy();
    expect(await release()).toBe(first);
    writeFileSync(join(clone, "product.config.ts"), "");
    await deploy("--dirty");
    expect(await release()).toContain("without SENTRY_RELEASE");
    api.close();
  },
);

test(
  "a Worker with secrets alone gets its first version for all requests, and one at workers.dev every version",
  { timeout: 900_000 },
  async () => {
    const uploads = new CloudflareUploads();
    // As wrangler makes it for the first secret: a deployed version without code and variables.
    uploads.answer("PUT", `/workers/scripts/${worker}`, "");
    const api = await startCloudflareApi({ databases: [worker], secrets, uploads });
    const env = {
      CLOUDFLARE_API_TOKEN: "token",
      CLOUDFLARE_API_BASE_URL: api.url,
      MAIL_FROM: "Shop <hello@shop.example>",
    };
    const deploy = () => runScript("scripts/deploy/deploy.ts", ["--dirty", "--share", "10"], env);
    const first = await deploy();
    const { deployments = [] } = uploads.workers.get(worker) ?? {};
    expect(first.output).toContain("all requests go to it, without --share");
    expect(deployments.at(-1)?.versions).toEqual([expect.objectContaining({ percentage: 100 })]);
    expect(deployments).toHaveLength(2);
    const second = await deploy();
    api.close();
    expect([second.status, second.problems]).toEqual([1, [expect.stringContaining("no rule keeps a visitor")]]);
  },
);

test(
  "after a share that failed, no secret is set until the release that runs is deployed again, and all commands say so",
  { timeout: 900_000 },
  async () => {
    const uploads = new CloudflareUploads();
    const api = await startCloudflareApi({ databases: [worker], secrets, uploads });
    const env = {
      CLOUDFLARE_API_TOKEN: "token",
      CLOUDFLARE_API_BASE_URL: api.url,
      PUBLIC_ORIGIN: "https://shop.example",
      MAIL_FROM: "Shop <hello@shop.example>",
    };
    const run = (script: string, ...args: string[]) => runScript(`scripts/${script}.ts`, args, env);
    const saved = join(mkdtempSync(join(tmpdir(), "foyer-secrets-")), "secrets.json");
    const warning = expect.stringContaining("Cloudflare sets no secret now");
    expect((await run("deploy/deploy", "--dirty")).problems).toEqual([]);
    uploads.refusesShares = true;
    expect(await run("deploy/deploy", "--dirty", "--share", "10")).toMatchObject({ status: 1, output: warning });
    uploads.refusesShares = false;
    expect(await run("deploy/rollout", "back")).toMatchObject({ status: 0, output: warning });
    const refused = await run("secrets/secrets", "--save", saved);
    expect([refused.status, refused.output]).toEqual([
      1,
      expect.stringContaining("deploy the release that runs again"),
    ]);
    expect(existsSync(saved)).toBe(false);
    await run("deploy/deploy", "--dirty");
    expect(await run("deploy/rollout", "back")).toMatchObject({
      status: 0,
      output: expect.not.stringMatching("secret"),
    });
    expect((await run("secrets/secrets", "--save", saved)).status).toBe(0);
    expect(Object.keys(api.values)).toEqual(["OPERATOR_TOKEN"]);
    api.close();
  },
);

test.each([
  ["npm run deploy", []],
  ["npm run deploy -- --to staging", ["--to", "staging"]],
  ["npm run deploy -- --to preview --branch fix/door", ["--to", "preview", "--branch", "fix/door"]],
])("%s is what follows, after going back by %j", async (next, to) => {
  const uploads = new CloudflareUploads();
  const { name } = configFor({ ...config }, readTarget(to[1] ?? "production", "fix/door"));
  const share = (...percentages: number[]) => {
    const versions = percentages.map((percentage, index) => ({
      version_id: uploads.workers.get(String(name))?.versions[index]?.id,
      percentage,
    }));
    uploads.answer("POST", `/workers/scripts/${name}/deployments`, JSON.stringify({ versions }));
  };
  uploads.answer("PUT", `/workers/scripts/${name}`, "");
  uploads.answer("POST", `/workers/scripts/${name}/versions`, "");
  share(90, 10);
  const api = await startCloudflareApi({ secrets, uploads });
  const env = { CLOUDFLARE_API_TOKEN: "token", CLOUDFLARE_API_BASE_URL: api.url };
  const rollout = (order: string) => runScript("scripts/deploy/rollout.ts", [...to, order], env);
  expect((await rollout("back")).output).toMatch(new RegExp(`, and ${next}$`, "m"));
  const listed = to.length > 0 ? `list --name ${name}` : "list";
  expect((await rollout("back")).output).toMatch(new RegExp(`versions ${listed} has .*\\n.*, and ${next}$`, "m"));
  expect((await rollout("50")).output).toMatch(new RegExp(`: ${next} ${to.length > 0 ? "" : "-- "}--share 10 begins`));
  api.close();
});

test("an address isn't moved for a share of the requests", async () => {
  const { output, status } = await runScript("scripts/deploy/deploy.ts", ["--share", "10", "--move-origin"]);
  expect([status, output]).toEqual([1, expect.stringContaining("leave it out with --move-origin")]);
});

test("without an answer from Cloudflare no version is shared, or given to everyone, and wrangler's message is shown", async () => {
  const uploads = new CloudflareUploads();
  const deployed = { [worker]: "https://shop.example" };
  const api = await startCloudflareApi({ databases: [worker], secrets, uploads, deployed, broken: /\/deployments$/ });
  const env = {
    CLOUDFLARE_API_TOKEN: "token",
    CLOUDFLARE_API_BASE_URL: api.url,
    PUBLIC_ORIGIN: "https://shop.example",
    MAIL_FROM: "Shop <hello@shop.example>",
  };
  const shared = await runScript("scripts/deploy/deploy.ts", ["--dirty", "--share", "10"], env);
  const rolled = await runScript("scripts/deploy/rollout.ts", ["back"], env);
  api.close();
  const why = /can't be listed\. .*\/deployments\) failed\. Try again later \[code: 10013\]/;
  expect([shared.status, shared.problems], shared.output).toEqual([1, [expect.stringMatching(why)]]);
  expect([rolled.status, rolled.output]).toEqual([1, expect.stringMatching(why)]);
  expect(uploads.workers.size).toBe(0);
});

test.each(["--help", "-h"])("rollout %s says how it is used, and is no failure", async (option) => {
  const { output, status } = await runScript("scripts/deploy/rollout.ts", [option]);
  expect([status, output]).toEqual([
    0,
    expect.stringMatching(/^npm run rollout -- .*SHARE\|back\|failing\|watch\|release$/m),
  ]);
});

test.each([[["--moon"]], [[]], [["0"]], [["101"]], [["most"]], [["50", "back"]], [["watch", "--minutes", "0"]]])(
  "rollout %j says how it is used",
  async (args) => {
    const { output, status } = await runScript("scripts/deploy/rollout.ts", args);
    expect(output).toContain("npm run rollout --");
    expect(status).toBe(1);
  },
);

test("a site that doesn't answer has no cron jobs that fail, and the workflow continues", async () => {
  const { output, status } = await runScript("scripts/deploy/rollout.ts", ["failing"], {
    PUBLIC_ORIGIN: "http://127.0.0.1:9",
  });
  expect([status, output.trim()]).toEqual([0, ""]);
});
