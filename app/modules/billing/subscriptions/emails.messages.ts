import type { Messages } from "#app/core/messages.ts";
import type { PauseCause } from "#app/core/stripe/states.ts";
import { dataLines } from "#app/modules/catalogue/data-sentence.rules.ts";
import { type Failed, failureMessages } from "#app/modules/email/messages/failures.messages.ts";
import { type EmailNames, type EmailsOf, type EmailTextFor, fitsSubject } from "#app/modules/email/texts.rules.ts";

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

/** The last day on which data that no longer fits can be downloaded. */
export type Shrinking = { lastDayOfData: string | null };

/** From one plan or interval to another. */
type Changing = Shrinking & { from: string; to: string; isYearly: boolean; points: readonly string[]; url: string };

/** `isWithdrawn`: a withdrawal from the plan's contract is open. */
type Cancellable = { what: string; isWithdrawn: boolean; url: string };
type Charged = { amount: string | null; nextCharge: string };

declare module "#app/modules/email/templates.rules.ts" {
  interface Emails {
    subscriptions: PlanEmail;
  }
}

const plan = "You're receiving this email because of the plan on your account.";
const seePlan = (url: string) => ({ label: "See my plan", url });

const noGrace = (days: number) =>
  `It was locked immediately because an earlier renewal in the past ${days} days was never paid.`;

const sayNext = ({ amount, nextCharge }: { amount: string | null; nextCharge: string }) =>
  amount ? `Your next payment is ${amount} on ${nextCharge}.` : "No payment is due at the moment.";

/** The plan in the subject, or what changed. A plan without a name is called like the product. */
const changedSubject = ({ from, to }: { from: string; to: string }, product: string) => {
  if (from === to) return `Your ${product} billing period has changed`;
  const name = to === product ? null : to.replace(`${product} `, "");
  return fitsSubject(name) ? `Your ${product} plan is now ${name}` : `Your ${product} plan has changed`;
};

const sayInterval = ({ to, isYearly }: { to: string; isYearly: boolean }) =>
  `You now pay for ${to} ${isYearly ? "yearly" : "monthly"}.`;

const sayIntervalAhead = ({ to, isYearly, changes }: { to: string; isYearly: boolean; changes: string }) =>
  `From ${changes}, you pay for ${to} ${isYearly ? "yearly" : "monthly"}.`;

/** Says until when there is still time to pay. */
const failedSubject = (accessUntil: string | null, product: string) => {
  if (accessUntil === null) return `Your ${product} payment failed and your plan is locked`;
  return `Your ${product} payment failed${fitsSubject(accessUntil) ? `: pay by ${accessUntil}` : ""}`;
};

const sayPoints = (name: string, points: readonly string[]) =>
  points.length > 0 ? [`${name} includes: ${points.join(" · ")}.`] : [];

const whileWithdrawn = "Your withdrawal still stands: your plan ends when we refund you.";

const pausedBecause: Record<PauseCause, (what: string) => string> = {
  "trial-ended": (what) => `Your trial of ${what} has ended and there's no card on file.`,
  requested: (what) => `We've paused ${what}.`,
  "first-payment-failed": (what) => `A payment for ${what} failed. You don't owe anything for it any more.`,
  "final-payment-failed": (what) => `A payment for ${what} failed. You don't owe anything for it any more.`,
  disputed: (what) => `You've disputed a payment for ${what} with your bank. It continues if your bank decides for us.`,
  system: (what) => `Stripe, which handles our payments, has paused ${what}.`,
};

/** Only the team, or the bank, lets it continue. */
const isForTeam = (cause: PauseCause) => ["requested", "system", "disputed"].includes(cause);

const endedBecause = { cancelled: " because you cancelled it", unpaid: " because your payment failed" };

const sayMeanwhile = ({
  meanwhile,
  what,
  until,
}: {
  meanwhile: "active" | "unpaid" | "paused";
  what: string;
  until: string;
}) => {
  if (meanwhile === "active") return `${what} stays active until ${until} and won't renew.`;
  const ends = `${what} ends on ${until} and won't renew.`;
  return meanwhile === "paused" ? `${ends} It's paused.` : `${ends} A payment for it is still due.`;
};

const en: EmailTextFor<PlanEmail> = {
  "renewal-failed": (content, { product, lockedMeans }) => ({
    subject: failedSubject(content.accessUntil, product),
    heading: "Your payment failed",
    before: [
      `We couldn't charge ${content.amount} for ${content.what}. ${failureMessages.en[content.failure ?? "other"]}`,
      content.accessUntil
        ? `Pay by ${content.accessUntil}, or your plan will be locked until you pay. ${lockedMeans}`
        : `Your plan is locked until you pay. ${lockedMeans}`,
      ...(content.graceSpentDays === null ? [] : [noGrace(content.graceSpentDays)]),
      content.nextTry
        ? `We'll try again on ${content.nextTry}. With another card, we'll charge it immediately:`
        : "We won't try again automatically. With another card, we'll charge it immediately:",
    ],
    button: { label: "Use another card", url: content.url },
    after: [],
    reason: plan,
  }),
  "card-expiring": (content, { product }) => ({
    subject: `Your card expires before your next ${product} payment`,
    heading: "Your card expires before the next payment",
    before: [
      `${content.card} expires at the end of ${content.expires}. Your next payment for ${content.what} is due on ${content.nextCharge}.`,
      "Change your card before then so that the payment goes through:",
    ],
    button: { label: "Change card", url: content.url },
    after: [],
    reason: plan,
  }),
  "plan-locked": (content, { product, lockedMeans }) => ({
    subject: `Your ${product} plan is locked`,
    heading: "Your plan is locked",
    before: [
      `The renewal of ${content.what} is still unpaid, so your plan is locked. ${lockedMeans}`,
      "Pay to unlock it immediately, best with another card:",
    ],
    button: { label: "Use another card", url: content.url },
    after: ["You can still use your account, for example to cancel your plan or download your data."],
    reason: plan,
  }),
  "plan-paused": ({ cause, what, url }, { product, lockedMeans, support }) => ({
    subject: `Your ${product} plan is paused`,
    heading: "Your plan is paused",
    before: [
      pausedBecause[cause](what),
      `You aren't being charged, and your plan is locked. ${lockedMeans}`,
      ...(isForTeam(cause) ? [`To continue it, email ${support}.`] : ["You can continue it at any time:"]),
    ],
    button: isForTeam(cause) ? seePlan(url) : { label: "Continue my plan", url },
    after: [],
    reason: plan,
  }),
  "plan-unlocked": (content, { product }) => ({
    subject: `Your ${product} plan is active again`,
    heading: "Your plan is active again",
    before: [
      content.wasPaused
        ? `${content.what} isn't paused any more.`
        : `We've received your payment, and ${content.what} is active again.`,
    ],
    button: seePlan(content.url),
    after: [],
    reason: plan,
  }),
  "plan-changed": (content, { product, dataWhenSmaller }) => ({
    subject: changedSubject(content, product),
    heading: content.from === content.to ? "Your billing period has changed" : "Your plan has changed",
    before: [
      content.from === content.to ? sayInterval(content) : `You're now on ${content.to} instead of ${content.from}.`,
      ...(content.isSmaller ? [...sayPoints(content.to, content.points), ...dataLines(dataWhenSmaller, content)] : []),
      sayNext(content),
    ],
    button: seePlan(content.url),
    after: ["If you paid for this change, its invoice comes in a separate email."],
    reason: plan,
  }),
  "downgrade-planned": (content, { product, dataWhenSmaller }) => ({
    subject: `Your ${product} plan change is scheduled`,
    heading: "Plan change scheduled",
    before: [
      content.from === content.to
        ? sayIntervalAhead(content)
        : `You keep ${content.from} until ${content.changes} and then move to ${content.to}.`,
      // The same plan in another billing period is as large as before.
      ...(content.from === content.to
        ? []
        : [...sayPoints(content.to, content.points), ...dataLines(dataWhenSmaller, content)]),
      `You can undo this until ${content.changes}:`,
    ],
    button: seePlan(content.url),
    after: [],
    reason: plan,
  }),
  "plan-cancelled": (content, { product, free, dataWhenSmaller }) => ({
    subject: `You've cancelled your ${product} plan`,
    heading: "Your plan is cancelled",
    before: [
      `We received your cancellation on ${content.cancelled}.`,
      ...(content.isWithdrawn
        ? [
            `${whileWithdrawn} If we can't accept your withdrawal, ${content.what} ends on ${content.until} and won't renew.`,
            "Until your plan ends, you can undo the cancellation, but not the withdrawal:",
          ]
        : [
            `${sayMeanwhile(content)}${content.refundsRest ? " We refund what you've paid for the time after that." : ""}`,
            free ? `After that, you're on ${free.name}.` : `After that, you can't use ${product} without a new plan.`,
            ...(free ? sayPoints(free.name, free.points) : []),
            ...dataLines(dataWhenSmaller, content),
            `You can change your mind until ${content.until}:`,
          ]),
    ],
    button: { label: content.isWithdrawn ? "Undo the cancellation" : "Keep my plan", url: content.url },
    after: [],
    reason: plan,
  }),
  "plan-ended": (content, { product, free, dataWhenSmaller }) => ({
    subject: `Your ${product} plan has ended`,
    heading: "Your plan has ended",
    before: [
      `${content.what} ended on ${content.ended}${content.why ? endedBecause[content.why] : ""}. ${content.why === "unpaid" ? "You don't owe anything for it." : "There's nothing more to pay."}`,
      free ? `You're on ${free.name} now.` : `You can't use ${product} without a new plan.`,
      ...(free ? sayPoints(free.name, free.points) : []),
      ...dataLines(dataWhenSmaller, content),
      content.why === "unpaid" ? "You can pay and continue at any time:" : "You can choose a plan again at any time:",
    ],
    button: { label: content.why === "unpaid" ? "Pay and continue" : "Choose a plan", url: content.url },
    after: [],
    reason: plan,
  }),
  "plan-duplicate": ({ what, kept, refunded, credited, owed, url }, { product }) => ({
    subject: `One of your two ${product} plans has ended`,
    heading: "You had two plans at once",
    before: [
      "Two plans ran on your account at the same time, and you only need one.",
      kept === null || kept === what
        ? `We've ended the older one of ${what}. The newer one continues.`
        : `We've ended ${what}, the older one. ${kept} continues.`,
      ...(refunded === null
        ? []
        : [
            `We've refunded ${refunded} for the time you hadn't used. It usually arrives within 5 to 10 business days.`,
          ]),
      ...(credited === null
        ? []
        : [`${credited} of the credit that you'd used for it is yours again, for the time you hadn't used.`]),
      ...(owed === null
        ? []
        : [`We couldn't refund ${owed} for unused time yet. We'll do that as soon as it's possible.`]),
      ...(refunded === null && credited === null && owed === null ? ["There was nothing to refund for it."] : []),
    ],
    button: seePlan(url),
    after: [],
    reason: plan,
  }),
  "cancellation-undone": (content, { product }) => ({
    subject: content.isWithdrawn
      ? `You've undone the cancellation of your ${product} plan`
      : `Your ${product} plan will continue`,
    heading: content.isWithdrawn ? "Cancellation undone" : "Your plan will continue",
    before: [
      `You've undone the cancellation of ${content.what}.`,
      ...(content.isWithdrawn ? [`${whileWithdrawn} If we can't accept it, your plan renews.`] : [sayNext(content)]),
    ],
    button: seePlan(content.url),
    after: [],
    reason: plan,
  }),
  "renewal-notice": (content, { product }) => ({
    subject: `Your ${product} plan renews soon`,
    heading: "Your plan renews soon",
    before: [`${content.what} renews on ${content.nextCharge} for ${content.amount}. There's nothing you need to do.`],
    button: seePlan(content.url),
    after: [
      `If you don't want it to renew, cancel before then. You can keep using it until that day.${content.hasMonthNotice ? " If you cancel later, it ends a month after that, and we refund the rest of the year." : ""}`,
    ],
    reason: plan,
    off: { label: "Turn off renewal emails", url: content.offUrl },
  }),
};

const names: EmailNames<PlanEmail> = {
  "renewal-failed": "Renewal payment failed",
  "card-expiring": "Your card expires soon",
  "plan-locked": "Plan locked",
  "plan-paused": "Plan paused",
  "plan-unlocked": "Plan unlocked",
  "plan-changed": "Plan changed",
  "downgrade-planned": "Plan change scheduled",
  "plan-cancelled": "Plan cancelled",
  "plan-ended": "Plan ended",
  "plan-duplicate": "One of two plans ended",
  "cancellation-undone": "Cancellation undone",
  "renewal-notice": "Your plan renews soon",
};

export const planEmails: EmailsOf<PlanEmail> = { en };
export const planEmailNames: Messages<EmailNames<PlanEmail>> = { en: names };
