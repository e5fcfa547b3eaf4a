import { featureTools } from "../../../scripts/features.ts";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { plainPagesMessages } from "#app/plain-pages.messages.ts";
import { readEmails } from "#tests/support/site/site.ts";
import { emailOf } from "#tests/support/clients/email-texts.ts";
import { DEBIT_FAILED, DECLINED, NOT_AUTHENTICATED } from "stripe-emulator/facts";
import { migrateLocal } from "../../../scripts/site/migrate-local.ts";
import { samples } from "../../../scripts/mail-preview/samples.ts";

function run(script: string, args: string[], env: Record<string, string> = {}) {
  const ended = spawnSync("node", [`scripts/${script}`, ...args], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  return { status: ended.status, output: ended.stdout + ended.stderr };
}

test("npm start stops with one message that names every missing value", () => {
  const ended = run("site/start.ts", ["--var", "CODE_PEPPER:", "--var", "VISIT_SECRET:", "--var", "MAIL_FROM:"]);
  expect(ended.status).toBe(1);
  expect(ended.output.match(/is missing/g)).toHaveLength(3);
  for (const name of ["CODE_PEPPER", "VISIT_SECRET", "MAIL_FROM"]) expect(ended.output).toContain(`${name} is missing`);
});

test("npm start reports that it is ready once everything runs, prints the addresses, and ends both processes at a signal", async () => {
  const port = 10_000 + (process.pid % 10_000) * 2;
  const folder = mkdtempSync(join(tmpdir(), "foyer-start-"));
  const started = spawn("npm", ["start", "--", "--port", String(port), "--persist-to", folder], { stdio: "pipe" });
  let output = "";
  started.stdout.on("data", (text) => (output += text));
  const answers = async (at: number, path: string) =>
    fetch(`http://localhost:${at}${path}`).then(
      (response) => response.status,
      () => null,
    );
  while ((await answers(port, "/healthz")) !== 200) await pause(200);
  expect(await answers(port + 1, "/control/health")).toBe(200);
  while (!output.includes("Ctrl-C")) await pause(50);
  for (const address of [port, port + 1]) expect(output).toContain(`http://localhost:${address}`);
  expect(output).toContain("/cdn-cgi/local/explorer");
  // A request from this clone reaches this site, which says so.
  const request = run("ops/ops.ts", ["numbers"]);
  expect([request.status, request.output]).toEqual([0, expect.stringContaining(`Asking http://localhost:${port}\n`)]);
  started.kill("SIGTERM");
  await once(started, "exit");
  expect([await answers(port, "/healthz"), await answers(port + 1, "/control/health")]).toEqual([null, null]);
}, 240_000);

test("plain wrangler dev serves an installed copy, and its emails link to the port in use", async () => {
  const port = 10_004 + (process.pid % 10_000) * 2;
  const folder = mkdtempSync(join(tmpdir(), "foyer-wrangler-"));
  const state = ["--local", "--persist-to", folder];
  const env = { ...process.env, WRANGLER_SEND_METRICS: "false" };
  await migrateLocal(folder);
  // Wrangler agrees that this is all.
  const list = spawnSync("npx", ["wrangler", "d1", "migrations", "list", "DB", ...state], { encoding: "utf8", env });
  expect(list.stdout).toContain("No migrations to apply");
  // With any configured gate, a visitor can sign up here.
  const gate = ["--var", "LAUNCH_GATE:none"];
  const args = ["wrangler", "dev", "--port", String(port), "--inspector-port", "0", "--persist-to", folder, ...gate];
  const started = spawn("npx", args, { stdio: "ignore", env, detached: true });
  try {
    const origin = `http://localhost:${port}`;
    const isReady = () =>
      fetch(`${origin}/`)
        .then(({ ok }) => ok)
        .catch(() => false);
    while (!(await isReady())) await pause(200);
    const body = new URLSearchParams({ email: "somebody@example.com", terms: "on" });
    const request = await fetch(`${origin}/signup`, {
      method: "POST",
      headers: { Origin: origin },
      body,
      redirect: "manual",
    });
    expect(request.status).toBe(303);
    const [email] = await readEmails(origin, "somebody@example.com", 1);
    expect(email?.text).toContain(`${origin}/verify?`);
  } finally {
    if (started.pid !== undefined) process.kill(-started.pid, "SIGTERM");
  }
}, 240_000);

test("npm start reports a catalogue that can't be filled, and leaves no process running", async () => {
  const port = 10_002 + (process.pid % 10_000) * 2;
  const folder = mkdtempSync(join(tmpdir(), "foyer-start-"));
  const ended = run("site/start.ts", [
    "--port",
    String(port),
    "--persist-to",
    folder,
    "--var",
    "STRIPE_SECRET_KEY:not-a-key",
  ]);
  expect(ended.status).toBe(1);
  expect(ended.output).toContain("Stripe refused");
  for (const address of [port, port + 1]) {
    await expect(fetch(`http://localhost:${address}/`)).rejects.toThrow();
  }
}, 240_000);

test.each([
  [[], "npm run ops -- COMMAND"],
  [["frob"], 'There is no command "frob".'],
  [["person"], "npm run ops -- person WHO…"],
  [["decide", "ent_1", "clear"], "npm run ops -- decide ID DECISION REASON…"],
  [["invite", "3", "5"], "npm run ops -- invite N"],
  [["numbers", "please"], "npm run ops -- numbers takes nothing more"],
  [["numbers", "--frob"], "Unknown option '--frob'"],
])("npm run ops %j makes no call, and prints what it needs", (args, output) => {
  const ended = run("ops/ops.ts", args, { PUBLIC_ORIGIN: "http://nobody.invalid" });
  expect([ended.status, ended.output.includes("doesn't answer")]).toEqual([1, false]);
  expect(ended.output).toContain(output);
});

describe("npm run mail:preview", () => {
  const emails = Object.entries(samples).flatMap(([template, contents]) =>
    contents.map((content, index) => ({ name: index === 0 ? template : `${template}-${index + 1}`, content })),
  );
  const names = emails.map(({ name }) => name);

  test("writes a page for every email, in both schemes and as text, and an index that links to each", () => {
    const folder = join(mkdtempSync(join(tmpdir(), "foyer-mails-")), "pages");
    const ended = run("mail-preview/mail-preview.ts", ["--out", folder]);
    expect([ended.status, ended.output]).toEqual([0, `${names.length * 4 + 1} files in ${folder}: open index.html\n`]);
    const kinds = [".html", ".light.html", ".dark.html", ".txt"];
    const expected = ["index.html", ...names.flatMap((name) => kinds.map((kind) => name + kind))];
    expect(readdirSync(folder).toSorted()).toEqual(expected.toSorted());
    const read = (name: string) => readFileSync(join(folder, name), "utf8");
    const index = read("index.html");
    const headings = [
      "Account",
      ...featureTools.flatMap(({ emails: own }) => own?.title ?? []),
      "Orders",
      "Plan",
      "Usage",
      "Friends",
    ];
    const parts = index.split("<h2>").slice(1);
    expect(parts.map((part) => part.slice(0, part.indexOf("<")))).toEqual(headings);
    expect(parts.map((part) => part.split("<article>").length - 1).reduce((sum, count) => sum + count)).toBe(
      names.length,
    );
    for (const { name, content } of emails) {
      for (const kind of kinds) expect(index).toContain(`href="${name}${kind}"`);
      for (const frame of [`${name}.light.html`, `${name}.dark.html`]) expect(read(`${name}.html`)).toContain(frame);
      expect(read(`${name}.light.html`)).toContain("@media not all");
      expect(read(`${name}.dark.html`)).toMatch(/@media all \{\s+body, \.paper \{ background: #161310/);
      expect(read(`${name}.txt`)).toContain(emailOf(content).reason);
    }
  });

  test("serves them on loopback, prints the address, and ends at Ctrl-C", async () => {
    const started = spawn("npm", ["run", "--silent", "mail:preview", "--", "--port", "0"], { stdio: "pipe" });
    const [output] = await once(started.stdout, "data");
    const address = /http:\/\/localhost:\d+/.exec(String(output))?.[0] ?? "nowhere";
    const index = await (await fetch(address)).text();
    expect(index).toContain(`${names.length} emails`);
    const page = await fetch(`${address}/receipt.html`);
    expect([page.status, (await fetch(`${address}/../package.json`)).status]).toEqual([200, 404]);
    started.kill("SIGINT");
    const [code] = await once(started, "exit");
    expect(code).toBe(0);
    await expect(fetch(address)).rejects.toThrow();
  });

  test("refuses unknown arguments", () => {
    expect(run("mail-preview/mail-preview.ts", ["--send"])).toMatchObject({ status: 1 });
    expect(run("mail-preview/mail-preview.ts", ["--port", "many"]).output).toContain("--port takes a number");
  });
});

describe("the built Worker", () => {
  const scripts = readdirSync("build", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js") && !name.includes(".wrangler"))
    .map((name) => ({ name, text: readFileSync(`build/${name}`, "utf8") }));
  const containing = (text: string) => scripts.filter((script) => script.text.includes(text)).map(({ name }) => name);

  test("contains nothing of the Stripe emulator, neither on the server nor in the browser", () => {
    // A control: the search finds a sentence of the Worker's entry.
    expect(containing(plainPagesMessages.en.unmigrated.title)).not.toEqual([]);
    for (const { message } of [DECLINED, NOT_AUTHENTICATED, DEBIT_FAILED]) expect(containing(message)).toEqual([]);
    expect(scripts.filter(({ name }) => name.includes("stripe-emulator"))).toEqual([]);
  });

  test("is a production build, whatever started it", () => {
    expect(containing("Each child in a list should have a unique")).toEqual([]);
  });
});
