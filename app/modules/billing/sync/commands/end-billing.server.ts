import { isSubscriptionEnded } from "#app/core/stripe/states.ts";
import type { CustomerId } from "#app/core/stripe/ids.ts";
import type { AccountId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { Billing } from "#app/app.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { isMissing } from "#app/core/stripe/provider-refusal.ts";
import type { ProviderFailure } from "#app/modules/billing/subscriptions/provider.rules.ts";
import { noticeEndsAt } from "#app/modules/billing/subscriptions/notice.rules.ts";
import { findRenewedUntil } from "#app/modules/billing/orders/changes.queries.server.ts";
import { runningSubscription } from "#app/modules/billing/subscriptions/rules.ts";
import { findCustomer, listSubscriptions } from "#app/modules/billing/subscriptions/queries.server.ts";
import { type Deps, reconcileCustomer } from "./reconcile-customer.server.ts";
import { changeOrderState } from "#app/modules/billing/orders/states.queries.server.ts";
import { findOpenChoice } from "#app/modules/billing/orders/queries.server.ts";

type Payments = NonNullable<Deps["payments"]>;

/** A payment that is processing can't be cancelled: the customer would be charged even if the plan ended. */
export type EndBillingRefusal = ProviderFailure | { reason: "payment-in-process" };

/**
 * Immediately ends everything that could charge an account again, at Stripe first: open checkouts and running plans. Nothing counts as
 * ended unless Stripe confirms it. A later refusal doesn't undo what was ended, and calling this again is safe.
 */
export async function endBilling(app: Deps, accountId: AccountId): Promise<Result<null, EndBillingRefusal>> {
  const { db, payments } = app;
  const [customer] = await findCustomer(db, accountId);
  if (customer && !payments) return refused({ reason: "not-on-sale" });
  if (customer && payments) {
    const ended = await endAtProvider(app, payments, customer);
    if (!ended.ok) return ended;
  }
  const {
    openChoice: [open],
    subscriptions,
  } = await batchNamed(db, {
    openChoice: findOpenChoice(db, accountId),
    subscriptions: listSubscriptions(db, accountId),
  });
  // If a payment arrived while the checkout was being closed, the next call ends the plan that it started.
  const stillRuns = runningSubscription(subscriptions) !== null;
  if (open?.state === "processing" || (stillRuns && customer)) return refused({ reason: "payment-in-process" });
  if (open) await db.batch(changeOrderState(db, open.id, { to: "cancelled", failure: null }, app.clock()));
  return done(null);
}

/** Ends things at Stripe, then syncs once more so that our rows match. */
async function endAtProvider(
  app: Deps,
  payments: Payments,
  customer: { accountId: AccountId; providerId: CustomerId },
): Promise<Result<null, EndBillingRefusal>> {
  const fetched = await payments.fetchBilling(customer.providerId);
  // A customer deleted at Stripe can't be charged.
  if (!fetched.ok) return isMissing(fetched.refusal) ? done(null) : fetched;
  if (fetched.value.payments.some((payment) => payment.state === "processing")) {
    return refused({ reason: "payment-in-process" });
  }
  const [renewed] = await findRenewedUntil(app.db, customer.accountId);
  const notice = { renewedUntil: renewed?.until ?? null, now: app.clock() };
  for (const end of endings(app, payments, { billing: fetched.value, notice })) {
    const ended = await end();
    if (!ended.ok) return ended;
  }
  const reconciled = await reconcileCustomer(app, customer.accountId, { isClosing: true });
  if (reconciled.ok || reconciled.refusal.reason === "no-customer") return done(null);
  return refused(reconciled.refusal);
}

type Found = { billing: Billing; notice: Parameters<typeof noticeEndsAt>[2] };

/**
 * Checkouts first: once closed, a checkout can't start a plan any more. A year that its owner could end with notice ends at once, and as much
 * of it is refunded as if it had been cancelled.
 */
function endings({ product }: Pick<Deps, "product">, payments: Payments, { billing, notice }: Found) {
  const open = billing.checkouts.filter((checkout) => checkout.state === "open");
  const running = billing.subscriptions.filter(({ status }) => !isSubscriptionEnded(status));
  return [
    ...open.map(
      ({ id }) =>
        () =>
          payments.expireCheckout(id),
    ),
    ...running.map((subscription) => {
      const { id, status, sold, periodEndsAt, endsByNotice } = subscription;
      const mayGiveNotice = status === "active" && sold !== null && !endsByNotice;
      const noticeUntil = mayGiveNotice
        ? noticeEndsAt({ interval: sold.interval, periodEndsAt }, product, notice)
        : null;
      return () => (noticeUntil === null ? payments.endSubscription(id) : payments.endWithNotice(id, noticeUntil));
    }),
  ];
}
