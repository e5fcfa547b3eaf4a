import { formatMoney } from "#app/core/money/money.ts";
import { dayMs, formatDay } from "#app/core/time/time.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { failureClassOf, paymentPath } from "#app/modules/billing/orders/states.rules.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import {
  graceMs,
  isLockedAtOnce,
  policies,
  type Subscription,
  unpaidGraceWindowMs,
} from "#app/modules/billing/subscriptions/rules.ts";
import { paymentReasonsMessages } from "#app/routes/payment/messages.ts";
import { payDueMessages } from "../../messages.ts";
import { duePayment } from "../../pay-due.tsx";
import { dueMessages } from "../messages.ts";

type Due = { account: Account; running: Subscription; due: Order; lockedMeans: string; now: number };

/** An unpaid renewal: the reason, until when everything works, and the way to pay it. */
export function sayDue({ account, running, due, lockedMeans, now }: Due) {
  const { en: messages } = dueMessages;
  const amount = formatMoney(due, account.locale);
  if (due.state === "processing") {
    const title = messages.titleProcessing(amount);
    const action = { kind: "link", isMain: false, label: messages.see, to: paymentPath(due) } as const;
    return { title, tone: "plain", texts: [messages.processing], action } as const;
  }
  const isLocked = !policies[running.state].hasAccess;
  const wantsHolder = due.state === "needs-action";
  const consequences = [
    isLocked
      ? messages.locked(lockedMeans)
      : messages.grace(formatDay((running.pastDueSince ?? due.createdAt) + graceMs, account), lockedMeans),
    // The next period isn't asked for.
    ...(running.state === "unpaid" ? [messages.ends(formatDay(running.periodEndsAt, account))] : []),
    ...(isLockedAtOnce(running, now) ? [messages.noGrace(unpaidGraceWindowMs / dayMs)] : []),
    ...(wantsHolder ? [] : [due.nextTryAt ? messages.next(formatDay(due.nextTryAt, account)) : messages.noNext]),
  ].join(" ");
  if (wantsHolder) {
    return {
      title: messages.titleConfirm(amount),
      tone: isLocked ? "problem" : "attention",
      texts: [messages.confirm, consequences],
      action: { kind: "link", isMain: true, label: messages.toConfirm, to: paymentPath(due) },
    } as const;
  }
  return {
    title: messages.title(amount),
    tone: "problem",
    texts: [paymentReasonsMessages.en[failureClassOf(due)], consequences],
    action: {
      kind: "pay",
      payment: duePayment(due, running, { locale: account.locale, now }),
      note: payDueMessages.en.note,
    },
  } as const;
}
