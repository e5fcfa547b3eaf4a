import { afterEach, expect, test, vi } from "vitest";
import { openBillingHarness } from "#tests/support/billing/billing-harness.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** What a customer is at Stripe is read by several requests, and they may pay between any two. */
test.each(["subscriptions", "customers", "invoices", "payment_intents", "checkout/sessions"])(
  "a checkout that is paid by card just before its sync lists %s is never in process",
  async (listed) => {
    const harness = await openBillingHarness();
    const begun = await harness.choose();
    if (!begun.ok) throw new Error(begun.refusal.reason);
    await harness.reconcile();
    const { fetch } = globalThis;
    const read: string[] = [];
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const path = new URL(new Request(input, init).url).pathname;
      if (path.startsWith(`/v1/${listed}`) && !read.includes(listed)) {
        read.push(listed);
        await harness.leaveCheckout(begun.value.url, "paid");
      }
      return fetch(input, init);
    });
    await harness.reconcile();
    expect(read).toEqual([listed]);
    vi.restoreAllMocks();
    await harness.reconcile();
    const { orders, emails } = await harness.rows();
    expect(orders).toMatchObject([{ state: "paid" }]);
    expect(emails.map(({ template }) => template)).toEqual(["receipt"]);
  },
);
