import { reviewPath } from "#app/core/page-paths.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { formatDay, formatMonth } from "#app/core/time/time.ts";
import { href } from "react-router";
import type { Account } from "#app/modules/accounts/rules.ts";
import { findPlan, isOffered, priceMinorOf, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { planName } from "#app/modules/catalogue/plan-names.messages.ts";
import { expiresBefore } from "#app/modules/billing/subscriptions/card.rules.ts";
import { cardMonthOf, nameMethod } from "#app/modules/billing/subscriptions/reminders.rules.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import type { nextCharge, Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import { planMessages, planNoticesMessages } from "../messages.ts";

/** Why a plan is paused and what that means. Without a known cause, only that it is. */
export function sayPauseCause(product: ProductConfig, { pauseCause }: Pick<Subscription, "pauseCause">): string {
  const { causes, meanwhile } = planNoticesMessages.en.paused;
  return [...(pauseCause ? [causes[pauseCause]] : []), meanwhile(product.lockedMeans)].join(" ");
}

/** Only the team continues these, in Stripe's dashboard: a plan bought in their place would lose the time that was paid for. */
export function isContinuedByTeam({ pauseCause }: Pick<Subscription, "pauseCause">): boolean {
  return pauseCause === "requested" || pauseCause === "system" || pauseCause === "disputed";
}

/** Why nothing is charged, and how to continue. Null if the plan isn't paused. */
export function sayPaused(product: ProductConfig, { locale }: Account, running: Subscription) {
  if (running.state !== "paused") return null;
  const { planId, interval, currency } = running;
  const { paused: messages } = planNoticesMessages.en;
  const { free, per } = planMessages.en;
  const plan = findPlan(product, planId);
  const name = planName(product, planId);
  const text = sayPauseCause(product, running);
  if (isContinuedByTeam(running)) {
    return { title: messages.title(name), texts: [text, messages.ask(product.support)], link: null };
  }
  // What it costs now, if it is still sold.
  const amountMinor = plan && isOffered(plan) ? priceMinorOf(product, planId, interval) : 0;
  if (amountMinor === 0) {
    return { title: messages.title(name), texts: [text], link: { text: free.upgrade, to: href("/settings/upgrade") } };
  }
  const price = formatMoney({ amountMinor, currency }, locale);
  return {
    title: messages.title(name),
    texts: [text, messages.continueText(name)],
    link: { text: messages.continueWith(name, price, per[interval]), to: reviewPath(running) },
  };
}

type Charged = { running: Subscription; next: ReturnType<typeof nextCharge>; now: number };

/** For a card that expires before the next charge. Null if it doesn't, or if its date isn't known. */
export function sayExpiring(account: Account, { running, next, now }: Charged) {
  const card = nameMethod(running);
  if (!next || !card || !running.cardExpires || !expiresBefore(running.cardExpires, next.at, now)) return null;
  const { title, text } = planNoticesMessages.en.expiring;
  const month = formatMonth(cardMonthOf(running.cardExpires), { ...account, timeZone: "UTC" });
  return { title, text: text(card, month, formatMoney(next, account.locale), formatDay(next.at, account)) };
}

/** A confirmed change that isn't paid: its state, and the way to cancel it. */
export function sayOpenChange(product: ProductConfig, running: Subscription, open: Order) {
  const { openChange: messages } = planNoticesMessages.en;
  const name = planName(product, open.planId);
  const { link, giveUp, pending } = messages;
  const text = messages.text(planName(product, running.planId));
  return open.state === "processing"
    ? { title: messages.processing(name), text, link, giveUp: null, pending }
    : { title: messages.title(name), text, link, giveUp, pending };
}
