import type { PlanLetter } from "../rules.ts";
import type { LettersOf, WordsFor } from "#app/modules/email/texts.rules.ts";

const plan = "You get this mail because of the plan on your account.";
const seePlan = (url: string) => ({ label: "See my plan", url });

const noGrace = (days: number) =>
  `It is locked at once because an earlier renewal, less than ${days} days ago, was never paid.`;

const sayNext = ({ amount, nextCharge }: { amount: string | null; nextCharge: string }) =>
  amount ? `The next charge is ${amount} on ${nextCharge}.` : "Nothing is going to be charged for it at the moment.";

const en: WordsFor<PlanLetter> = {
  "renewal-failed": (letter, { product, lockedMeans }) => ({
    subject: `The renewal of your ${product} plan could not be paid`,
    heading: "The renewal could not be paid",
    before: [
      `${letter.what}: ${letter.amount}. Your bank did not let the payment through.`,
      letter.accessUntil
        ? `Nothing changes until ${letter.accessUntil}. After that the plan is locked. ${lockedMeans}`
        : `The plan stays locked until it is paid. ${lockedMeans}`,
      ...(letter.graceSpentDays === null ? [] : [noGrace(letter.graceSpentDays)]),
      letter.nextTry
        ? `We try again on ${letter.nextTry}. You can also pay now, or change the card:`
        : "We don't try again by ourselves. You can pay now, or change the card:",
    ],
    button: { label: "Pay now or change the card", url: letter.url },
    after: [],
    reason: plan,
  }),
  "card-expiring": (letter, { product }) => ({
    subject: `The card for your ${product} plan runs out`,
    heading: "Your card runs out",
    before: [
      `${letter.card} is valid until ${letter.expires}. The next charge for ${letter.what} comes on ${letter.nextCharge}, after that.`,
      "Change the card before then, so that it goes through:",
    ],
    button: { label: "Change the card", url: letter.url },
    after: [],
    reason: plan,
  }),
  "plan-locked": (letter, { product, lockedMeans }) => ({
    subject: `Your ${product} plan is locked`,
    heading: "Your plan is locked",
    before: [`The renewal of ${letter.what} is still unpaid. ${lockedMeans}`, "Paying unlocks it at once:"],
    button: { label: "Pay now or change the card", url: letter.url },
    after: ["All of your settings stay open, so you can also cancel the plan or download your data."],
    reason: plan,
  }),
  "plan-unlocked": (letter, { product }) => ({
    subject: `Your ${product} plan works again`,
    heading: "Your plan works again",
    before: [`The payment has arrived, and ${letter.what} works as it did before.`],
    button: seePlan(letter.url),
    after: [],
    reason: plan,
  }),
  "plan-changed": (letter, { product }) => ({
    subject: `You changed your ${product} plan`,
    heading: "You have a new plan",
    before: [`You changed from ${letter.from} to ${letter.to}, from now on.`, sayNext(letter)],
    button: seePlan(letter.url),
    after: ["If something was charged for the change, the receipt comes in a mail of its own."],
    reason: plan,
  }),
  "downgrade-planned": (letter, { product }) => ({
    subject: `Your ${product} plan is going to change`,
    heading: "Your change of plan is noted",
    before: [
      `You keep ${letter.from} until ${letter.changes}. Then ${letter.to} begins.`,
      "Until that day you can take it back:",
    ],
    button: seePlan(letter.url),
    after: [],
    reason: plan,
  }),
  "plan-cancelled": (letter, { product, hasFreePlan }) => ({
    subject: `You cancelled your ${product} plan`,
    heading: "Your plan is cancelled",
    before: [
      `You keep ${letter.what} until ${letter.until}. Nothing more is charged.`,
      ...(hasFreePlan ? [] : [`After that day, you can't use ${product} without a new plan.`]),
      "Until that day you can take it back:",
    ],
    button: seePlan(letter.url),
    after: [],
    reason: plan,
  }),
  "plan-ended": (letter, { product, hasFreePlan }) => ({
    subject: `Your ${product} plan has ended`,
    heading: "Your plan has ended",
    before: [
      `${letter.what} ended on ${letter.ended}${letter.why === "cancelled" ? ", as you asked when you cancelled it" : ""}. ${letter.why === "unpaid" ? "A payment for it was overdue." : "Nothing more is charged for it."}`,
      ...(hasFreePlan ? [] : [`You can't use ${product} without a new plan.`]),
      "Your account stays open, and you can choose a plan again at any time:",
    ],
    button: seePlan(letter.url),
    after: [],
    reason: plan,
  }),
  "cancellation-undone": (letter, { product }) => ({
    subject: `Your ${product} plan goes on`,
    heading: "Your plan goes on",
    before: [`You took the cancellation of ${letter.what} back.`, sayNext(letter)],
    button: seePlan(letter.url),
    after: [],
    reason: plan,
  }),
  "renewal-notice": (letter, { product }) => ({
    subject: `Your ${product} plan renews in a week`,
    heading: "Your plan renews soon",
    before: [`${letter.what} renews on ${letter.nextCharge}, for ${letter.amount}. There is nothing you have to do.`],
    button: seePlan(letter.url),
    after: ["If you don't want that, cancel the plan before that day; you keep it until then."],
    reason: plan,
    off: { label: "Switch notices of renewals off in your settings", url: letter.offUrl },
  }),
};

export const planLetters: LettersOf<PlanLetter> = { en };
