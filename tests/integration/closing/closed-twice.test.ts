import { expect, test } from "vitest";
import { endBilling } from "#app/modules/billing/sync/commands/end-billing.server.ts";
import { openBillingHarness } from "#tests/support/billing/billing-harness.ts";

test("an account with an open checkout can be closed by several requests at once: each finds nothing left to end", async () => {
  const harness = await openBillingHarness();
  const begun = await harness.choose();
  const close = () => {
    const payments = harness.payments.withOwnDeadline();
    return endBilling({ ...harness.app, payments }, harness.accountId);
  };
  const answers = await Promise.all([close(), close(), close()]);
  expect(answers.map(({ ok }) => ok)).toEqual([true, true, true]);
  const session = new URL(begun.ok ? begun.value.url : "").pathname.split("/").at(-1) ?? "";
  expect((await harness.stripe.checkout.sessions.retrieve(session)).status).toBe("expired");
});
