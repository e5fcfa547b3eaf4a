import type { Why } from "#app/modules/ledger/rules.ts";
import type { ReferralState, VoidReason } from "#app/modules/referrals/rules.ts";
import type { Messages } from "#app/core/messages.ts";

type Amounts = { discount: string; credit: string; qualifying: string };
type Limits = {
  attributionDays: number;
  holdDays: number;
  rewardsPerYear: number;
  discountMonths: number;
  creditMonths: number;
};

const en = {
  title: "Invite friends",
  lead: (amounts: Amounts, limits: Limits) =>
    `A friend who signs up through your link gets ${amounts.discount} back after the first payment, and you get ${amounts.credit} credit once they have paid ${amounts.qualifying} and ${limits.holdDays} days have passed.`,
  off: {
    lead: "What came of your invitations, and the credit that you have for them.",
    title: "Nobody can be invited at the moment",
    text: "Your link is closed: whoever opens it now sees the site and nothing more. Discounts and credit that were promised before are given.",
  },
  link: {
    title: "Your link",
    label: "Link for friends",
    copy: "Copy",
    copied: "Copied",
    share: "Share",
    shareTitle: (product: string, discount: string) => `${product}, with ${discount} back after the first payment`,
    qr: "Your link as a QR code",
  },
  rules: {
    title: "The rules",
    lines: (amounts: Amounts, limits: Limits) => [
      `A friend is a new customer: nobody has had an account with the same mailbox or paid with the same payment method, under whatever address. Your link counts for ${limits.attributionDays} days after it was opened, and as long as a friend then waits on the waitlist; of several people's links the first one counts.`,
      `Your friend pays the full price. Once that first payment has arrived, ${amounts.discount} of it goes back to the payment method, if they pay within ${limits.discountMonths} months after signing up; never more than was paid, once per mailbox and once per payment method.`,
      "Where Stripe can't tell us whether a payment method is new (Link, Apple Pay or Google Pay, for example), or where you, another customer or another friend has an email address at the same private domain, one of us looks at it before the discount is paid and before you get credit. Your friend is told by email.",
      `Your credit of ${amounts.credit} is due when your friend has really paid at least ${amounts.qualifying}, the discount not counted, and that payment is ${limits.holdDays} days old and not refunded. If your friend changes plans in the meantime, the days count from the change. It comes off your next charge by itself and runs out after ${limits.creditMonths} months.`,
      `You can earn ${limits.rewardsPerYear} credits a year. Unusually many sign-ups from one place are looked at first, for a week at most.`,
      "If your friend's payment is refunded or charged back, the credit for it is taken back. What you have used of it by then comes off any credit you have or get later. Your payment method is never charged for it. Credit that an order returns keeps its origin and its last day.",
    ],
  },
  credit: {
    title: "Your credit",
    balance: "Credit",
    next: "Used for",
    onCharge: (day: string) => `It comes off your next charge on ${day} by itself.`,
    onPlan: "It comes off the first payment of the next plan that you choose.",
    plans: "See the plans",
    expires: "Runs out",
    expiresText: (amount: string, day: string) => `${amount} of it on ${day}, unless it is used before.`,
    owed: "Still open",
    owedText: (amount: string) =>
      `${amount} was used before it was taken back. Any other credit of yours makes up for it; you don't have to pay anything.`,
  },
  funnel: {
    title: "What came of it",
    label: "From the visits through your link to the credit for them",
    visited: "Opened your link",
    signedUp: "Signed up",
    paid: "Paid enough",
    waiting: "Waiting",
    credited: "Credited",
  },
  cap: {
    label: "Rewards in the last 12 months",
    text: (used: number, max: number) => `${used} of ${max}`,
    title: (max: number) => `You have had the ${max} rewards of a year`,
    again: (day: string) =>
      `Your friends get their discount all the same. A reward that would be due before ${day} is not given; from then on the next one is.`,
  },
  friends: {
    title: "Friends",
    caption: "Friends who signed up through your link, and what becomes of your credit",
    friend: "A\u00a0friend",
    who: "Who",
    since: "Signed up",
    state: "Your credit",
    none: "Nobody yet",
    noneText:
      "When somebody signs up through your link, you see here that it happened and in which month. Who it was stays theirs to tell.",
    newest: (count: number) => `The newest ${count} are shown.`,
    chips: {
      "signed-up": "Signed up",
      "under-review": "Under review",
      qualified: "Paid",
      waiting: "Waiting",
      approved: "Credited",
      void: "Doesn't count",
    } satisfies Record<ReferralState, string>,
    reversed: "Taken back",
    signedUpText: (qualifying: string) => `Due once ${qualifying} is paid`,
    reviewText: (day: string) => `Many signed up from one place. Goes on by itself on ${day}`,
    qualifiedText: "Being checked",
    heldText: "The payment isn't final yet",
    waitingText: (day: string, holdDays: number) => `Until ${day}: the payment has to be kept for ${holdDays} days`,
    voidTexts: {
      self: "An address of your own",
      circle: "Brought you in their turn",
      returned: "Had an account before, or has another",
      "same-card": "Paid with a payment method of another account",
      refund: "The payment was refunded",
      dispute: "The bank took the payment back",
      cap: "Beyond the rewards of a year",
      review: "Not counted after a look at it",
      gone: "Nobody is left to receive it",
    } satisfies Record<VoidReason, string>,
  },
  ledger: {
    title: "Every movement of your credit",
    caption: "Movements of your credit, newest first",
    why: "Why",
    date: "Date",
    amount: "Amount",
    newest: (count: number) =>
      `The newest ${count} are shown. All of them are in your data, on the first page of the settings.`,
    order: (number: string | null) => (number ? `Order ${number}` : "See the order"),
    owed: (amount: string) => `${amount} of it had already been used, and comes off your other credit.`,
    whys: (product: string, creditMonths: number) =>
      ({
        friend: "A friend paid and stayed.",
        "left-over": "Left over from a change of plan.",
        given: `Given by the team of ${product}.`,
        order: "Used for a charge.",
        "order-void": "Back from a charge that was given up.",
        debt: "Used for what an earlier charge had left open.",
        refund: "A friend's payment was refunded.",
        dispute: "A friend's bank took the payment back.",
        "same-card": "A friend had paid with a card of yours.",
        "made-up": "Makes up for a reward that was used before it was taken back.",
        "order-refunded": "Back from an order that was refunded.",
        taken: `Taken by the team of ${product}.`,
        "used-first": "Was used at the very moment it was to be taken.",
        term: `Ran out: it was not used within ${creditMonths} months.`,
        gone: "The account was erased.",
      }) satisfies Record<Why, string>,
  },
};

export const referralMessages: Messages<typeof en> = { en };
