import { href } from "react-router";
import type { Account } from "#app/modules/accounts/rules.ts";
import { planName, planNameInText } from "#app/modules/catalogue/plan-names.messages.ts";
import { freePlan, priceMinorOf, type ProductConfig, segmentPath } from "#app/modules/catalogue/rules.ts";
import type { Order } from "#app/modules/orders/rules.ts";
import { paymentPath } from "#app/modules/orders/unconfirmed.rules.ts";
import { expiresBefore } from "#app/modules/subscriptions/card.rules.ts";
import { nextCharge, policies, type Subscription } from "#app/modules/subscriptions/rules.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { formatDay } from "#app/core/time/time.ts";
import { paymentReasonsMessages } from "#app/routes/payment/reasons.messages.ts";
import { sayFirstPayment } from "../plan/first-payment.ts";
import { planMessages } from "../plan/messages.ts";
import { unconfirmedMessages } from "../unconfirmed.messages.ts";
import { overviewPlanMessages } from "./plan.messages.ts";

/** What the overview says about the plan, in messages chosen on the server. */
export type PlanFacts = {
  title: string;
  texts: string[];
  tone: "plain" | "attention" | "problem";
  link: { text: string; to: string; kind: "primary" | "quiet" };
  /** The card comes first on the page, and says by when to pay. */
  isDue: boolean;
  /** Null: no paid plan. */
  runningName: string | null;
};

type PlanState = {
  running: Subscription | null;
  unconfirmed: Order | null;
  /** A choice that isn't paid. */
  open: Order | null;
  creditMinor: number;
  now: number;
};

export function planFacts(product: ProductConfig, account: Account, planState: PlanState): PlanFacts {
  const { en: messages } = overviewPlanMessages;
  const { running, unconfirmed, open, creditMinor, now } = planState;
  const runningName = running && planName(product, running.planId);
  const plain = { tone: "plain", isDue: false, runningName } as const;
  // Anything else may be outdated, and nothing may link to paying again.
  if (unconfirmed) {
    const { titleFor, text, link } = unconfirmedMessages.en;
    const title = titleFor(planName(product, unconfirmed.planId));
    return { ...plain, title, texts: [text], link: { text: link, to: paymentPath(unconfirmed), kind: "quiet" } };
  }
  const choose = { to: href("/settings/upgrade") } as const;
  if (!running && open && open.state !== "draft") {
    const texts = { plan: planMessages.en, reasons: paymentReasonsMessages.en };
    const { title, text, link, isUnderWay } = sayFirstPayment(open, planName(product, open.planId), texts);
    const kind = isUnderWay ? "quiet" : "primary";
    const tone = isUnderWay ? "plain" : "attention";
    return { ...plain, tone, title, texts: [text], link: { text: link, to: paymentPath(open), kind } };
  }
  if (!running) {
    const free = freePlan(product);
    const own = free
      ? { title: messages.title, texts: [messages.free(free.name)] }
      : { title: messages.none, texts: [messages.noneText(product.name)] };
    const link = free
      ? ({ ...choose, text: messages.upgrade, kind: "quiet" } as const)
      : ({ ...choose, text: messages.choose, kind: "primary" } as const);
    return { ...plain, ...own, link };
  }
  const next = nextCharge(running, priceMinorOf.bind(null, product), creditMinor);
  const isDue = policies[running.state].needsPayment;
  const isExpiring = next !== null && expiresBefore(running.cardExpires, next.at, now);
  const text = isDue ? messages.pay : isExpiring ? messages.updateCard : messages.manage;
  return {
    title: messages.title,
    texts: [sayPlan(product, account, running, next), ...(isExpiring ? [messages.cardExpires] : [])],
    tone: isDue ? "problem" : isExpiring ? "attention" : "plain",
    link: { text, to: segmentPath(product, "plan"), kind: isDue ? "primary" : "quiet" },
    isDue,
    runningName,
  };
}

function sayPlan(
  product: ProductConfig,
  account: Account,
  { planId, pendingPlanId, comingAt, cancelsAt, state }: Subscription,
  next: ReturnType<typeof nextCharge>,
): string {
  const { en: messages } = overviewPlanMessages;
  const name = planNameInText(product, planId);
  if (policies[state].needsPayment) return messages.due(name);
  if (state === "paused") return messages.paused(name);
  if (cancelsAt) return messages.ends(name, formatDay(cancelsAt, account));
  if (!next) return messages.onHold(name);
  const charge = [formatMoney(next, account.locale), formatDay(next.at, account)] as const;
  // A draft invoice that already exists is still for the active plan.
  const pending = comingAt || !pendingPlanId ? null : planNameInText(product, pendingPlanId);
  return pending ? messages.changes(name, pending, ...charge) : messages.renews(name, ...charge);
}
