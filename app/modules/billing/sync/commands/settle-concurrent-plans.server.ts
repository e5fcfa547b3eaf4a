import type { InvoiceId, SubscriptionId } from "#app/core/stripe/ids.ts";
import type { App, Billing } from "#app/app.ts";
import { done, type Result } from "#app/core/result.ts";
import { findPlan } from "#app/modules/catalogue/rules.ts";
import { markEnded } from "#app/modules/billing/subscriptions/commands/reconcile-subscriptions.server.ts";
import type { ProviderFailure } from "#app/modules/billing/subscriptions/provider.rules.ts";
import { type Owed, supersededOwed } from "#app/modules/billing/withdrawals/contract.rules.ts";
import { decideConcurrentPlans, supersededSince } from "../concurrent-plans.rules.ts";
import { chargesOf } from "./match-orders.server.ts";
import { contractOf, type ContractFacts, refundFromCharges } from "./reconcile-contracts.server.ts";

type Deps = Pick<App, "clock" | "product" | "report"> & { payments: NonNullable<App["payments"]> };

/**
 * An account has one plan. If a team gives one in Stripe's dashboard, or two payments are made at the same moment, the newest stays: what
 * wasn't used of the others when it began is refunded, then they end, and open checkouts expire. Each refund has its own idempotency key and
 * the plan ends last, so that the next sync completes an interrupted one.
 */
export async function settleConcurrentPlans(
  app: Deps,
  billing: Billing,
  facts: ContractFacts,
): Promise<Result<null, ProviderFailure>> {
  const { superseded, kept, expired } = decideConcurrentPlans(
    billing,
    (planId) => findPlan(app.product, planId) !== null,
  );
  for (const id of superseded) {
    const subscription = billing.subscriptions.find((each) => each.id === id);
    if (!subscription || !kept) continue;
    const ended = await endSuperseded(app, billing, { subscription, since: kept.createdAt, facts });
    if (!ended.ok) return ended;
  }
  for (const id of expired) {
    const closed = await app.payments.expireCheckout(id);
    if (!closed.ok) return closed;
    const checkout = billing.checkouts.find((each) => each.id === id);
    // If it was paid first, its event causes another sync.
    if (checkout && closed.value === "ended") checkout.state = "expired";
  }
  return done(null);
}

/** What goes back of plans that ended because a newer one ran, by their ids: credit, and the money that Stripe refused to refund. */
export function owedOfSuperseded(
  app: Pick<Deps, "clock" | "product">,
  billing: Billing,
  facts: ContractFacts,
): ReadonlyMap<SubscriptionId, Owed<InvoiceId>> {
  const ended = billing.subscriptions.filter(({ endCause }) => endCause === "duplicate");
  return new Map(
    ended.flatMap((subscription) => {
      const supersededAt = supersededSince(subscription, billing.subscriptions);
      if (supersededAt === null) return [];
      const owed = supersededOwed(contractOf(app, subscription, billing, facts), { supersededAt });
      return [[subscription.id, owed] as const];
    }),
  );
}

type Superseded = { subscription: Billing["subscriptions"][number]; since: number; facts: ContractFacts };

async function endSuperseded(
  app: Deps,
  billing: Billing,
  { subscription, since, facts }: Superseded,
): Promise<Result<null, ProviderFailure>> {
  const { payments, report } = app;
  const owed = supersededOwed(contractOf(app, subscription, billing, facts), { supersededAt: since });
  for (const { id, amountMinor } of owed.money) {
    const invoice = billing.invoices.find((each) => each.id === id) ?? null;
    const charges = chargesOf({ invoice }, billing);
    const sent = await refundFromCharges(app, payments, { subscription, amountMinor }, charges);
    if (!sent.ok) return sent;
  }
  const ended = await payments.endUnpaid(subscription.id, "duplicate");
  if (!ended.ok && ended.refusal.reason === "provider-unreachable") return ended;
  if (!ended.ok) {
    // The rest of the sync doesn't depend on it.
    report(new Error(`${subscription.id} wasn't ended: ${ended.refusal.reason}`));
    return done(null);
  }
  markEnded(billing, subscription, ended.value);
  subscription.endCause = "duplicate";
  return done(null);
}
