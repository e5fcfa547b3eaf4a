import { settingsMessages } from "#app/routes/settings/messages.ts";
import { beforeAll, expect, test } from "vitest";
import { dayMs, formatDay } from "#app/core/time/time.ts";
import { graceMs } from "#app/modules/billing/subscriptions/rules.ts";
import { product } from "#app/product/config.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { signUp } from "#tests/support/clients/customers.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { asShown } from "#tests/support/clients/html.ts";

/** What every page of the settings says of a plan whose payment is due. */
let visitor: Visitor;

const pages = [
  "/settings",
  "/settings/security",
  "/settings/notifications",
  "/settings/data",
  `/settings/${product.segment}/account`,
  `/settings/${product.segment}/plan`,
  `/settings/${product.segment}/settings`,
  "/settings/orders",
  "/settings/referral",
];
/** Says itself that nothing can be changed until the payment is made. */
const upgrade = "/settings/upgrade";

const site = useSite({ stripe: false });
beforeAll(async () => {
  visitor = await signUp(site, "due@example.com", "");
});

async function aPlan(state: string, since: number | null): Promise<void> {
  const db = await site.database();
  await db
    .prepare(
      `insert or replace into subscriptions (id, account_id, state, plan_id, interval, amount_minor, currency, started_at,
        period_ends_at, past_due_since, synced_at)
      select 'sub_due', id, ?1, '${small.id}', 'month', 600, 'EUR', 0, ?3, ?2, 0 from accounts`,
    )
    .bind(state, since, Date.now() + 30 * dayMs)
    .run();
}

async function pageTexts(): Promise<string[]> {
  const texts = [];
  for (const page of pages) {
    await visitor.open(page);
    texts.push(visitor.text());
  }
  return texts;
}

test("no notice is shown while the plan is paid", async () => {
  await aPlan("active", null);
  expect((await pageTexts()).filter((text) => text.includes(settingsMessages.en.due.link))).toEqual([]);
});

test("a notice on every page shows the day until which everything works, and the way to pay", async () => {
  const since = Date.now() - 3 * dayMs;
  await aPlan("past-due-grace", since);
  const until = asShown(formatDay(since + graceMs, product));
  const sentence = `${settingsMessages.en.due.text(false, until, product.lockedMeans)} ${settingsMessages.en.due.link}`;
  expect((await pageTexts()).filter((text) => !text.includes(sentence))).toEqual([]);
});

test.each(["past-due-locked", "unpaid"])(
  "a notice says that the plan is locked when it is %s, in at most two round trips to the database",
  async (state) => {
    await aPlan(state, Date.now() - 20 * dayMs);
    expect((await pageTexts()).filter((text) => !text.includes(product.lockedMeans))).toEqual([]);
    for (const page of [...pages, upgrade]) {
      const answer = await visitor.open(page);
      expect([page, /desc="(\d+)"/.exec(answer.headers.get("server-timing") ?? "")?.[1]]).toEqual([page, "2"]);
    }
  },
);
