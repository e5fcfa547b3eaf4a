import { describe, expect, test } from "vitest";
import { decideUnpaidPlans } from "./unpaid-plans.rules.ts";

type Facts = Parameters<typeof decideUnpaidPlans>[0];
type Invoice = Facts["invoices"][number];

const subscription = { id: "sub_1", status: "unpaid", collection: "automatic" } as const;
const debt: Invoice = {
  id: "in_debt",
  state: "open",
  billingReason: "renewal",
  createdAt: 1,
  goesOutAt: null,
  paymentIds: ["pi_1"],
  subscriptionId: "sub_1",
};
const draft: Invoice = { ...debt, id: "in_draft", state: "draft", createdAt: 2, paymentIds: [] };
const failed = { id: "pi_1", state: "failed" } as const;
const facts: Facts = { subscriptions: [subscription], invoices: [draft, debt], payments: [failed] };

const ends = [{ kind: "ends", subscriptionId: "sub_1" }];
const renews = (invoiceId: string) => [{ kind: "renews", subscriptionId: "sub_1", invoiceId }];

describe("an unpaid plan", () => {
  test.each<[string, Facts, ReturnType<typeof renews> | typeof ends | []]>([
    ["whose next period has begun ends", facts, ends],
    ["continues until then", { ...facts, invoices: [debt] }, []],
    ["isn't ended by a draft from before its debt", { ...facts, invoices: [debt, { ...draft, createdAt: 0 }] }, []],
    [
      "isn't charged for a draft from before its debt, also once that was given up",
      {
        ...facts,
        invoices: [
          { ...debt, state: "void" },
          { ...draft, createdAt: 0 },
        ],
      },
      [],
    ],
    [
      "is collected if its debt was paid",
      { ...facts, invoices: [draft, { ...debt, state: "paid" }] },
      renews("in_draft"),
    ],
    [
      "is collected if its debt was given up",
      { ...facts, invoices: [draft, { ...debt, state: "void" }] },
      renews("in_draft"),
    ],
    [
      "is collected for its newest period alone",
      { ...facts, invoices: [draft, { ...draft, id: "in_newest", createdAt: 3 }] },
      renews("in_newest"),
    ],
    ["waits while a bank decides", { ...facts, payments: [{ ...failed, state: "processing" }] }, []],
    ["isn't kept by another debt's payment", { ...facts, payments: [{ id: "pi_2", state: "processing" }] }, ends],
    ["is left alone on hold", { ...facts, subscriptions: [{ ...subscription, collection: "on-hold" }] }, []],
    ["is left alone while it is past due", { ...facts, subscriptions: [{ ...subscription, status: "past_due" }] }, []],
    ["waits for a draft that Stripe collects itself", { ...facts, invoices: [{ ...draft, goesOutAt: 3 }, debt] }, []],
    [
      "isn't decided by another plan's draft",
      { ...facts, invoices: [{ ...draft, subscriptionId: "sub_2" }, debt] },
      [],
    ],
  ])("%s", (_, given, verdicts) => {
    expect(decideUnpaidPlans(given)).toEqual(verdicts);
  });
});
