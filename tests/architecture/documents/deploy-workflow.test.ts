import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { deployedVariables } from "../../../scripts/deploy/deployed-variables.ts";

const workflow = readFileSync(".github/workflows/deploy.yml", "utf8");
const [head = "", staging = "", production = ""] = workflow.split(/^ {2}(?:staging|production):$/m);

test("staging gets what was pushed to this repository's main, never a pull request from a branch of that name", () => {
  expect(staging).toContain("github.event.workflow_run.event == 'push'");
  expect(staging).toContain("github.event.workflow_run.head_repository.full_name == github.repository");
});

test("the account's token is given to steps that deploy, and to nothing that installs or runs code of packages", () => {
  expect(head).not.toContain("CLOUDFLARE_API_TOKEN");
  const steps = [staging, production].flatMap((job) => job.split(/^ {6}- /m));
  const withToken = steps.filter((step) => step.includes("secrets.CLOUDFLARE_API_TOKEN"));
  expect(withToken.map((step) => /npm run \w+/.exec(step)?.[0])).toEqual([
    "npm run deploy",
    "npm run rollout",
    "npm run rollout",
  ]);
  // In the step: an environment's own account isn't known before.
  for (const step of withToken) expect(step).toContain("CLOUDFLARE_ACCOUNT_ID: ${{ vars.CLOUDFLARE_ACCOUNT_ID }}");
});

test("production gets commits of main whose tests passed, by a tag that no release of the kit has", () => {
  expect(head).toContain('tags: ["production-*"]');
  expect(production.indexOf("gh run list --workflow ci.yml --branch main --event push")).toBeGreaterThan(0);
  expect(production.indexOf("gh run list")).toBeLessThan(production.indexOf("npm run deploy"));
});

test("a step that fails and a run that is cancelled take back what this run shared, and no other's roll-out", () => {
  const steps = production.split(/^ {6}- /m);
  const back = steps.find((step) => step.includes("npm run rollout -- back")) ?? "";
  expect(back).toContain("if: (failure() || cancelled()) && steps.share.outputs.version != ''\n");
  expect(back).toMatch(/npm run rollout -- back$/m);
  const share = steps.find((step) => step.includes("npm run deploy"));
  expect(share).toMatch(/^id: share$/m);
  expect(share).toContain("!endsWith(vars.PUBLIC_ORIGIN, '.workers.dev') && '--share 10'");
});

test("a deployment from GitHub can set what one by hand can", () => {
  // Of wrangler.toml, of the target, or of operators who know the tunnel: these stay as they are.
  const elsewhere = /^SENTRY_(ENVIRONMENT|RELEASE|TRACES|TUNNEL)/;
  const settable = deployedVariables.filter((name) => !elsewhere.test(name));
  expect(settable.filter((name) => !staging.includes(`${name}: \${{ vars.${name} }}`))).toEqual([]);
  expect(staging).toContain("env: &deployed");
  expect(production).toContain("env: *deployed");
});
