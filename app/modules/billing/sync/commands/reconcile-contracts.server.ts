import { sumMinor } from "#app/core/money/money.ts";
import type { CustomerId, InvoiceId } from "#app/core/stripe/ids.ts";
import { isAlreadyRefunded } from "#app/core/stripe/provider-refusal.ts";
import type { App, Billing } from "#app/app.ts";
import { done, type Result } from "#app/core/result.ts";
import type { ProviderFailure } from "#app/modules/billing/subscriptions/provider.rules.ts";
import {
  declaredAtOf,
  type DeclaredWithdrawal,
  groupOrders,
} from "#app/modules/billing/withdrawals/contract-orders.rules.ts";
import {
  type ContractVerdict,
  type DatedOrder,
  decideContract,
  type Undone,
} from "#app/modules/billing/withdrawals/contract.rules.ts";
import { withdrawalEnd } from "#app/modules/billing/withdrawals/withdrawal-period.rules.ts";
import { chargesOf } from "./match-orders.server.ts";

type Deps = Pick<App, "clock" | "product" | "report">;
type Payments = NonNullable<App["payments"]>;
type Subscription = Billing["subscriptions"][number];
type Invoice = Billing["invoices"][number];

/** What only our tables store: valid withdrawals, by Stripe invoice, and when disputes were found to be lost. */
export type ContractFacts = {
  /** The account's time zone, and those in which the invoices' orders were paid. */
  timeZone: string;
  buyerTimeZones: ReadonlyMap<InvoiceId, string>;
  declarations: readonly (DeclaredWithdrawal<InvoiceId> & { timeZone: string | null })[];
  lostDisputes: readonly { disputeId: string; decidedAt: number }[];
};

type ContractSource = { subscription: Subscription; billing: Billing; stored: ContractFacts };

/**
 * Carries out what refunds mean for the contract of their order: refunds the rest that is owed, then ends the plan. Each refund has its own
 * idempotency key, and the plan ends last, so that the next sync completes an interrupted one. Returns the contracts that were undone.
 */
export async function reconcileContracts(
  app: Deps,
  payments: Payments,
  { customerId, billing }: { customerId: CustomerId; billing: Billing },
  stored: ContractFacts,
): Promise<Result<Undone, ProviderFailure>> {
  const undone: Undone = { ended: new Set(), withdrawn: new Set(), covered: new Set(), creditBack: new Map() };
  const { declarations } = stored;
  for (const subscription of billing.subscriptions) {
    const orders = contractOf(app, subscription, billing, stored);
    const verdict = decideContract(orders, {
      declaredAt: declaredAtOf(orders, declarations),
      endedAt: subscription.endedAt,
      noticeUntil: noticeUntil(subscription),
    });
    const reconciled = await reconcileContract(app, payments, { customerId, subscription, billing }, verdict);
    if (!reconciled.ok) return reconciled;
    for (const { id } of orders) {
      if (verdict.subscription === "ends") undone.ended.add(id);
      if (verdict.covered.length > 0) undone.withdrawn.add(id);
    }
    for (const id of verdict.covered) undone.covered.add(id);
    for (const { id, amountMinor } of verdict.creditBack) undone.creditBack.set(id, amountMinor);
  }
  return done(undone);
}

/** When the notice was over with which the plan ended. Null if it runs, or ended otherwise. */
function noticeUntil({ endsByNotice, endedAt, cancelsAt }: Subscription): number | null {
  if (!endsByNotice || endedAt === null) return null;
  // An account that was closed meanwhile has ended it earlier.
  return Math.max(endedAt, cancelsAt ?? endedAt);
}

/** Only the plan's last group of orders counts: earlier refunds were for a period that has ended. */
export function contractOf(
  app: Pick<Deps, "clock" | "product">,
  subscription: Subscription,
  billing: Billing,
  stored: ContractFacts,
): DatedOrder<InvoiceId>[] {
  return groupOrders(paidOrders(app, { subscription, billing, stored }), stored.declarations).at(-1) ?? [];
}

async function reconcileContract(
  app: Deps,
  payments: Payments,
  { customerId, subscription, billing }: { customerId: CustomerId; subscription: Subscription; billing: Billing },
  { subscription: outcome, send, creditToDeductMinor }: ContractVerdict<InvoiceId>,
): Promise<Result<null, ProviderFailure>> {
  for (const { id: invoiceId, amountMinor } of send) {
    const invoice = billing.invoices.find(({ id }) => id === invoiceId) ?? null;
    const sent = await refundFromCharges(app, payments, { subscription, amountMinor }, chargesOf({ invoice }, billing));
    if (!sent.ok) return sent;
  }
  if (outcome === "continues") return done(null);
  if (subscription.endedAt !== null) return voidUnpaidInvoices(payments, subscription, billing);
  const amountMinor = -Math.min(creditToDeductMinor, Math.max(0, billing.creditMinor));
  if (amountMinor < 0) {
    const input = {
      customerId,
      currency: app.product.currency,
      key: `rest:${subscription.id}`,
      lineId: null,
      amountMinor,
    };
    const taken = await payments.addBalanceTransaction(input);
    if (!taken.ok) return taken;
    billing.creditMinor += amountMinor;
  }
  // This also keeps an unpaid change from being paid after its plan has ended.
  const ended = await payments.endUnpaid(subscription.id);
  if (!ended.ok) return ended;
  subscription.status = "canceled";
  subscription.endedAt = ended.value;
  return done(null);
}

/**
 * A payment that was processing when the plan ended stayed open: once it fails, the invoice is voided so that it can't be
 * paid later.
 */
async function voidUnpaidInvoices(
  payments: Payments,
  { id }: Subscription,
  billing: Billing,
): Promise<Result<null, ProviderFailure>> {
  const open = billing.invoices.filter(({ subscriptionId, state }) => subscriptionId === id && state === "open");
  for (const invoice of open) {
    const tries = billing.payments.filter((payment) => invoice.paymentIds.includes(payment.id));
    if (tries.some(({ state }) => state === "processing")) continue;
    const voided = await payments.voidInvoice(invoice.id);
    if (!voided.ok) return voided;
    if (voided.value === "void") invoice.state = "void";
  }
  return done(null);
}

/**
 * Refunds an amount from the charges that paid the order, up to what is left of each. Reports a charge that can't be refunded, such as a
 * disputed one, to an operator.
 */
export async function refundFromCharges(
  app: Pick<Deps, "report">,
  payments: Payments,
  { subscription, amountMinor }: { subscription: Subscription; amountMinor: number },
  charges: Billing["charges"],
): Promise<Result<null, ProviderFailure>> {
  let left = amountMinor;
  for (const charge of charges.filter(({ paidBy }) => paidBy !== null)) {
    const part = Math.min(left, charge.amountMinor - charge.refundedMinor);
    if (part <= 0) continue;
    const before = charge.refunds.filter(({ restOf }) => restOf !== null).length;
    const input = {
      chargeId: charge.id,
      amountMinor: part,
      subscriptionId: subscription.id,
      sentBefore: before,
      // After a won dispute a refund that the dispute blocked is requested again under a new key.
      key: `${charge.id}:${before}:${charge.disputes.filter(({ state }) => state === "won").length}`,
    };
    const refunded = await payments.refundRest(input);
    if (refunded.ok) {
      left -= part;
      charge.refundedMinor += part;
      charge.refunds.push(refunded.value);
      continue;
    }
    const { refusal } = refunded;
    if (refusal.reason === "provider-unreachable") return refunded;
    // Its own event starts the sync that decides what is left to refund.
    if (isAlreadyRefunded(refusal)) continue;
    app.report(new Error(`The rest of ${subscription.id} was not refunded from ${charge.id}: ${refusal.code}`));
  }
  return done(null);
}

/** Every paid order of a subscription, oldest first, with its Stripe invoice. */
function paidOrders(
  app: Pick<Deps, "clock" | "product">,
  { subscription, billing, stored }: ContractSource,
): DatedOrder<InvoiceId>[] {
  const paid = billing.invoices
    .filter((invoice) => invoice.subscriptionId === subscription.id && invoice.state === "paid")
    // Stripe lists newest first; reversed before sorting, so that charges of the same second stay in order.
    .toReversed()
    .toSorted((left, right) => left.createdAt - right.createdAt);
  return paid.map((invoice) => contractOrder(app, invoice, { billing, stored }));
}

function contractOrder(
  app: Pick<Deps, "clock" | "product">,
  invoice: Invoice,
  { billing, stored }: Omit<ContractSource, "subscription">,
): DatedOrder<InvoiceId> {
  const charges = chargesOf({ invoice }, billing);
  const refunds = charges.flatMap((charge) => charge.refunds);
  const rest = refunds.filter(({ restOf }) => restOf !== null);
  const lost = charges.flatMap(({ disputes }) => disputes).filter(({ state }) => state === "lost");
  const refundedMinor = charges.reduce((all, charge) => all + charge.refundedMinor, 0);
  const counted = refunds.filter(({ state }) => state !== "failed");
  // A friend's discount counts as a lower price from the start.
  const discountMinor = sumMinor(counted.filter(({ isFriendDiscount }) => isFriendDiscount));
  const byOthers = counted.filter(({ restOf, isFriendDiscount }) => restOf === null && !isFriendDiscount);
  const paidAt = invoice.paidAt ?? invoice.createdAt;
  const paid = {
    kind: invoice.billingReason,
    paidAt,
    buyerTimeZone: stored.buyerTimeZones.get(invoice.id) ?? stored.timeZone,
  };
  const zones = [stored.timeZone, ...stored.declarations.flatMap(({ timeZone }) => timeZone ?? [])];
  // The plan could be used until the bank decided. If that time isn't stored, the decision is new.
  const losses = lost.map(({ id, amountMinor }) => ({
    amountMinor,
    at: stored.lostDisputes.find((known) => known.disputeId === id)?.decidedAt ?? app.clock(),
  }));
  const returns = [...byOthers.map(({ amountMinor, createdAt: at }) => ({ amountMinor, at })), ...losses];
  return {
    id: invoice.id,
    billingReason: invoice.billingReason,
    currency: invoice.currency,
    paidMinor: invoice.amountMinor - discountMinor,
    creditMinor: invoice.creditMinor,
    paidAt,
    returnedMinor:
      refundedMinor - discountMinor - sumMinor(counted.filter(({ restOf }) => restOf !== null)) + sumMinor(lost),
    returnedAt: Math.max(paidAt, ...returns.map(({ at }) => at)),
    returns,
    lostMinor: sumMinor(lost),
    restSentMinor: sumMinor(rest),
    withdrawUntil: withdrawalEnd(paid, app.product, zones)?.until ?? null,
    lines: invoice.lines,
  };
}
