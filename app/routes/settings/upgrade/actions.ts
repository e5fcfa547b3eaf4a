import { href } from "react-router";
import type { App } from "#app/app.ts";
import { logOutcome } from "#app/modules/accounts/commands/log-outcome.server.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import {
  runSubscriptionAction,
  type SubscriptionActionResult,
} from "#app/modules/billing/changes/commands/run-subscription-action.server.ts";
import { checkProof, type StaleProofRefusal } from "#app/modules/billing/checkout/money-proof.rules.ts";
import { readQuote } from "#app/modules/billing/checkout/quote.rules.ts";
import { paymentPath } from "#app/modules/billing/orders/states.rules.ts";
import { startChange } from "#app/modules/billing/changes/commands/start-change.server.ts";
import { consumeProviderCall } from "#app/modules/billing/checkout/commands/consume-provider-call.server.ts";
import { openPortal } from "#app/modules/billing/subscriptions/commands/change-cancellation.server.ts";
import { needsNewCheckout } from "#app/modules/billing/subscriptions/rules.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { findPlan } from "#app/modules/catalogue/rules.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { beginCheckout } from "#app/workflows/begin-checkout.server.ts";
import { findBuyer, type Buyer } from "#app/workflows/find-buyer.server.ts";
import type { OfferRefusal } from "./messages.ts";

type Destination = { to: string; flash?: SubscriptionActionResult | "change-planned" };
type Confirmed = OfferRefusal | StaleProofRefusal | Destination;
type Input = { planId: string; interval: Interval; quote: string | undefined };
type Confirm = (
  app: App,
  viewer: Viewer,
  buyer: Buyer,
  input: Input,
) => Promise<Result<Destination, OfferRefusal | StaleProofRefusal>>;

/** Opens Stripe's page for cards, which returns to the quote, so that the new card pays it. */
export async function useCard(app: App, viewer: Viewer, path: string): Promise<Confirmed> {
  const stale = checkProof("open-portal", viewer.session, app.clock());
  const quota = stale ? refused(stale) : await consumeProviderCall(app, viewer.account.id, "action");
  const portal = quota.ok ? await openPortal(app, viewer.account.id, path) : quota;
  await logOutcome(app, viewer, "portal-opened", portal);
  return portal.ok ? { to: portal.value.url } : portal.refusal;
}

/** A first payment, a change of the active plan, or its end, depending on the customer's billing state. */
export async function confirmChoice(app: App, viewer: Viewer, input: Input): Promise<Confirmed> {
  const buyer = await findBuyer(app, viewer.account.id);
  const action = actionOf(app, buyer, input);
  const quota = buyer.isWithdrawn
    ? refused({ reason: "plan-withdrawn" } as const)
    : await consumeProviderCall(app, viewer.account.id, "action");
  const outcome = quota.ok ? await confirmations[action]({ ...app, gate: buyer.gate }, viewer, buyer, input) : quota;
  await logOutcome(app, viewer, action, outcome);
  if (outcome.ok) return outcome.value;
  const { refusal } = outcome;
  const isOfOrder = refusal.reason === "payment-in-process" || refusal.reason === "payment-unconfirmed";
  return isOfOrder ? { to: `${href("/payment/:status", { status: "processing" })}?order=${refusal.orderId}` } : refusal;
}

/** The command's name in the activity log. */
function actionOf(app: App, { running }: Buyer, { planId }: Input): keyof typeof confirmations {
  const isEnd = findPlan(app.product, planId)?.prices === null;
  if (!running || (needsNewCheckout(running) && !isEnd)) return "checkout-opened";
  return isEnd ? "plan-cancelled" : "plan-changed";
}

const openCheckout: Confirm = async (app, { account }, buyer, input) => {
  const started = await beginCheckout(app, account, { ...input, ...buyer });
  return started.ok ? done({ to: started.value.url }) : started;
};

const cancelPlan: Confirm = async (app, { account }) => {
  const ended = await runSubscriptionAction(app, account, "cancel");
  return ended.ok ? done({ to: segmentPath(app.product, "plan"), flash: ended.value }) : ended;
};

const changePlan: Confirm = async (app, { account, session }, _, input) => {
  // Only a quote with a proration date is charged now.
  const quote = await readQuote(app.pepper, account.id, input.quote);
  const isNow = quote !== null && quote.prorationAt !== null;
  const stale = checkProof(isNow ? "change-charged-now" : "change-of-next-period", session, app.clock());
  if (stale) return refused(stale);
  const started = await startChange(app, account, input);
  if (!started.ok) return started;
  const planPath = segmentPath(app.product, "plan");
  switch (started.value.kind) {
    case "begun":
      return done({ to: paymentPath(started.value.order) });
    case "planned":
      return done({ to: planPath, flash: "change-planned" });
    case "stayed":
      return done({ to: planPath, flash: "change-undone" });
  }
};

const confirmations = {
  "checkout-opened": openCheckout,
  "plan-cancelled": cancelPlan,
  "plan-changed": changePlan,
} as const;
