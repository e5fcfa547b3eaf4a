import { afterAll, beforeAll, expect, test } from "vitest";
import { runEmulator } from "#tests/support/site/run-emulator.ts";
import { type Site, startSite } from "#tests/support/site/site.ts";

/** In a local run, the page that waits for a code links to the emulator's page of the newest email. */
let site: Site;
let emulator: Awaited<ReturnType<typeof runEmulator>>;
beforeAll(async () => {
  site = await startSite();
  emulator = await runEmulator("plain", { SITE_ORIGIN: site.origin });
});
afterAll(async () => {
  await emulator.close();
  await site.close();
});

async function askForCode(address: string): Promise<string> {
  const visitor = site.visitor();
  await visitor.open("/signup");
  await visitor.post({ email: address, terms: "on" });
  return visitor.html;
}

const mailbox = async (query = "") => (await fetch(`${emulator.origin}/mailbox${query}`)).text();

test("/verify links to it, and it shows the newest email with its links, and the others", async () => {
  expect(await mailbox()).not.toContain("@example.com");
  expect(await askForCode("ada@example.com")).toContain(`href="${site.stripe?.origin}/mailbox"`);
  const first = await site.codeTo("ada@example.com");
  expect(await mailbox()).toContain(first);
  await askForCode("bea@example.com");
  const second = await site.codeTo("bea@example.com");
  const shown = await mailbox();
  const [letter = "", others = ""] = shown.split("<h2>Other");
  expect(letter).toContain(`code=${second}"`);
  expect(letter).not.toContain(first);
  const [, older = ""] = /href="\/mailbox(\?email=[^"]+)"/.exec(others) ?? [];
  expect(await mailbox(older.replaceAll("&amp;", "&"))).toContain(`code=${first}"`);
});

test("its pages run no script, and show neither a lost email nor a site that isn't there as an error", async () => {
  const answer = await fetch(`${emulator.origin}/mailbox?email=gone`);
  expect([answer.status, answer.headers.get("content-security-policy")]).toEqual([
    200,
    expect.stringContaining("default-src 'none'"),
  ]);
  const alone = await runEmulator("plain", { SITE_ORIGIN: "http://127.0.0.1:9" });
  try {
    expect((await fetch(`${alone.origin}/mailbox`)).status).toBe(200);
  } finally {
    await alone.close();
  }
});

test("a site without the emulator has neither the link nor the page", async () => {
  const deployed = await startSite({ stripe: false });
  try {
    const visitor = deployed.visitor();
    await visitor.open("/signup");
    await visitor.post({ email: "ada@example.com", terms: "on" });
    expect(visitor.path()).toContain("/verify");
    expect(visitor.html).not.toContain("/mailbox");
    expect((await deployed.fetch("/mailbox")).status).toBe(404);
  } finally {
    await deployed.close();
  }
});
