import { gatePages } from "#app/features.ts";
import { href } from "react-router";
import type { Account } from "#app/modules/accounts/rules.ts";
import { planName, planNameInText } from "#app/modules/catalogue/plan-names.messages.ts";
import { freePlan, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { orderPath, segmentPath } from "#app/core/page-paths.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { paymentPath } from "#app/modules/billing/orders/states.rules.ts";
import { nameMethod } from "#app/modules/billing/subscriptions/reminders.rules.ts";
import { changesIntervalAlone } from "#app/modules/billing/subscriptions/change.rules.ts";
import { type nextCharge, policies, type Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { formatDay } from "#app/core/time/time.ts";
import { sayWaiting } from "#app/routes/cancel/say-waiting.ts";
import { sayFirstPayment } from "../say-first-payment.ts";
import { planMessages } from "../plan/messages.ts";
import { type PlanStatus, planStatus } from "../plan/plan-status.ts";
import { unconfirmedMessages } from "../messages.ts";
import { waitsForOwner } from "./attention.rules.ts";
import { overviewPlanMessages } from "./plan.messages.ts";

/** What the overview says about the plan, in messages chosen on the server. */
export type PlanFacts = {
  title: string;
  /** Null without a confirmed paid plan. */
  status: PlanStatus | null;
  /** An amount "per month" or "per year". Null without a confirmed paid plan. */
  price: string | null;
  /** Null if the status says it all, and the card above or the withdrawal's row says what happens next. */
  text: string | null;
  details: { label: string; value: string; to?: string }[];
  link: { text: string; to: string; kind: "primary" | "quiet" };
};

type PlanState = {
  running: Subscription | null;
  next: ReturnType<typeof nextCharge>;
  unconfirmed: Order | null;
  /** A choice that isn't paid. */
  open: Order | null;
  creditMinor: number;
  /** A withdrawal from the running plan is open. */
  isWithdrawn: boolean;
  /** A cancellation that was declared and isn't carried out yet. */
  declaredEnd: { endsOn: string | null; declaredAt: number } | null;
  /** Says that the last plan ended and what happens to its data. Null if none ended. */
  ended: string | null;
  /** An unpaid renewal. */
  renewal: Order | null;
  /** A payment that the bank is asked to return. */
  disputed: Order | null;
  /** What the account waits for at the gate, if it does. */
  queued: { what: string; isInvited: boolean } | null;
  /** Something else needs attention first, and has the page's main button. */
  isSecond: boolean;
  now: number;
};

const plain = { status: null, price: null, details: [] };

export function planFacts(product: ProductConfig, account: Account, planState: PlanState): PlanFacts {
  const { running, unconfirmed, open } = planState;
  // Anything else may be outdated, and nothing may link to paying again.
  if (unconfirmed) {
    const { titleFor, text, link } = unconfirmedMessages.en;
    const title = titleFor(planName(product, unconfirmed.planId));
    return { ...plain, title, text, link: { text: link, to: paymentPath(unconfirmed), kind: "quiet" } };
  }
  if (running) return runningFacts(product, account, running, planState);
  if (open?.state === "processing") {
    const { title, text: arriving, link, to } = sayFirstPayment(open, planName(product, open.planId), account);
    const free = freePlan(product);
    const text = free ? `${arriving} ${overviewPlanMessages.en.freeUntilPaid(free.name)}` : arriving;
    return { ...plain, title, text, link: { text: link, to, kind: "quiet" } };
  }
  return noPlanFacts(product, account, planState);
}

function disputeDetails({ disputed, running }: PlanState, account: Account): PlanFacts["details"] {
  if (!disputed) return [];
  const { en: messages } = overviewPlanMessages;
  const day = formatDay(disputed.paidAt ?? disputed.createdAt, account);
  const value = messages.disputedText(formatMoney(disputed, account.locale), day, running?.pauseCause === "disputed");
  return [{ label: messages.disputed, value, to: orderPath(disputed.id) }];
}

function queueDetails({ queued }: PlanState): PlanFacts["details"] {
  if (!queued) return [];
  const { en: messages } = overviewPlanMessages;
  const { path, messages: ofGate } = gatePages();
  const { label, waits } = ofGate.en.overview;
  return [{ label, value: queued.isInvited ? messages.invited(queued.what) : waits(queued.what), to: path }];
}

function noPlanFacts(product: ProductConfig, account: Account, planState: PlanState): PlanFacts {
  const { en: messages } = overviewPlanMessages;
  const { open, isSecond } = planState;
  const free = freePlan(product);
  const to = href("/settings/upgrade");
  if (free) {
    return {
      ...plain,
      title: free.name,
      details: [...disputeDetails(planState, account), ...queueDetails(planState)],
      text: waitsForOwner(open) ? messages.freeForNow : (planState.ended ?? messages.free),
      link: { text: messages.upgrade, to, kind: "quiet" },
    };
  }
  const kind = isSecond ? "quiet" : "primary";
  return {
    ...plain,
    title: messages.none,
    details: [...disputeDetails(planState, account), ...queueDetails(planState)],
    text: messages.noneText(product.name),
    link: { text: messages.choose, to, kind },
  };
}

function runningFacts(
  product: ProductConfig,
  account: Account,
  running: Subscription,
  planState: PlanState,
): PlanFacts {
  const { creditMinor, isWithdrawn, renewal } = planState;
  const { en: messages } = overviewPlanMessages;
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency: running.currency }, account.locale);
  const card = nameMethod(running);
  const credit = money(Math.abs(creditMinor));
  return {
    title: planName(product, running.planId),
    status: planStatus(running, account, planMessages.en, {
      isWithdrawn,
      isToConfirm: renewal?.state === "needs-action",
    }),
    price: `${money(running.amountMinor)} ${planMessages.en.per[running.interval]}`,
    text: isWithdrawn ? null : sayPlan(product, account, running, planState),
    details: [
      ...(renewal?.state === "processing"
        ? [
            {
              label: messages.processing,
              value: messages.processingText(money(renewal.amountMinor)),
              to: paymentPath(renewal),
            },
          ]
        : []),
      // Shown while a payment is due. Otherwise the sentence about the next payment names the card, if there is one.
      ...(card && policies[running.state].needsPayment ? [{ label: planMessages.en.payment, value: card }] : []),
      ...(creditMinor > 0 ? [{ label: planMessages.en.credit, value: planMessages.en.creditText(credit) }] : []),
      ...(creditMinor < 0 ? [{ label: planMessages.en.carried, value: planMessages.en.carriedText(credit) }] : []),
      ...(planState.declaredEnd && running.cancelsAt === null
        ? [{ label: messages.declaredEnd, value: sayWaiting(planState.declaredEnd, account), to: href("/cancel") }]
        : []),
      ...disputeDetails(planState, account),
      ...queueDetails(planState),
    ],
    link: { text: messages.manage, to: segmentPath(product, "plan"), kind: "quiet" },
  };
}

function sayPlan(
  product: ProductConfig,
  account: Account,
  running: Subscription,
  { next, now }: PlanState,
): string | null {
  const { en: messages } = overviewPlanMessages;
  const { pendingPlanId, pendingInterval, comingAt, cancelsAt, state } = running;
  // The card above says what a failed payment or a pause means.
  if (policies[state].needsPayment || state === "paused") return null;
  if (cancelsAt) return messages.ends(formatDay(cancelsAt, account));
  if (!next) return messages.onHold;
  const day = formatDay(next.at, account);
  const amount = formatMoney(next, account.locale);
  // A draft invoice that already exists is still for the active plan.
  if (comingAt || !pendingPlanId || !pendingInterval) {
    const when = day === formatDay(now, account) ? messages.today : messages.onDay(day);
    return messages.renews(amount, when, nameMethod(running));
  }
  return changesIntervalAlone(running)
    ? messages.changesInterval[pendingInterval](amount, day)
    : messages.changes(planNameInText(product, pendingPlanId), amount, day);
}
