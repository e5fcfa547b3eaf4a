/**
 * Every email template, with when it is sent and the facts that its text needs. Amounts, days and hours come formatted for the recipient;
 * URLs are absolute. A template with an `offUrl` (`/settings/notifications`) can be switched off: the outbox then refuses it.
 */
import type { PauseCause } from "#app/core/stripe/states.ts";
import type { SensitiveAction } from "#app/core/sensitive-action.ts";
import type { ReceiptFacts } from "./receipt-facts.rules.ts";

export type EmailContent =
  | AccountEmail
  | WaitlistEmail
  | OrderEmail
  | WithdrawalEmail
  | CancellationEmail
  | PlanEmail
  | ProductEmail;

type CodePurpose = "sign-up" | "sign-in" | "change-email" | "reauthentication";
export type AccountEmail =
  /** Someone asked for a code. `action`: what a re-authentication is for. */
  | { template: "code"; purpose: CodePurpose; code: string; validMs: number; url: string; action?: SensitiveAction }
  /** Sign-up with an address that has an account; its code signs in. */
  | { template: "has-account"; code: string; validMs: number; url: string }
  /** Sign-in with an address that has no account; no code. */
  | { template: "no-account"; url: string }
  /** A change to an address that has an account; no code. */
  | { template: "address-wanted" }
  /** The address was changed; with the link that reverts it. To the old address; the new one is masked. */
  | { template: "address-changed"; to: string; url: string; until: string }
  /** A code was requested for a former address that is still reserved: the link that reverts the change. The new address is masked. */
  | { template: "address-held"; on: string; to: string; url: string; until: string }
  /** A change of address was reverted; to both addresses. `isCurrent`: to the one that works. */
  | { template: "address-reverted"; to: string; isCurrent: boolean }
  /** A passkey was added. */
  | { template: "passkey-added"; name: string }
  /** A passkey was removed. */
  | { template: "passkey-removed"; name: string }
  /** The licence key was replaced. */
  | { template: "licence-key-rotated" }
  /** The licence key was shown; once per re-authentication. */
  | { template: "licence-key-shown"; device: string }
  /** Other browsers were signed out. */
  | { template: "sessions-ended"; by: string; at: string }
  /** `wrongStreakMax` wrong codes in a row were typed; to the owner. */
  | { template: "hundred-wrong-codes"; wrongCodes: number; pauseMs: number }
  /** The data export was downloaded; once per re-authentication. */
  | { template: "data-downloaded"; device: string }
  | ClosingEmail;

export type ClosingEmail =
  /** The account was closed. */
  | ({ template: "account-closed"; until: string; hasOpenWithdrawal: boolean; url: string } & Ended & Partial<WayOut>)
  /** The account was restored. */
  | ({ template: "restored"; url: string } & Ended & Shrinking)
  /** The account was erased. */
  | { template: "account-erased" };

export type WaitlistEmail =
  /** Someone joined the waitlist; with the link that confirms it. */
  | { template: "waitlist-confirm"; url: string; what: string; validMs: number }
  /** Someone joined with an address that is on the waitlist already. */
  | { template: "waitlist-place"; url: string; what: string }
  /** The entry was invited. */
  | { template: "waitlist-invited"; url: string; what: string; until: string; missesMax: number }
  /** `reminderBeforeMs` before the invitation expires, unless a payment is in process. */
  | { template: "waitlist-reminder"; url: string; what: string; until: string }
  /** The account exists, or the plan is paid. */
  | { template: "waitlist-joined"; url: string; what: string }
  /** There is no gate any more, and the entry was still waiting; once. */
  | { template: "doors-open"; url: string; what: string };

export type OrderEmail =
  /** An order was paid; says until when it can be withdrawn from. */
  | ({ template: "receipt" } & Paid & WayOut)
  /** An operator resent a receipt: what was paid, what of it was refunded or returned by the bank since, and the rest. */
  | ({
      template: "receipt-copy";
      number: string;
      paid: string;
      backs: Back[];
      /** Null if all of it is left. */
      left: string | null;
      /** Given back as credit, which changes nothing of what was paid. */
      credits: Back[];
    } & Paid &
      WayOut)
  /** A payment takes days. */
  | { template: "payment-processing"; what: string; amount: string; url: string }
  /** A payment that took days succeeded; also the receipt. */
  | ({ template: "payment-arrived" } & Paid & WayOut)
  /** A payment that took days failed. */
  | ({ template: "payment-failed"; what: string; amount: string; url: string } & Failed)
  /** The bank asks for a confirmation of a renewal. */
  | { template: "payment-action"; what: string; amount: string; url: string }
  /** Money was refunded. `planEnded`: the plan it paid for has ended. `withdrawn`: the day of the withdrawal that this settles. */
  | ({ template: "refund"; what: string; number?: string | null; amount: string; url: string } & Refunded &
      WithCreditNote)
  /** Something else was charged than `asked`, and is refunded; `isRefunded` is false if Stripe refused that. `isChange`: of a plan, which ended, or ends on `endsOn`. */
  | {
      template: "payment-mismatch";
      what: string;
      asked: string;
      amount: string;
      isRefunded: boolean;
      isChange: boolean;
      endsOn: string | null;
      url: string;
      receipt: ReceiptFacts;
    }
  /** Part of the first payment was refunded as a friend's discount. */
  | ({ template: "friend-discount"; what: string; amount: string; url: string } & WithCreditNote)
  /** An operator reviews the friend's discount first. */
  | ({ template: "friend-discount-review"; why: "payment-method" | "domain" | "provider" } & Discount)
  /** There is no friend's discount. */
  | ({ template: "friend-discount-refused"; why: "known-mailbox" | "known-method" | "operator" } & Discount)
  /** A bank opened a dispute. */
  | { template: "dispute-opened"; what: string; amount: string; pausesPlan: boolean; url: string }
  /** The bank decided for the seller. `wasReturned`: after it had decided for its customer, and is taking the amount back. */
  | { template: "dispute-won"; what: string; amount: string; wasReturned: boolean; url: string }
  /** The bank decided for its customer. `planEnded`: the plan it paid for has ended. */
  | ({ template: "dispute-lost"; what: string; amount: string; planEnded: boolean; url: string } & WithCreditNote)
  /** A credit note was issued that no other email contains. */
  | {
      template: "credit-note";
      why: Back["what"];
      what: string;
      amount: string;
      url: string;
      creditNote: ReceiptFacts;
    };

export type WithdrawalEmail =
  /** A withdrawal from an order of this address, or by the order's owner. `by` is the name that was entered, for a proven address alone. */
  | {
      template: "withdrawal-acknowledged";
      order: string;
      by: { name: string; email: string } | null;
      declared: string;
      /** Or contested. */
      refundBy: string;
    }
  /** An operator contested a withdrawal. Without `url`, and with `order` null, if no order was identified; `reason` is the operator's. */
  | { template: "withdrawal-contested"; order: string | null; declared: string; reason: string; url?: string }
  /** Any other withdrawal: repeats nothing that was entered. */
  | { template: "withdrawal-unmatched"; declared: string };

export type CancellationEmail =
  /** A contract was cancelled on `/cancel`; to the address that was entered, and the same whether there is such a contract or not. */
  | {
      template: "cancellation-received";
      declared: string;
      kind: "ordinary" | "extraordinary";
      /** In our own spelling. Null if what was entered is no order number. */
      order: string | null;
      /** The day on which it is wanted to end. Null if that is as early as possible. */
      endsOn: string | null;
    }
  /**
   * It matched, and no other email says what came of it; to the account's own address. `planned`: the plan ends with the period in which
   * `day` is, or, if that is null, as soon as Stripe answers; `already`: it was cancelled before, and ends on `day`.
   */
  | {
      template: "cancellation-outcome";
      outcome: "planned" | "already" | "no-plan";
      what: string | null;
      declared: string;
      /** Whether its owner was signed in. */
      isSignedIn: boolean;
      day: string | null;
      /** Where the plan can be kept. */
      url?: string;
    }
  /** An operator closed it; `answer` is the operator's. */
  | { template: "cancellation-answered"; declared: string; answer: string };

/** What was paid. `plan` is the plan's name alone, null if it has none. */
type Paid = {
  what: string;
  plan: string | null;
  amount: string;
  url: string;
  receipt: ReceiptFacts;
  /** What the page had asked for, if the plan is kept at another price. */
  asked?: string | null;
};

/** What went back, by the credit note of that number. */
type Back = {
  what: "refund" | "friend-discount" | "dispute-lost" | "credit" | "refund-returned" | "dispute-won";
  number: string;
  on: string;
  amount: string;
};

/** The credit note, once it is issued. */
type WithCreditNote = { creditNote?: ReceiptFacts | null };

/** The last day on which the contract can be withdrawn from, and where; null where there is none. */
type WayOut = { withdrawUntil: string | null; withdrawUrl: string | null };

/** `plan`: what ended when the account was closed. */
type Ended = { plan: string | null };

/** The last day on which data that no longer fits can be downloaded. */
type Shrinking = { lastDayOfData: string | null };

/** From one plan or interval to another. */
type Changing = Shrinking & { from: string; to: string; isYearly: boolean; points: readonly string[]; url: string };

/** `isWithdrawn`: a withdrawal from the plan's contract is open. */
type Cancellable = { what: string; isWithdrawn: boolean; url: string };
type Charged = { amount: string | null; nextCharge: string };
type Discount = { amount: string; url: string };
type Refunded = { planEnded: boolean; withdrawn?: string | null };

/** Why the payment failed, as far as the bank says. */
type Failed = { failure: "declined" | "no-funds" | "card-details" | "authentication" | "other" | null };

export type PlanEmail =
  /** A failed attempt at a renewal. No next attempt: that was the last. No day until which there is access: already locked. */
  | ({
      template: "renewal-failed";
      what: string;
      amount: string;
      nextTry: string | null;
      accessUntil: string | null;
      /** Null unless the plan was locked immediately because an earlier renewal within this many days was never paid. */
      graceSpentDays: number | null;
      url: string;
    } & Failed)
  /** `cardReminderMs` before a charge after the card's expiry month; once per card and period. */
  | { template: "card-expiring"; what: string; card: string; expires: string; nextCharge: string; url: string }
  /** The grace period has ended; once per unpaid renewal. */
  | { template: "plan-locked"; what: string; url: string }
  /** Stripe paused the plan, and nothing is owed for it. An unpaid renewal has an email of its own. */
  | { template: "plan-paused"; what: string; cause: PauseCause; url: string }
  /** The payment arrived, once per unpaid renewal; or the plan was paused and isn't any more. */
  | { template: "plan-unlocked"; what: string; wasPaused: boolean; url: string }
  /** The plan or its interval changed. `amount` is null if nothing will be charged. */
  | ({ template: "plan-changed"; isSmaller: boolean } & Charged & Changing)
  /** Another plan, which includes `points`, begins with the next period. */
  | ({ template: "downgrade-planned"; changes: string } & Changing)
  /** The plan was cancelled; `cancelled`: when. */
  | ({
      template: "plan-cancelled";
      cancelled: string;
      until: string;
      /** It ends before its period, and the rest is refunded. */
      refundsRest: boolean;
      /** What it is until then. */
      meanwhile: "active" | "unpaid" | "paused";
    } & Cancellable &
      Shrinking)
  /** The plan ended and no other took its place; once. `why` is what to remind its owner of, if no other email does. */
  | ({
      template: "plan-ended";
      what: string;
      ended: string;
      why: "cancelled" | "unpaid" | null;
      url: string;
    } & Shrinking)
  /** Two plans ran at once, and the older one ended. For its unused time, `refunded` was sent, `credited` is credit again, and Stripe refused `owed`; null if there was none. `kept` is null if it has ended since. */
  | {
      template: "plan-duplicate";
      what: string;
      kept: string | null;
      refunded: string | null;
      credited: string | null;
      owed: string | null;
      url: string;
    }
  /** The cancellation was undone. */
  | ({ template: "cancellation-undone" } & Cancellable & Charged)
  /** `renewalReminderDays` before a yearly renewal or the start of a scheduled yearly plan; once per period. */
  | {
      template: "renewal-notice";
      what: string;
      amount: string;
      nextCharge: string;
      /** The renewed year can be ended with a month's notice. */
      hasMonthNotice: boolean;
      url: string;
      offUrl: string;
    };

export type ProductEmail =
  /** More devices than seats. `devices` names the first of those that will be removed, `more` counts the others. */
  | {
      template: "seats-reduced";
      used: number;
      seats: number;
      removed: string;
      devices: string;
      more: number;
      url: string;
    }
  /** Devices over the limit were removed. */
  | { template: "seats-released"; seats: number; devices: string; more: number; url: string }
  /** A friend's payment wasn't refunded within `holdDays`. */
  | { template: "reward-earned"; amount: string; url: string; offUrl: string }
  /** A reward was reversed: the friend's payment was refunded, or the owner paid with the friend's card. */
  | { template: "reward-reversed"; cause: "money-back" | "own-card"; amount: string; url: string; offUrl: string }
  /** `highShare` of a limit is used; once per month, meter and limit. `what` is the meter's name. */
  | { template: "usage-high"; what: string; used: string; limit: string; url: string; offUrl: string }
  /** A limit is used up; once per month, meter and limit. `what` is the meter's name. */
  | { template: "usage-full"; what: string; used: string; limit: string; url: string; offUrl: string };
