import type { PlanEmail } from "../templates.rules.ts";
import type { EmailsOf, EmailTextFor } from "#app/modules/email/texts.rules.ts";

const plan = "You get this mail because of the plan on your account.";
const seePlan = (url: string) => ({ label: "See my plan", url });

const noGrace = (days: number) =>
  `It is locked at once because an earlier renewal, less than ${days} days ago, was never paid.`;

const sayNext = ({ amount, nextCharge }: { amount: string | null; nextCharge: string }) =>
  amount ? `The next charge is ${amount} on ${nextCharge}.` : "Nothing is going to be charged for it at the moment.";

const en: EmailTextFor<PlanEmail> = {
  "renewal-failed": (content, { product, lockedMeans }) => ({
    subject: `The renewal of your ${product} plan could not be paid`,
    heading: "The renewal could not be paid",
    before: [
      `${content.what}: ${content.amount}. Your bank did not let the payment through.`,
      content.accessUntil
        ? `Nothing changes until ${content.accessUntil}. After that the plan is locked. ${lockedMeans}`
        : `The plan stays locked until it is paid. ${lockedMeans}`,
      ...(content.graceSpentDays === null ? [] : [noGrace(content.graceSpentDays)]),
      content.nextTry
        ? `We try again on ${content.nextTry}. You can also pay now, or change the card:`
        : "We don't try again by ourselves. You can pay now, or change the card:",
    ],
    button: { label: "Pay now or change the card", url: content.url },
    after: [],
    reason: plan,
  }),
  "card-expiring": (content, { product }) => ({
    subject: `The card for your ${product} plan runs out`,
    heading: "Your card runs out",
    before: [
      `${content.card} is valid until ${content.expires}. The next charge for ${content.what} comes on ${content.nextCharge}, after that.`,
      "Change the card before then, so that it goes through:",
    ],
    button: { label: "Change the card", url: content.url },
    after: [],
    reason: plan,
  }),
  "plan-locked": (content, { product, lockedMeans }) => ({
    subject: `Your ${product} plan is locked`,
    heading: "Your plan is locked",
    before: [`The renewal of ${content.what} is still unpaid. ${lockedMeans}`, "Paying unlocks it at once:"],
    button: { label: "Pay now or change the card", url: content.url },
    after: ["All of your settings stay open, so you can also cancel the plan or download your data."],
    reason: plan,
  }),
  "plan-unlocked": (content, { product }) => ({
    subject: `Your ${product} plan works again`,
    heading: "Your plan works again",
    before: [`The payment has arrived, and ${content.what} works as it did before.`],
    button: seePlan(content.url),
    after: [],
    reason: plan,
  }),
  "plan-changed": (content, { product }) => ({
    subject: `You changed your ${product} plan`,
    heading: "You have a new plan",
    before: [`You changed from ${content.from} to ${content.to}, from now on.`, sayNext(content)],
    button: seePlan(content.url),
    after: ["If something was charged for the change, the receipt comes in a mail of its own."],
    reason: plan,
  }),
  "downgrade-planned": (content, { product }) => ({
    subject: `Your ${product} plan is going to change`,
    heading: "Your change of plan is noted",
    before: [
      `You keep ${content.from} until ${content.changes}. Then ${content.to} begins.`,
      "Until that day you can take it back:",
    ],
    button: seePlan(content.url),
    after: [],
    reason: plan,
  }),
  "plan-cancelled": (content, { product, hasFreePlan }) => ({
    subject: `You cancelled your ${product} plan`,
    heading: "Your plan is cancelled",
    before: [
      `You keep ${content.what} until ${content.until}. Nothing more is charged.`,
      ...(hasFreePlan ? [] : [`After that day, you can't use ${product} without a new plan.`]),
      "Until that day you can take it back:",
    ],
    button: seePlan(content.url),
    after: [],
    reason: plan,
  }),
  "plan-ended": (content, { product, hasFreePlan }) => ({
    subject: `Your ${product} plan has ended`,
    heading: "Your plan has ended",
    before: [
      `${content.what} ended on ${content.ended}${content.why === "cancelled" ? ", as you asked when you cancelled it" : ""}. ${content.why === "unpaid" ? "A payment for it was overdue." : "Nothing more is charged for it."}`,
      ...(hasFreePlan ? [] : [`You can't use ${product} without a new plan.`]),
      "Your account stays open, and you can choose a plan again at any time:",
    ],
    button: seePlan(content.url),
    after: [],
    reason: plan,
  }),
  "cancellation-undone": (content, { product }) => ({
    subject: `Your ${product} plan goes on`,
    heading: "Your plan goes on",
    before: [`You took the cancellation of ${content.what} back.`, sayNext(content)],
    button: seePlan(content.url),
    after: [],
    reason: plan,
  }),
  "renewal-notice": (content, { product }) => ({
    subject: `Your ${product} plan renews in a week`,
    heading: "Your plan renews soon",
    before: [
      `${content.what} renews on ${content.nextCharge}, for ${content.amount}. There is nothing you have to do.`,
    ],
    button: seePlan(content.url),
    after: ["If you don't want that, cancel the plan before that day; you keep it until then."],
    reason: plan,
    off: { label: "Switch notices of renewals off in your settings", url: content.offUrl },
  }),
};

export const planEmails: EmailsOf<PlanEmail> = { en };
