import { formatMoney } from "#app/core/money/money.ts";
import { formatDay } from "#app/core/time/time.ts";
import { planMessages, planNoticesMessages } from "../messages.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { planInForce } from "#app/modules/catalogue/catalogue.rules.ts";
import { dataSentence } from "#app/modules/catalogue/data-sentence.rules.ts";
import { planName } from "#app/modules/catalogue/plan-names.messages.ts";
import { freePlan, isOffered, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { endsAtOnce, type nextCharge, type Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import { sayDue } from "./say-due.ts";
import { sayEnding } from "./say-ending.ts";
import { sayExpiring, sayOpenChange, sayPaused } from "./say-notices.ts";

type RunningFacts = {
  running: Subscription;
  next: ReturnType<typeof nextCharge>;
  /** An unpaid renewal. */
  due: Order | null;
  /** A choice that isn't paid. */
  open: Order | null;
  isWithdrawn: boolean;
  noticeEndsAt: number | null;
  now: number;
};

/** What the plan page says about an active plan. The server chooses the sentences; one that doesn't apply is null. */
export function sayRunning(product: ProductConfig, account: Account, facts: RunningFacts) {
  const { running, noticeEndsAt, next, due, open, now } = facts;
  const { lockedMeans } = product;
  const { retired } = planNoticesMessages.en;
  return {
    next: next && sayNext(next, account, now),
    due: due && sayDue({ account, running, due, lockedMeans, now }),
    openChange: open?.kind === "change" ? sayOpenChange(product, running, open) : null,
    expiring: sayExpiring(account, facts),
    paused: sayPaused(product, account, running),
    ending: sayEnding({
      ...facts,
      account,
      product: product.name,
      plan: planName(product, running.planId),
      free: freePlan(product)?.name ?? null,
      data: dataSentence(product, endsAt(running, { noticeEndsAt, now }), account),
    }),
    /** Null while the plan is still sold. */
    retired: isOffered(planInForce(product, running.planId))
      ? null
      : running.cancelsAt === null
        ? retired.text
        : retired.textEnding,
  };
}

/** When the plan ends if it is cancelled now, or already is. */
export function endsAt(
  { state, cancelsAt, periodEndsAt }: Pick<Subscription, "state" | "cancelsAt" | "periodEndsAt">,
  { noticeEndsAt, now }: Pick<RunningFacts, "noticeEndsAt" | "now">,
): number {
  return endsAtOnce(state) ? now : (cancelsAt ?? noticeEndsAt ?? periodEndsAt);
}

function sayNext(next: NonNullable<RunningFacts["next"]>, account: Account, now: number): string {
  const { nextText, nextToday } = planMessages.en;
  const amount = formatMoney(next, account.locale);
  const day = formatDay(next.at, account);
  return day === formatDay(now, account) ? nextToday(amount) : nextText(amount, day);
}
