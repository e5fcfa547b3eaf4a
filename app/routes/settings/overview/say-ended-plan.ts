import { formatDay } from "#app/core/time/time.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { dataSentence, isDataKept } from "#app/modules/catalogue/data-sentence.rules.ts";
import { planName } from "#app/modules/catalogue/plan-names.messages.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { undonePayment } from "#app/modules/billing/orders/states.rules.ts";
import { runningSubscription, type Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import { sayMismatch } from "#app/routes/payment/say-mismatch.ts";
import { planAheadMessages } from "../plan/messages.ts";

type Rows = { subscriptions: Subscription[]; undone: readonly Order[] };

/** What happens to data beyond the current plan and, if a plan has ended, by when. */
export function sayKeptData(
  product: ProductConfig,
  account: Account,
  { subscriptions }: Pick<Rows, "subscriptions">,
  now: number,
) {
  const ended = lastEnded(subscriptions);
  const endedAt = ended?.endedAt ?? null;
  return endedAt !== null && !isDataKept(product, endedAt, now) ? null : dataSentence(product, endedAt, account);
}

/** Says that the last plan ended and what happens to its data. Null if a plan is active or none ever was. */
export function sayEndedPlan(
  product: ProductConfig,
  account: Account,
  { subscriptions, undone }: Rows,
  data: string | null,
) {
  const ended = lastEnded(subscriptions);
  const payment = runningSubscription(subscriptions) ? null : undonePayment(undone, ended ?? null);
  if (payment) return sayMismatch(payment, { hasPlan: false });
  if (!ended || ended.endedAt === null) return null;
  const { ended: messages } = planAheadMessages.en;
  const say = ended.endCause === "payment-failed" ? messages.unpaid : messages.other;
  const text = say(planName(product, ended.planId), formatDay(ended.endedAt, account));
  return data === null ? text : `${text} ${data}`;
}

export function lastEnded(subscriptions: Subscription[]): Subscription | undefined {
  return runningSubscription(subscriptions) ? undefined : subscriptions.find(({ state }) => state === "ended");
}
