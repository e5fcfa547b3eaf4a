import { formatMoney } from "#app/core/money/money.ts";
import { dayMs, formatDay } from "#app/core/time/time.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import {
  endsAtOnce,
  graceMs,
  type nextCharge,
  policies,
  type Subscription,
  unpaidGraceWindowMs,
} from "#app/modules/billing/subscriptions/rules.ts";
import { endingMessages, type LastCharge } from "../messages.ts";

type Ending = {
  account: Account;
  running: Subscription;
  next: ReturnType<typeof nextCharge>;
  due: Order | null;
  isWithdrawn: boolean;
  /** When it ends if it is cancelled now, if that is before its period is over. */
  noticeEndsAt: number | null;
  product: string;
  plan: string;
  /** The plan that follows, if there is one. */
  free: string | null;
  /** What happens to data, if there is something to say. */
  data: string | null;
};

/**
 * How the plan is cancelled at the end of its period, with one click that another one reverts (`undo`); or immediately (`dialog`), after a
 * confirmation, since that can't be reverted.
 */
export function sayEnding(ending: Ending) {
  const { running, account, isWithdrawn, product, free, data } = ending;
  const { cancel, resume } = endingMessages.en;
  if (running.cancelsAt !== null) {
    const { button, pending } = resume;
    const endsOn = formatDay(running.cancelsAt, account);
    if (isWithdrawn) {
      const { titleWithdrawn: title, textWithdrawn, buttonWithdrawn } = resume;
      return { kind: "undo", title, text: textWithdrawn(endsOn), button: buttonWithdrawn, pending } as const;
    }
    const text = joined(running.endsByNotice ? resume.notice(free) : resume.text(lastCharge(ending), free), data);
    return { kind: "undo", title: resume.title(endsOn), text, button, pending } as const;
  }
  if (endsAtOnce(running.state)) return sayEndNow(ending);
  const { title, button, pending } = cancel;
  if (ending.noticeEndsAt !== null && !isWithdrawn) {
    const text = joined(cancel.notice(formatDay(ending.noticeEndsAt, account), { product, free }), data);
    return { kind: "cancel", title, text, button, pending } as const;
  }
  const day = formatDay(running.periodEndsAt, account);
  const text = isWithdrawn
    ? cancel.textWithdrawn(day)
    : joined(cancel.text(day, lastCharge(ending), { product, free }), data);
  return { kind: "cancel", title, text, button, pending } as const;
}

function sayEndNow({ running, account, due, product, plan, free, data }: Ending) {
  const { endNow: messages } = endingMessages.en;
  const { title, open, keep, button, pending } = messages;
  // A payment that the bank is processing would still be debited; it is shown in a separate card.
  if (due?.state === "processing" || due?.isUnconfirmed) {
    return { kind: "in-process", title, text: messages.inProcess } as const;
  }
  const unpaid = due && messages.unpaid(formatMoney(due, account.locale));
  const warning = free === null ? messages.warningNoPlan(plan, product) : messages.warning(plan, free);
  const texts = [
    joined(warning, unpaid),
    ...(data ? [data] : []),
    ...(policies[running.state].needsPayment ? [messages.graceUsed(unpaidGraceWindowMs / dayMs, graceMs / dayMs)] : []),
  ];
  return {
    kind: "end-now",
    title,
    text: joined(free === null ? messages.textNoPlan(product) : messages.text(free), unpaid, data),
    dialog: { title: messages.dialog(plan), texts, open, keep, button, pending },
  } as const;
}

function joined(...texts: (string | null)[]): string {
  return texts.filter((text) => text !== null).join(" ");
}

/** An invoice that already exists as a draft is still charged, within the hour, and a debit that the bank is processing can't be stopped. */
function lastCharge({ running, next, due, account }: Ending): LastCharge | null {
  if (due?.state === "processing") return { amount: formatMoney(due, account.locale), isInProcess: true };
  return running.comingAt && next ? { amount: formatMoney(next, account.locale), isInProcess: false } : null;
}
