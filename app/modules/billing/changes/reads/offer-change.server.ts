import type { AccountId } from "#app/core/id.ts";
import type { App, Base, PaymentAccess, Secrets, Site } from "#app/app.ts";
import { type NetAmount, netAmountFor } from "#app/core/money/net-amount.ts";
import { type MoneyAmount, sumMinor } from "#app/core/money/money.ts";
import {
  type ChangeRefusal,
  checkChange,
  type Timing,
  timeChange,
} from "#app/modules/billing/subscriptions/change.rules.ts";
import { noticeEndsAt } from "#app/modules/billing/subscriptions/notice.rules.ts";
import {
  endsAtOnce,
  checkSubscriptionAction,
  nextCharge,
  type SubscriptionActionRefusal,
  type Subscription,
} from "#app/modules/billing/subscriptions/rules.ts";
import { fixedTax } from "#app/modules/catalogue/tax.rules.ts";
import { checkChoice } from "#app/modules/catalogue/choice.rules.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { findPlan, priceMinorOf, rankOf } from "#app/modules/catalogue/rules.ts";
import { shownPrice } from "#app/modules/catalogue/shown-prices.rules.ts";
import type { QuotaRefusal } from "#app/modules/billing/checkout/provider-quota.rules.ts";
import { writeQuote } from "#app/modules/billing/checkout/quote.rules.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import type { CheckoutRefusal } from "#app/modules/billing/checkout/commands/start-checkout.server.ts";
import { refuseBuyer } from "#app/modules/billing/subscriptions/commands/refuse-buyer.server.ts";
import { consumeProviderCall } from "#app/modules/billing/checkout/commands/consume-provider-call.server.ts";

type Deps = Base & Site & Secrets & PaymentAccess & Pick<App, "report">;
type Payments = NonNullable<App["payments"]>;
export type Input = { planId: string; interval: Interval };

export type StartChangeRefusal =
  | ChangeRefusal
  | SubscriptionActionRefusal
  | CheckoutRefusal
  | QuotaRefusal
  /** The owner has withdrawn from the plan, which ends with the refund. */
  | { reason: "plan-withdrawn" };

/** What Stripe would charge now for a change. */
export type ChangeCharge = Extract<Awaited<ReturnType<Payments["previewChange"]>>, { ok: true }>["value"];

/** Why a change that could be immediate begins with the next period. */
type NextPeriodOnly = Exclude<ChangeCharge["blocker"], "payment-due" | null>;

/** The result of a change, shown before it is confirmed. */
export type ChangeOffer =
  | { kind: "now"; charge: ChangeCharge; next: Next; quote: string }
  /** `instead` says why the change isn't immediate. */
  | { kind: "later"; beginsAt: number; next: Next; quote: string; instead: NextPeriodOnly | null }
  /** Back to the running plan, removing a scheduled change. */
  | { kind: "stay"; next: Next; quote: string }
  /** To the free plan. `endsAt` is null if it is immediate, since nothing more is collected. With `refundsRest` it ends before its period. */
  | { kind: "end"; endsAt: number | null; refundsRest: boolean }
  | { kind: "refused"; refusal: StartChangeRefusal };

/** `isDiscounted` means that a team member gave a discount, whose effect on this amount Stripe doesn't report before the change. */
type Next = MoneyAmount & NetAmount & { at: number; isDiscounted: boolean };

/** The state of an account with a running plan. `open` is the chosen and unpaid order. */
type RunningSubscription = {
  accountId: AccountId;
  running: Subscription;
  open: Order | null;
  unconfirmed: Order | null;
  creditMinor: number;
  /** The end of the newest period that a renewal paid for, if any: a renewed year can be ended with notice. */
  renewedUntil?: number | null;
};

/** When a change would begin, what it would cost now, and what is charged after that. */
export async function offerChange(
  app: Deps,
  { accountId, running, open, unconfirmed, creditMinor, renewedUntil = null }: RunningSubscription,
  input: Input,
): Promise<ChangeOffer> {
  if (findPlan(app.product, input.planId)?.prices === null) return offerEnd(app, running, renewedUntil);
  if (unconfirmed) return { kind: "refused", refusal: { reason: "payment-unconfirmed", orderId: unconfirmed.id } };
  const { timing, refusal } = checkInput(app, running, input);
  if (refusal || !app.payments) return { kind: "refused", refusal: refusal ?? { reason: "not-on-sale" } };
  if (open?.state === "processing") {
    return { kind: "refused", refusal: { reason: "payment-in-process", orderId: open.id } };
  }
  const context = { accountId, running, creditMinor };
  if (timing !== "now") return offerLater(app, context, input, { isReturn: timing === null, instead: null });
  // A change was begun and its result is unknown: confirming it again is the same change, with the same proration date.
  const begunAt = open?.state === "draft" && isInput(open, input) ? open.prorationAt : null;
  const quota = await consumeProviderCall(app, accountId, "quote");
  if (!quota.ok) return { kind: "refused", refusal: quota.refusal };
  const charge = await previewFor(app, app.payments, { running, input, prorationAt: begunAt });
  if (!charge.ok) return { kind: "refused", refusal: await refuseBuyer(app, charge.refusal) };
  const { blocker, creditAfterMinor, currency, nextChargeAt } = charge.value;
  // Stripe knows of a failed renewal before the site does.
  if (blocker === "payment-due") return { kind: "refused", refusal: { reason: blocker } };
  if (blocker) return offerLater(app, context, input, { isReturn: false, instead: blocker });
  const quote = await writeQuote(app.pepper, accountId, { ...charge.value, quotedAt: app.clock() });
  const priceMinor = priceMinorOf(app.product, input.planId, input.interval);
  const isDiscounted = running.renewalMinor !== null;
  const next = { ...netAmountFor(priceMinor, creditAfterMinor, currency), currency, at: nextChargeAt, isDiscounted };
  return { kind: "now", charge: { ...charge.value, taxMinor: taxOf(app.product, charge.value) }, next, quote };
}

/** What Stripe calculated, or else the config's own rate, as the invoice will say. */
function taxOf(
  { tax }: Pick<App["product"], "tax">,
  { taxMinor, lines, discountMinor, currency }: ChangeCharge,
): number {
  if (taxMinor !== 0) return taxMinor;
  return fixedTax(tax, { totalMinor: sumMinor(lines) - discountMinor, currency })?.amountMinor ?? 0;
}

/** `isReturn`: back to the running plan, removing a scheduled change. */
async function offerLater(
  app: Deps,
  { accountId, running, creditMinor }: Pick<RunningSubscription, "accountId" | "running" | "creditMinor">,
  input: Input,
  { isReturn, instead }: { isReturn: boolean; instead: NextPeriodOnly | null },
): Promise<ChangeOffer> {
  const { currency, periodEndsAt } = running;
  const priceMinor = isReturn ? running.amountMinor : priceMinorOf(app.product, input.planId, input.interval);
  const quoted = { amountMinor: priceMinor, currency, quotedAt: app.clock(), prorationAt: null };
  const quote = await writeQuote(app.pepper, accountId, quoted);
  // A charge already scheduled comes before the chosen change.
  const invoiced = running.comingAt === null ? null : nextCharge(running, () => priceMinor, creditMinor);
  const next: Next = invoiced
    ? { ...invoiced, isDiscounted: false }
    : {
        ...netAmountFor(priceMinor, creditMinor, currency),
        currency,
        at: periodEndsAt,
        isDiscounted: running.renewalMinor !== null,
      };
  return isReturn ? { kind: "stay", next, quote } : { kind: "later", beginsAt: periodEndsAt, next, quote, instead };
}

function offerEnd({ product, clock }: Deps, running: Subscription, renewedUntil: number | null): ChangeOffer {
  const noticeAt = noticeEndsAt(running, product, { renewedUntil, now: clock() });
  const refusal = checkSubscriptionAction("cancel", running, noticeAt ?? undefined);
  if (refusal) return { kind: "refused", refusal };
  if (endsAtOnce(running.state)) return { kind: "end", endsAt: null, refundsRest: false };
  return { kind: "end", endsAt: noticeAt ?? running.periodEndsAt, refundsRest: noticeAt !== null };
}

/** When the chosen change would begin, or why it is refused. */
export function checkInput(
  app: Deps,
  running: Subscription,
  input: Input,
): { timing: Timing | null; refusal: StartChangeRefusal | null } {
  const timing = timeChange(running, input, (planId) => rankOf(app.product, planId));
  // The running plan can stay, even one no longer sold.
  const chosen = timing === null ? null : checkChoice(app, input, running.planId);
  const refusal = chosen?.ok === false ? chosen.refusal : null;
  const closed = app.payments ? null : ({ reason: "not-on-sale" } as const);
  return { timing, refusal: refusal ?? closed ?? checkChange(running, timing, app.clock()) };
}

export function isInput(order: Order, { planId, interval }: Input): boolean {
  return order.planId === planId && order.interval === interval;
}

type Preview = { running: Subscription; input: Input; prorationAt: number | null };

export function previewFor(
  { product }: Pick<App, "product">,
  payments: Payments,
  { running, input, prorationAt }: Preview,
) {
  const price = priceForChange(product, running, input);
  return payments.previewChange({ subscriptionId: running.id, price, prorationAt });
}

/** The price that the pages show for a change: in the currency of the running plan. */
export function priceForChange(
  product: App["product"],
  { currency }: Pick<Subscription, "currency">,
  { planId, interval }: Input,
) {
  return shownPrice({ ...product, currency }, planId, interval);
}
