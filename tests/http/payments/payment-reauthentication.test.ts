import { paymentMessages } from "#app/routes/payment/messages.ts";
import { describe, expect, test } from "vitest";
import { type MoneyAction, moneyActions } from "#app/modules/billing/checkout/money-proof.rules.ts";
import { signUp, subscriber, typeCode } from "#tests/support/clients/customers.ts";
import { large, pages, small } from "#tests/support/billing/catalogue.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { useSiteWithDetour } from "#tests/http/stripe/failing-proxy.ts";
import { choose, confirmation } from "#tests/http/plans/subscribers.ts";

/** What a session of 89 days may do about payments: driven by the table of actions. */

const { site, detour } = useSiteWithDetour({ LAUNCH_GATE: "none" });

const upgradePath = "/settings/upgrade";
const changed = (plan: string, interval: string) => `${upgradePath}?plan=${plan}&interval=${interval}`;

/** The session stays, and its re-authentication is 89 days old. */
async function age(): Promise<void> {
  const database = await site.database();
  await database.exec("update sessions set proven_at = proven_at - 89 * 86400000");
  await database.exec("delete from quota_uses");
}

type Recipe = {
  who: (address: string) => Promise<Visitor>;
  before?: (visitor: Visitor) => Promise<unknown>;
  /** The form, as it is sent before a re-authentication, and after one. */
  run: (visitor: Visitor) => Promise<Visitor>;
  /** Where the re-authentication leads back to. */
  back?: string;
  /** It was carried out, as the page or Stripe's shows. */
  done: (visitor: Visitor) => void;
};

const post = (path: string, fields: Record<string, string>) => (visitor: Visitor) => visitor.post(fields, path);
const confirms = (visitor: Visitor) => visitor.post(confirmation(visitor), upgradePath);
const onPlan = (visitor: Visitor) => expect([visitor.path(), visitor.status]).toEqual([pages.plan, 200]);
const onPortal = (visitor: Visitor) => expect(visitor.url).toContain("/portal/");
const plansMonthly = async (visitor: Visitor) => {
  await choose(visitor, small.id, "month");
  await confirms(visitor);
};
const customer = (address: string) => subscriber(site, address);
const yearly = (address: string) => subscriber(site, address, { interval: "year" });

const recipes: Record<MoneyAction, Recipe[]> = {
  "first-payment": [
    {
      who: (address) => signUp(site, address),
      run: (visitor) => visitor.submit("quote"),
      done: (visitor) => expect(visitor.url).toContain("/checkout/"),
    },
  ],
  "change-charged-now": [
    {
      who: customer,
      before: (visitor) => choose(visitor, large.id),
      run: confirms,
      back: changed(large.id, "month"),
      done: (visitor) => expect(visitor.heading()).toBe(paymentMessages.en.pages.change.success.title),
    },
  ],
  "change-of-next-period": [
    { who: yearly, before: (visitor) => choose(visitor, small.id, "month"), run: confirms, done: onPlan },
  ],
  cancel: [{ who: customer, run: post(pages.plan, { intent: "cancel" }), done: onPlan }],
  resume: [
    {
      who: customer,
      before: post(pages.plan, { intent: "cancel" }),
      run: post(pages.plan, { intent: "resume" }),
      done: onPlan,
    },
  ],
  "undo-change": [
    { who: yearly, before: plansMonthly, run: post(pages.plan, { intent: "undo-change" }), done: onPlan },
  ],
  retry: [
    {
      who: customer,
      run: post(pages.plan, { intent: "retry" }),
      done: (visitor) => expect([visitor.path(), visitor.status]).toEqual([pages.plan, 409]),
    },
  ],
  "open-portal": [
    { who: customer, run: post(pages.plan, { intent: "update-card" }), back: pages.plan, done: onPortal },
    {
      who: customer,
      run: post(upgradePath, { intent: "use-card", plan: large.id }),
      back: changed(large.id, "month"),
      done: onPortal,
    },
  ],
  withdraw: [
    {
      who: customer,
      run: (visitor) => visitor.open("/withdraw"),
      done: (visitor) => expect([visitor.path(), visitor.status]).toEqual(["/withdraw", 200]),
    },
  ],
};

const rows = Object.entries(recipes).flatMap(([action, list]) =>
  list.map((recipe, nth) => ({ action, nth, recipe, reauthentication: moneyActions[action as MoneyAction] })),
);

describe("with a re-authentication of 89 days ago", () => {
  test.each(rows.filter(({ reauthentication }) => reauthentication === "any-session"))(
    "$action is carried out",
    async ({ action, nth, recipe }) => {
      const visitor = await recipe.who(`${action}-${nth}@example.com`);
      await recipe.before?.(visitor);
      await age();
      await recipe.run(visitor);
      recipe.done(visitor);
    },
  );

  test.each(rows.filter(({ reauthentication }) => reauthentication === "reauthentication"))(
    "$action ($nth) needs a new one first, changes nothing at Stripe, and continues where it was",
    async ({ action, nth, recipe }) => {
      const address = `${action}-${nth}@example.com`;
      const visitor = await recipe.who(address);
      await recipe.before?.(visitor);
      await age();
      const requestCount = detour.passed().length;
      await recipe.run(visitor);
      expect(visitor.path()).toMatch(/^\/verify\?request=/);
      expect(
        detour
          .passed()
          .slice(requestCount)
          .filter((call) => !call.startsWith("GET ")),
      ).toEqual([]);
      await typeCode(visitor, await site.codeTo(address, 2));
      expect([visitor.path(), visitor.status]).toEqual([recipe.back, 200]);
      await recipe.run(visitor);
      recipe.done(visitor);
    },
  );
});
