import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { queryOf, brokenInvariants } from "#tests/support/database/invariants.ts";
import { without } from "#tests/support/database/damage.ts";
import { type Site, startSite } from "#tests/support/site/site.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import { type Mishap, useSiteWithDetour } from "#tests/http/stripe/failing-proxy.ts";
import { setUpAccounts, aRegular, type Outcome } from "./test-accounts.ts";
import type { Step } from "./way.ts";
import { expectFinished, expectHonest, takeAll } from "./outcomes.ts";

/** The cron job syncs one account after the other, each with its own deadline, and no page waits for it. */
const isPage = ({ step }: Outcome) => step !== "run the cron job";

async function ruined(name: string, steps: { accounts: Step[]; regular: Step[] }): Promise<Outcome[]> {
  // Another user's requests meanwhile wait for nothing.
  const taken = await Promise.all([takeAll(steps.accounts), ...steps.regular.map((step) => takeAll([step]))]);
  const outcomes = taken.flat();
  expectHonest(name, outcomes.filter(isPage));
  const slowest = Math.round(Math.max(...outcomes.filter(isPage).map(({ ms }) => ms)));
  const refused = outcomes.filter(({ status }) => status === 503).map(({ step }) => step);
  console.warn(`${name}: slowest page ${slowest} ms, 503 for ${refused.join(", ") || "nothing"}`);
  return outcomes;
}

async function mended(site: Site, name: string, accounts: Awaited<ReturnType<typeof setUpAccounts>>, regular: Step[]) {
  await (await site.database()).exec("delete from quota_uses");
  const after = await takeAll([...accounts.steps, ...regular]);
  expect([name, after.filter(({ status }) => status >= 500)]).toEqual([name, []]);
  await expectFinished(site, name, accounts);
  expect(await brokenInvariants(queryOf(site))).toEqual({});
}

describe("a payment provider", () => {
  let regular: Awaited<ReturnType<typeof aRegular>>;

  const { site, detour } = useSiteWithDetour();
  beforeAll(async () => {
    regular = await aRegular(site, "regular@example.com");
  });
  afterEach(() => void detour.clear());

  const mishaps: [string, Mishap][] = [
    ["hangs", "held"],
    ["answers a byte at a time, without end", "dripped"],
    ["cuts its answers off", "cut"],
    ["cuts the connection before it does anything", "dropped"],
    ["does what it is asked and never says so", "lost"],
    ["answers 500", 500],
    ["answers 429", 429],
    ["answers with a page", "page"],
    ["answers with half a sentence", "garbled"],
    ["leads elsewhere", "elsewhere"],
  ];

  test.each(mishaps)(
    "that %s leads to a page within ten seconds, with a message and nothing half done; afterwards everything continues where it was",
    async (name, mishap) => {
      const accounts = await setUpAccounts(site, String(mishap));
      detour.plan(/./, mishap, "and-after");
      const outcomes = await ruined(name, { accounts: accounts.steps, regular: regular.steps });
      detour.clear();
      // A third-party service that fails is expected: it causes no unexpected error.
      expect([name, outcomes.filter(({ status }) => status === 500)]).toEqual([name, []]);
      expect(await brokenInvariants(queryOf(site))).toEqual({});
      await mended(site, name, accounts, regular.steps);
    },
  );
});

describe("an email service", () => {
  const site = useSite();
  let regular: Awaited<ReturnType<typeof aRegular>>;

  beforeAll(async () => {
    regular = await aRegular(site, "regular@example.com");
  });

  test("that is down prevents only emails, and loses none", async () => {
    const accounts = await setUpAccounts(site, "down");
    await site.setEmail("down");
    const outcomes = await ruined("email is down", { accounts: accounts.steps, regular: regular.steps });
    expect(outcomes.filter(({ status }) => status >= 500)).toEqual([]);
    const waiting = await queryOf(site)("select count(*) as n from emails where state = 'queued'");
    expect(Number(waiting[0]?.["n"])).toBeGreaterThan(5);
    await site.setEmail("up");
    for (const minutes of [3, 6, 12, 30]) await site.runCron(Date.now() + minutes * 60_000);
    expect(await queryOf(site)("select id from emails where state <> 'sent'")).toEqual([]);
    await mended(site, "email is back", accounts, regular.steps);
  });
});

describe("a diagnostics receiver", () => {
  let site: Site;
  let regular: Awaited<ReturnType<typeof aRegular>>;
  let behave: (answer: ServerResponse) => void = () => undefined;
  let requestCount = 0;
  const receiver = createServer((_, answer) => {
    requestCount += 1;
    behave(answer);
  });

  beforeAll(async () => {
    receiver.listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const address = receiver.address();
    const port = address !== null && typeof address !== "string" ? address.port : 0;
    site = await startSite({ vars: { SENTRY_DSN: `http://key@127.0.0.1:${port}/1`, SENTRY_TRACES_SAMPLE_RATE: "1" } });
    regular = await aRegular(site, "regular@example.com");
  });
  afterAll(async () => {
    await site.close();
    receiver.closeAllConnections();
    receiver.close();
  });

  test.each<[string, (answer: ServerResponse) => void]>([
    ["never answers", () => undefined],
    ["cuts the connection", (answer) => answer.destroy()],
    ["answers 500", (answer) => answer.writeHead(500).end("no")],
    ["answers a page", (answer) => answer.writeHead(200, { "content-type": "text/html" }).end("<h1>hello</h1>")],
    ["answers a byte at a time", (answer) => void setInterval(() => answer.write("x"), 500).unref()],
  ])("that %s doesn't affect a visitor, even if there is an error to report", async (name, behaviour) => {
    behave = behaviour;
    const accounts = await setUpAccounts(site, name.replaceAll(" ", "-"));
    const database = await site.database();
    const { does, mend } = without("referral_links");
    await database.exec(does);
    const outcomes = await ruined(name, { accounts: accounts.steps, regular: regular.steps });
    await database.exec(mend);
    expect(requestCount).toBeGreaterThan(0);
    // A page that waited for it would be slower than any of these.
    expect(outcomes.filter(isPage).filter(({ ms }) => ms > 5000)).toEqual([]);
    await mended(site, name, accounts, regular.steps);
  });
});
