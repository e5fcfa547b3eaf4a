import { readId } from "#app/core/id.ts";
import { data, redirect, href } from "react-router";
import { appContext } from "#app/http/contexts.ts";
import { refused } from "#app/core/result.ts";
import { secondsUntil } from "#app/core/time/time.ts";
import type { ActivityName } from "#app/modules/accounts/activities.rules.ts";
import { noteOutcome } from "#app/modules/accounts/commands/note-outcome.server.ts";
import { checkProof } from "#app/modules/checkout/money-proof.rules.ts";
import { runPlanAction } from "#app/modules/plan-changes/commands/run-plan-action.server.ts";
import { manualRetriesPerDayMax } from "#app/modules/billing-sync/retries.rules.ts";
import { retryPayment } from "#app/modules/checkout/commands/retry-payment.server.ts";
import { paymentPath } from "#app/modules/orders/unconfirmed.rules.ts";
import { showPlan } from "#app/modules/plan-changes/reads/show-plan.server.ts";
import { syncAfterPortal } from "#app/modules/checkout/commands/sync-after-portal.server.ts";
import { consumeProviderCall } from "#app/modules/checkout/commands/consume-provider-call.server.ts";
import { expiresBefore, cardExpiryOf } from "#app/modules/subscriptions/card.rules.ts";
import { openPortal } from "#app/modules/subscriptions/commands/change-cancellation.server.ts";
import {
  nextCharge,
  planForm,
  type PlanAction,
  policies,
  type Subscription,
} from "#app/modules/subscriptions/rules.ts";
import { planInForce } from "#app/modules/catalogue/catalogue.rules.ts";
import { namedPlan, planNames } from "#app/modules/catalogue/plan-names.messages.ts";
import {
  findPlan,
  freePlan,
  isOffered,
  priceMinorOf,
  type ProductConfig,
  segmentPath,
} from "#app/modules/catalogue/rules.ts";
import { handleEventsAfterPayment } from "#app/workflows/after-payment.ts";
import { askForReauthentication } from "#app/http/ask-for-code.ts";
import { flashCookie } from "#app/http/cookies.ts";
import { FormRefusalNotice } from "#app/http/form-refusal.tsx";
import { refusalMessages } from "#app/http/form-refusal.messages.ts";
import { pageTitle } from "#app/http/page-title.ts";
import { readForm } from "#app/http/read-form.ts";
import { signedIn } from "#app/http/signed-in.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { SettingsPage } from "#app/ui/components/layout/settings-shell.tsx";
import type { Route } from "./+types/route";
import { type PlanRefusal, planMessages } from "./messages.ts";
import { NothingRuns } from "./no-plan.tsx";
import { Running } from "./running.tsx";

export { clientAction } from "#app/client/keep-form.ts";
export { passHeaders as headers } from "#app/http/pass-headers.ts";

export const meta: Route.MetaFunction = ({ matches }) => [{ title: pageTitle(planMessages.en.title, matches) }];

/** Query parameter of the URL to which the billing portal returns. */
const fromPortal = "portal";

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { product } = app;
  const { accountId, viewer } = signedIn(context);
  const isBack = url.searchParams.has(fromPortal);
  if (isBack) {
    const { isAnswered, rest } = await syncAfterPortal(app, accountId);
    if (rest) app.later(handleEventsAfterPayment(app, rest));
    // Reloading the page must not sync again.
    if (isAnswered) throw redirect(segmentPath(product, "plan"), 303);
  }
  const [page, { account }] = await Promise.all([showPlan(app, accountId), viewer]);
  const { running, due } = page;
  const isOwed = running !== null && policies[running.state].needsPayment;
  // A bank debit takes days, during which the plan is active: the processing payment is shown all the same.
  const isShown = due && (due.isUnconfirmed || ["failed", "needs-action", "processing"].includes(due.state));
  const next = running && nextCharge(running, priceMinorOf.bind(null, product), page.creditMinor);
  return {
    account,
    ...page,
    /** Changes made in the portal may not have arrived yet. */
    isPortalAwaited: isBack,
    due: isOwed || isShown ? due : null,
    /** Null: no active plan. */
    plan: namedPlan(product, running?.planId),
    planNames: planNames(product, [
      running?.pendingPlanId,
      page.ended?.planId,
      page.open?.planId,
      ...page.charges.map(({ planId }) => planId),
    ]),
    isRetired: running !== null && !isOffered(planInForce(product, running.planId)),
    product: product.name,
    freeName: freePlan(product)?.name ?? null,
    freeHint: product.freeHint ?? "",
    lockedMeans: product.lockedMeans,
    next,
    isCardExpiring: running !== null && next !== null && expiresBefore(running.cardExpires, next.at, app.clock()),
    pendingMinor: running?.pendingPlanId
      ? priceMinorOf(product, running.pendingPlanId, running.pendingInterval ?? running.interval)
      : 0,
    goOnMinor: running?.state === "paused" ? priceToGoOn(product, running) : 0,
    now: app.clock(),
    card: cardExpiryOf(running?.cardExpires ?? null, app.clock()),
    support: product.support,
  };
}

/** What a paused plan costs now; 0: it isn't sold any more. */
function priceToGoOn(product: ProductConfig, { planId, interval }: Subscription): number {
  const plan = findPlan(product, planId);
  return plan && isOffered(plan) ? priceMinorOf(product, planId, interval) : 0;
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const viewer = await signedIn(context).viewer;
  const { account } = viewer;
  const form = readForm(context, planForm);
  if (!form.ok) return data(form.refusal, { status: form.refusal.status });
  const { intent, order } = form.value;
  const path = segmentPath(app.product, "plan");
  const stale = intent === "update-card" ? checkProof("open-portal", viewer.session, app.clock()) : null;
  if (stale) {
    await noteOutcome(app, viewer, logged[intent], refused(stale));
    return askForReauthentication(app, request, viewer, { to: path });
  }
  const quota = await consumeProviderCall(app, account.id, "action");
  if (!quota.ok) {
    await noteOutcome(app, viewer, logged[intent], quota);
    return wait(quota.refusal);
  }
  if (intent === "update-card") {
    // A new card pays what is due: the returning customer is shown the result.
    const { due } = await showPlan(app, account.id);
    const portal = await openPortal(app, account.id, due ? paymentPath(due) : `${path}?${fromPortal}`);
    await noteOutcome(app, viewer, logged[intent], portal);
    return portal.ok ? redirect(portal.value.url, 303) : refuse(portal.refusal);
  }
  if (intent === "retry") {
    const tried = await retryPayment(app, account.id, readId("ord", order) ?? undefined);
    await noteOutcome(app, viewer, logged[intent], tried);
    if (tried.ok) return redirect(paymentPath(tried.value), 303);
    const { refusal } = tried;
    if (refusal.reason === "payment-unconfirmed")
      return redirect(`${href("/payment/:status", { status: "processing" })}?order=${refusal.orderId}`, 303);
    return refusal.reason === "too-many-retries"
      ? wait({ reason: refusal.reason, seconds: secondsUntil(refusal.retryAt, app.clock()) })
      : refuse(refusal);
  }
  const changed = await runPlanAction(app, account, intent);
  await noteOutcome(app, viewer, logged[intent], changed);
  if (!changed.ok) return refuse(changed.refusal);
  return redirect(path, { status: 303, headers: { "Set-Cookie": flashCookie(changed.value) } });
}

/** The name of each command in the activity log. */
const logged = {
  cancel: "plan-cancelled",
  resume: "plan-resumed",
  "undo-change": "plan-change-undone",
  retry: "payment-retried",
  "update-card": "portal-opened",
} as const satisfies Record<PlanAction, ActivityName>;

function wait(refusal: { reason: "too-many-retries" | "too-many-requests"; seconds: number }) {
  return data(refusal, { status: 429, headers: { "Retry-After": String(refusal.seconds) } });
}

function refuse(refusal: Exclude<PlanRefusal, { retryAt: number } | { reason: "payment-unconfirmed" }>) {
  const isDown = refusal.reason === "provider-unreachable" || refusal.reason === "provider-refused";
  return data(refusal, { status: isDown ? 503 : 409 });
}

export default function PlanPage({ loaderData: page, actionData: refusal }: Route.ComponentProps) {
  const messages = useMessages(planMessages);
  const waitMessages = useMessages(refusalMessages);
  const { running, plan } = page;
  return (
    <SettingsPage title={messages.title} lead={plan ? messages.lead(plan.nameInText) : messages.leadNoPlan}>
      {refusal && ("status" in refusal || "retryAt" in refusal) && <FormRefusalNotice refusal={refusal} />}
      {refusal && !("status" in refusal) && !("retryAt" in refusal) && (
        <Notice kind="problem" title={messages.trouble} live>
          {refusal.reason === "too-many-retries"
            ? messages["too-many-retries"](manualRetriesPerDayMax, waitMessages.wait(refusal.seconds))
            : refusal.reason === "too-many-requests"
              ? messages["too-many-requests"](waitMessages.wait(refusal.seconds))
              : messages.refusals[refusal.reason]}
        </Notice>
      )}
      {page.isPortalAwaited && <Notice kind="info">{messages.portalAwaited}</Notice>}
      {running && plan ? <Running page={{ ...page, running, plan }} /> : <NothingRuns page={page} />}
    </SettingsPage>
  );
}
