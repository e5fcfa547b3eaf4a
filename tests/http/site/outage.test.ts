import { describe, expect, test } from "vitest";
import { verifyMessages } from "#app/routes/verify/messages.ts";
import { askForCode, typeCode } from "#tests/support/clients/customers.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import { anyNumbersIn } from "#tests/support/clients/message-patterns.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";

const messages = verifyMessages.en;
const { late, failed } = messages.heldUp;
const timeLeft = anyNumbersIn(messages.timeLeft(61));

let struckAt = Date.now();

const site = useSite({ stripe: false });

/** The clock of the cron endpoint, which only moves forward, and never lags behind the site's own on a slow machine. */
async function runCronAfter(minutes: number): Promise<void> {
  struckAt = Math.max(struckAt, Date.now()) + minutes * 60_000;
  await site.runCron(struckAt);
}

async function count(sql: string): Promise<number> {
  const database = await site.database();
  return (await database.prepare(sql).first<number>("n")) ?? 0;
}

describe("with email down", () => {
  test("sign-up reports it, creates no unusable account, and continues once email is back", async () => {
    const address = "patient@example.com";
    const visitor = site.visitor();
    await site.setEmail("down");
    await visitor.open("/signup");
    await askForCode(visitor, address);
    expect([visitor.status, visitor.heading()]).toEqual([200, messages.title["sign-up"]]);
    // The attempt and its failure come after the answer.
    await expect.poll(async () => (await visitor.open(visitor.url)).text()).toContain(late.title);
    expect(visitor.text()).toContain(late.lead(address));
    expect(visitor.text()).not.toMatch(timeLeft);
    expect(await count("select count(*) as n from accounts")).toBe(0);

    await visitor.press(late.resend);
    expect([visitor.status, visitor.heading()]).toEqual([200, messages.title["sign-up"]]);
    expect(visitor.text()).toContain(late.title);
    await runCronAfter(2);
    expect(await count("select count(*) as n from codes")).toBe(1);
    expect(await count("select count(*) as n from emails where state = 'queued' and tries = 2")).toBe(1);

    await site.setEmail("up");
    await runCronAfter(3);
    const code = await site.codeTo(address);
    await visitor.open(visitor.url);
    expect(visitor.text()).not.toContain(late.title);
    expect(visitor.text()).toMatch(timeLeft);
    await typeCode(visitor, code);
    expect(visitor.path()).toBe("/settings");
    expect(await count("select count(*) as n from accounts")).toBe(1);
    expect(await site.emailsTo(address)).toHaveLength(1);
  });

  test("an email that finally failed is reported, and another one can be requested", async () => {
    const address = "unlucky@example.com";
    const visitor = site.visitor();
    await site.setEmail("down");
    await visitor.open("/login");
    await askForCode(visitor, address);
    await expect.poll(async () => (await visitor.open(visitor.url)).text()).toContain(late.title);
    for (const minutes of [1, 2, 5, 15, 60, 180, 720]) await runCronAfter(minutes);
    await visitor.open(visitor.url);
    expect(visitor.text()).toContain(failed.title);
    await site.setEmail("up");
    // The half minute between two emails has passed for the clock of the cron endpoint alone.
    await (await site.database()).exec("delete from quota_uses");
    await visitor.press(messages.resend);
    expect(visitor.text()).not.toContain(failed.title);
    const [email] = await site.emailsTo(address);
    expect(email?.subject).toMatch(subjectOf("no-account"));
  });
});
