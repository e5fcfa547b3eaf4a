import { redirect } from "react-router";
import { appContext } from "#app/http/request/contexts.ts";
import { sayExcess } from "../say-excess.ts";
import { showPlanUsage } from "#app/modules/billing/usage/reads/show-plan-usage.server.ts";
import { syncAfterPortal } from "#app/modules/billing/checkout/commands/sync-after-portal.server.ts";
import { cardExpiryOf } from "#app/modules/billing/subscriptions/card.rules.ts";
import { isLostLately, nextCharge, policies } from "#app/modules/billing/subscriptions/rules.ts";
import { dataSentence, isDataKept } from "#app/modules/catalogue/data-sentence.rules.ts";
import { planName, planNames } from "#app/modules/catalogue/plan-names.messages.ts";
import { freePlan, priceMinorOf, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { handleEventsAndFollowUp } from "#app/workflows/after-payment.ts";
import { readCookie } from "#app/http/request/cookies.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { readForm } from "#app/http/forms/read-form.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { SettingsPage } from "#app/ui/components/layout/settings-shell.tsx";
import { countedOf } from "#app/features.ts";
import { sayWithdrawal } from "../say-withdrawal.ts";
import type { Route } from "./+types/route";
import { answerReason, changeSubscription, retry, updateCard } from "./actions.ts";
import { answerForm } from "#app/http/forms/answer-form.ts";
import { askReasonParameter, portalParameter } from "./query-parameters.ts";
import { AskReason } from "./ask-reason.tsx";
import { againOf, sayEnded, sayPendingChange } from "./texts/plan-ahead.ts";
import { PlanRefused } from "./refused.tsx";
import { sayRunning } from "./texts/say-running.ts";
import { isRefundOwed } from "#app/modules/billing/orders/states.rules.ts";
import { cancelMessages } from "#app/routes/cancel/messages.ts";
import { sayWaiting } from "#app/routes/cancel/say-waiting.ts";
import { sayMismatch } from "#app/routes/payment/say-mismatch.ts";
import { sayFirstPayment } from "../say-first-payment.ts";
import { planMessages, askReasonMessages, planAheadMessages } from "./messages.ts";
import { NoPlan } from "./no-plan.tsx";
import { chargesShownMax } from "#app/modules/billing/orders/rules.ts";
import { readerOf } from "#app/core/time/time.ts";
import { pickListedOrder, pickOrder, pickPlan, pickSubscription } from "../pick-rows.ts";
import { Running } from "./running.tsx";
import { planForm } from "./form.ts";

export { clientAction } from "#app/client/keep-form.ts";
export { passHeaders as headers } from "#app/http/page/pass-headers.ts";

export const meta: Route.MetaFunction = ({ matches }) => [{ title: pageTitle(planMessages.en.title, matches) }];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { product } = app;
  const { accountId, viewer } = signedIn(context);
  const isBack = url.searchParams.has(portalParameter);
  if (isBack) {
    const { isAnswered, pendingSubject } = await syncAfterPortal(app, accountId);
    if (pendingSubject) app.later(handleEventsAndFollowUp(app, pendingSubject));
    // Reloading the page must not sync again.
    if (isAnswered) throw redirect(segmentPath(product, "plan"), 303);
  }
  const [page, { account }] = await Promise.all([showPlanUsage(app, accountId), viewer]);
  const now = app.clock();
  const { running, due, question } = page;
  const free = freePlan(product);
  const freeName = free?.name ?? null;
  const isOwed = running !== null && policies[running.state].needsPayment;
  // A bank debit takes days, during which the plan is active, so a payment that is being processed is shown as well.
  const isShown = due && (due.isUnconfirmed || ["failed", "needs-action", "processing"].includes(due.state));
  const shownDue = isOwed || isShown ? due : null;
  const next = running && nextCharge(running, priceMinorOf.bind(null, product), page.creditMinor);
  return {
    reader: readerOf(account),
    ...pickRows(page),
    usage: page.usage && { ...page.usage, counts: page.usage.counts.map((count) => sayCount(product, count)) },
    /** Changes made in the portal may not have arrived yet. */
    isPortalAwaited: isBack,
    due: shownDue && pickOrder(shownDue),
    firstPayment: page.open && sayFirstPayment(page.open, planName(product, page.open.planId), account),
    isDueShown: shownDue !== null,
    moneyBack: page.withdrawals.length > 0 ? null : page.withdrawable,
    endedText: page.undone
      ? sayMismatch(page.undone, { hasPlan: false })
      : page.ended && sayEnded(product, account, page.ended, page.orders, page.isEndedByWithdrawal),
    again: page.ended && againOf(app, page.ended),
    lostTitle: page.ended && isLostLately(page.ended, now) ? planAheadMessages.en.lost.title : null,
    /** Nothing is offered until an operator has sent the last payment back. */
    isRefundOwed: page.undone !== null && isRefundOwed(page.undone),
    excess: page.excess.map((each) => sayExcess(freeName ?? "", each, account.locale)),
    withdrawals: page.withdrawals.map((withdrawal) => sayWithdrawal(withdrawal, account, product)),
    /** The form is shown right after a cancellation, and later by a link. */
    isAsking: question !== null && (isJustCancelled(request) || url.searchParams.has(askReasonParameter)),
    planNames: planNames(product, [page.ended?.planId, page.open?.planId, ...page.orders.map(({ planId }) => planId)]),
    product: product.name,
    freeIncludes: free && free.points.length > 0 ? planAheadMessages.en.includes(free.name, free.points) : null,
    freeHint: product.freeHint ?? "",
    keptData:
      page.ended?.endedAt && isDataKept(product, page.ended.endedAt, now)
        ? dataSentence(product, page.ended.endedAt, account)
        : null,
    texts: running && sayRunning(product, account, { ...page, running, next, due: shownDue, now }),
    declaredEnd: page.declaredEnd && {
      title: cancelMessages.en.waiting.title,
      text: sayWaiting(page.declaredEnd, account),
      link: cancelMessages.en.waiting.see,
    },
    pending: running && sayPendingChange(product, account, running, page.open),
    card: cardExpiryOf(running?.cardExpires ?? null, now),
  };
}

function pickRows(page: Awaited<ReturnType<typeof showPlanUsage>>) {
  const { creditMinor, question, isWithdrawn, running, plan, open, ended, orders } = page;
  return {
    creditMinor,
    question: question && { ...question, messages: askReasonMessages.en },
    isWithdrawn,
    running: running && pickSubscription(running),
    plan: plan && pickPlan(plan),
    open: open && pickOrder(open),
    ended: ended && { endedAt: ended.endedAt },
    orders: orders.slice(0, chargesShownMax).map(pickListedOrder),
  };
}

/** `choose` leads to where its owner chooses what to keep. Null if all of it fits. */
function sayCount(product: ProductConfig, { name, used, limit }: { name: string; used: number; limit: number }) {
  const counted = countedOf(name);
  return {
    label: counted?.messages.label ?? name,
    used,
    limit,
    choose: counted && used > limit ? { text: counted.messages.choose, to: segmentPath(product, counted.path) } : null,
  };
}

/** The flash message is about a cancellation, on this page or by choosing the free plan. */
function isJustCancelled(request: Request): boolean {
  const flash = readCookie(request, "flash");
  return flash === "plan-cancelled" || flash === "plan-ended";
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const viewer = await signedIn(context).viewer;
  const submitted = { app, request, viewer };
  return answerForm(readForm(context, planForm), {
    cancel: ({ intent }) => changeSubscription(submitted, intent),
    resume: ({ intent }) => changeSubscription(submitted, intent),
    "undo-change": ({ intent }) => changeSubscription(submitted, intent),
    retry: ({ order }) => retry(submitted, order),
    "update-card": () => updateCard(submitted),
    "give-reason": (fields) => answerReason(app, viewer, fields),
  });
}

export default function PlanPage({ loaderData: page, actionData: refusal }: Route.ComponentProps) {
  const messages = useMessages(planMessages);
  const { running, plan, texts } = page;
  // Refused fields are those of this form, which is shown again wherever it was sent from.
  const isReasonRefused = refusal?.reason === "invalid-fields";
  const question = page.question && (page.isAsking || isReasonRefused) && (
    <AskReason question={page.question} refusal={refusal} />
  );
  return (
    <SettingsPage title={messages.title} lead={plan ? messages.lead(plan.nameInText) : messages.leadNoPlan}>
      <PlanRefused refusal={refusal} />
      {page.isPortalAwaited && <Notice kind="info">{messages.portalAwaited}</Notice>}
      {running && plan && texts ? (
        <Running page={{ ...page, running, plan, texts }} question={question} />
      ) : (
        <>
          <NoPlan page={page} />
          {question}
        </>
      )}
    </SettingsPage>
  );
}
