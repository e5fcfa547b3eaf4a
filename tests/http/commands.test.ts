import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";

function run(script: string, args: string[], env: Record<string, string> = {}) {
  const ended = spawnSync("node", [`scripts/${script}.mjs`, ...args], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  return { status: ended.status, said: ended.stdout + ended.stderr };
}

describe("npm run deploy", () => {
  test("packs the production configuration without an account", () => {
    const ended = run("deploy", ["--dry-run"], {
      PUBLIC_ORIGIN: "https://tern.example",
      MAIL_FROM: "hello@tern.example",
    });
    expect(ended.said).toContain("--dry-run: exiting now.");
    expect(ended.said).toContain("env.DB (foyer)");
    expect(ended.status).toBe(0);
  });

  test("refuses with everything that is missing at once", () => {
    const ended = run("deploy", ["--dry-run"], { LAUNCH_GATE: "plan:golden" });
    expect(ended.status).toBe(1);
    for (const name of ["PUBLIC_ORIGIN", "MAIL_FROM", "LAUNCH_GATE"]) expect(ended.said).toContain(name);
  });
});

test("npm start stops with one message that names every missing value", () => {
  const ended = run("start", ["--var", "CODE_PEPPER:", "--var", "VISIT_SECRET:", "--var", "MAIL_FROM:"]);
  expect(ended.status).toBe(1);
  expect(ended.said.match(/is missing/g)).toHaveLength(3);
  for (const name of ["CODE_PEPPER", "VISIT_SECRET", "MAIL_FROM"]) expect(ended.said).toContain(`${name} is missing`);
});

test("npm start is healthy once everything stands, prints where to go, and ends both processes at a signal", async () => {
  const port = 10_000 + (process.pid % 10_000) * 2;
  const folder = mkdtempSync(join(tmpdir(), "foyer-start-"));
  const started = spawn("npm", ["start", "--", "--port", String(port), "--persist-to", folder], { stdio: "pipe" });
  let said = "";
  started.stdout.on("data", (text) => (said += text));
  const answers = async (at: number, path: string) =>
    fetch(`http://localhost:${at}${path}`).then(
      (response) => response.status,
      () => null,
    );
  while ((await answers(port, "/healthz")) !== 200) await pause(200);
  expect(await answers(port + 1, "/control/health")).toBe(200);
  while (!said.includes("Ctrl-C")) await pause(50);
  for (const address of [port, port + 1]) expect(said).toContain(`http://localhost:${address}`);
  expect(said).toContain("/cdn-cgi/local/explorer");
  started.kill("SIGTERM");
  await once(started, "exit");
  expect([await answers(port, "/healthz"), await answers(port + 1, "/control/health")]).toEqual([null, null]);
}, 90_000);

test("npm start that can't fill the catalogue says so and leaves nothing running", async () => {
  const port = 10_002 + (process.pid % 10_000) * 2;
  const folder = mkdtempSync(join(tmpdir(), "foyer-start-"));
  const ended = run("start", ["--port", String(port), "--persist-to", folder, "--var", "STRIPE_SECRET_KEY:not-a-key"]);
  expect(ended.status).toBe(1);
  expect(ended.said).toContain("Stripe refused");
  for (const address of [port, port + 1]) {
    await expect(fetch(`http://localhost:${address}/`)).rejects.toThrow();
  }
}, 90_000);

describe("the built Worker", () => {
  const scripts = readdirSync("build/server", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .map((name) => readFileSync(`build/server/${name}`));

  test("holds nothing of the local Stripe", () => {
    const page = readFileSync("workers/stripe-local/pages/html.ts", "utf8");
    expect(page).toContain("no real money");
    for (const script of scripts) expect(script.includes("no real money")).toBe(false);
  });

  test("is a production build, whoever ran it", () => {
    for (const script of scripts) expect(script.includes("Each child in a list should have a unique")).toBe(false);
  });

  test("stays under 400 kB gzip", () => {
    const bytes = scripts.reduce((sum, script) => sum + gzipSync(script, { level: 9 }).length, 0);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(400_000);
  });
});
