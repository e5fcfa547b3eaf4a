import { data, href, redirect } from "react-router";
import type { App } from "#app/app.ts";
import { readId } from "#app/core/id.ts";
import { refused } from "#app/core/result.ts";
import { secondsUntil } from "#app/core/time/time.ts";
import type { ActivityName } from "#app/modules/accounts/activities.rules.ts";
import { logOutcome } from "#app/modules/accounts/commands/log-outcome.server.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { undoCancellations } from "#app/modules/billing/cancellations/commands/undo-cancellations.server.ts";
import { consumeProviderCall } from "#app/modules/billing/checkout/commands/consume-provider-call.server.ts";
import { retryPayment } from "#app/modules/billing/checkout/commands/retry-payment.server.ts";
import { checkProof } from "#app/modules/billing/checkout/money-proof.rules.ts";
import { paymentPath } from "#app/modules/billing/orders/states.rules.ts";
import { runSubscriptionAction } from "#app/modules/billing/changes/commands/run-subscription-action.server.ts";
import { showPlan } from "#app/modules/billing/changes/reads/show-plan.server.ts";
import type { ReasonGiven } from "#app/modules/billing/subscriptions/cancellation-reasons.rules.ts";
import { openPortal } from "#app/modules/billing/subscriptions/commands/change-cancellation.server.ts";
import { answerCancellationReason } from "#app/modules/billing/subscriptions/commands/answer-cancellation-reason.server.ts";
import type { SubscriptionAction } from "#app/modules/billing/subscriptions/rules.ts";
import { askForReauthentication } from "#app/http/codes/ask-for-code.ts";
import { flashCookie } from "#app/http/request/cookies.ts";
import { portalParameter } from "./query-parameters.ts";
import { type PlanRefusal, planRefusalMessages, planNoticesMessages } from "./messages.ts";
import { refusalMessages } from "#app/http/forms/form-refusal.messages.ts";

/** The name of each command in the activity log. */
const logged = {
  cancel: "plan-cancelled",
  resume: "plan-resumed",
  "undo-change": "plan-change-undone",
  retry: "payment-retried",
  "update-card": "portal-opened",
} as const satisfies Record<SubscriptionAction, ActivityName>;

type SubmittedForm = { app: App; request: Request; viewer: Viewer };

/** Stripe is asked first, and the outcome is logged. */
export async function changeSubscription(
  { app, viewer }: SubmittedForm,
  intent: Exclude<SubscriptionAction, "retry" | "update-card">,
) {
  const limited = await limitCalls(app, viewer, intent);
  if (limited) return limited;
  const changed = await runSubscriptionAction(app, viewer.account, intent);
  await logOutcome(app, viewer, logged[intent], changed);
  // Nothing follows any more from what was declared on `/cancel`.
  if (changed.ok && intent === "resume") await undoCancellations(app, viewer.account.id);
  if (!changed.ok) return refuse(changed.refusal);
  const headers = { "Set-Cookie": flashCookie(changed.value) };
  return redirect(segmentPath(app.product, "plan"), { status: 303, headers });
}

async function limitCalls(app: App, viewer: Viewer, intent: SubscriptionAction) {
  const quota = await consumeProviderCall(app, viewer.account.id, intent === "retry" ? "retry" : "action");
  if (quota.ok) return null;
  await logOutcome(app, viewer, logged[intent], quota);
  return wait(quota.refusal);
}

/** Opens Stripe's page for cards. */
export async function updateCard({ app, request, viewer }: SubmittedForm) {
  const { account } = viewer;
  const stale = checkProof("open-portal", viewer.session, app.clock());
  if (stale) {
    await logOutcome(app, viewer, logged["update-card"], refused(stale));
    return askForReauthentication(app, request, viewer, {
      action: "open-portal",
      to: segmentPath(app.product, "plan"),
    });
  }
  const limited = await limitCalls(app, viewer, "update-card");
  if (limited) return limited;
  // A new card pays what is due: the returning customer is shown the result.
  const { due } = await showPlan(app, account.id);
  const back = due ? paymentPath(due) : `${segmentPath(app.product, "plan")}?${portalParameter}`;
  const portal = await openPortal(app, account.id, back);
  await logOutcome(app, viewer, logged["update-card"], portal);
  return portal.ok ? redirect(portal.value.url, 303) : refuse(portal.refusal);
}

/** Charges an order that failed: the given one, or the oldest due one. */
export async function retry({ app, viewer }: SubmittedForm, order: string | undefined) {
  const limited = await limitCalls(app, viewer, "retry");
  if (limited) return limited;
  const tried = await retryPayment(app, viewer.account.id, readId("ord", order) ?? undefined);
  await logOutcome(app, viewer, logged.retry, tried);
  if (tried.ok) return redirect(paymentPath(tried.value), 303);
  const { refusal } = tried;
  if (refusal.reason === "payment-unconfirmed")
    return redirect(`${href("/payment/:status", { status: "processing" })}?order=${refusal.orderId}`, 303);
  return refusal.reason === "too-many-retries"
    ? wait({ reason: refusal.reason, seconds: secondsUntil(refusal.retryAt, app.clock()) })
    : refuse(refusal);
}

/** Stores why the plan was cancelled and returns to the plan's page. */
export async function answerReason(app: App, viewer: Viewer, given: ReasonGiven) {
  const stored = await answerCancellationReason(app, viewer, given);
  if (!stored.ok) return refuse(stored.refusal);
  const headers = { "Set-Cookie": flashCookie("reason-given") };
  return redirect(segmentPath(app.product, "plan"), { status: 303, headers });
}

function wait(refusal: { reason: "too-many-retries" | "too-many-requests"; seconds: number }) {
  const { [refusal.reason]: messages } = planNoticesMessages.en;
  const text = messages(refusalMessages.en.wait(refusal.seconds));
  return data({ ...refusal, text }, { status: 429, headers: { "Retry-After": String(refusal.seconds) } });
}

function refuse(refusal: Exclude<PlanRefusal, { retryAt: number } | { reason: "payment-unconfirmed" }>) {
  const isDown = refusal.reason === "provider-unreachable" || refusal.reason === "provider-refused";
  const text = planRefusalMessages.en[refusal.reason];
  return data({ ...refusal, text }, { status: isDown ? 503 : 409 });
}
