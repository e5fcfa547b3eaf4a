import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyMessages } from "#app/routes/verify/messages.ts";
import { product } from "#app/product/config.ts";
import { askForCode, typeCode } from "#tests/support/clients/customers.ts";
import { type Site, startSite } from "#tests/support/site/site.ts";

let site: Site;
let struckAt = Date.now();

beforeAll(async () => {
  site = await startSite({ stripe: false });
});
afterAll(() => site.close());

/** The clock of the cron endpoint, which only moves forward. */
async function runCronAfter(minutes: number): Promise<void> {
  struckAt += minutes * 60_000;
  await site.runCron(struckAt);
}

async function count(sql: string): Promise<number> {
  const database = await site.database();
  return (await database.prepare(sql).first<number>("n")) ?? 0;
}

describe("with mail down", () => {
  test("sign-up says so, keeps no unusable account, and continues where it was once mail is back", async () => {
    const address = "patient@example.com";
    const visitor = site.visitor();
    await site.turnMail("down");
    await visitor.open("/signup");
    await askForCode(visitor, address);
    expect([visitor.status, visitor.heading()]).toEqual([200, "Confirm your address"]);
    // The attempt and its failure come after the answer.
    await expect.poll(async () => (await visitor.open(visitor.url)).text()).toContain("Our mail is slow at the moment");
    expect(visitor.text()).toContain(verifyMessages.en.heldUp.late.lead(address));
    expect(visitor.text()).not.toContain("Valid for another");
    expect(await count("select count(*) as n from accounts")).toBe(0);

    await visitor.press("Try to send it now");
    expect([visitor.status, visitor.heading()]).toEqual([200, "Confirm your address"]);
    expect(visitor.text()).toContain("Our mail is slow at the moment");
    await runCronAfter(2);
    expect(await count("select count(*) as n from codes")).toBe(1);
    expect(await count("select count(*) as n from mails where state = 'queued' and tries = 2")).toBe(1);

    await site.turnMail("up");
    await runCronAfter(3);
    const code = await site.codeTo(address);
    await visitor.open(visitor.url);
    expect(visitor.text()).not.toContain("Our mail is slow at the moment");
    expect(visitor.text()).toContain("Valid for another");
    await typeCode(visitor, code);
    expect(visitor.path()).toBe("/settings");
    expect(await count("select count(*) as n from accounts")).toBe(1);
    expect(await site.mailsTo(address)).toHaveLength(1);
  });

  test("an email that was given up is reported, and another one can be requested", async () => {
    const address = "unlucky@example.com";
    const visitor = site.visitor();
    await site.turnMail("down");
    await visitor.open("/login");
    await askForCode(visitor, address);
    await expect.poll(async () => (await visitor.open(visitor.url)).text()).toContain("Our mail is slow at the moment");
    for (const minutes of [1, 2, 5, 15, 60, 180, 720]) await runCronAfter(minutes);
    await visitor.open(visitor.url);
    expect(visitor.text()).toContain("Your mail could not be sent");
    await site.turnMail("up");
    // The half minute between two emails has passed for the clock of the cron endpoint alone.
    await (await site.database()).exec("delete from budget_uses");
    await visitor.press(verifyMessages.en.resendNew);
    expect(visitor.text()).not.toContain("Your mail could not be sent");
    const [mail] = await site.mailsTo(address);
    expect(mail?.subject).toBe(`There is no ${product.name} account here`);
  });
});
