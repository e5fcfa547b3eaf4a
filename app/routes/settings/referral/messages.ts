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
    `Give ${amounts.discount}, get ${amounts.credit}. Your friend gets ${amounts.discount} back after their first payment. You get ${amounts.credit} credit ${limits.holdDays} days after they've paid at least ${amounts.qualifying}.`,
  off: {
    lead: "The results of your invitations, and the credit you've earned.",
    title: "Invitations are paused",
    text: "Your link leads to our site, but gives no discount or credit at the moment. You and your friends still get what was promised before.",
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
      `Your friend must be a new customer: no other account has used their mailbox or payment method. They have ${limits.attributionDays} days to sign up after opening your link, plus any time they spend on the waitlist. If they open links from several people, the first one counts.`,
      `Your friend pays the full price. Once that first payment arrives, we refund ${amounts.discount} to their payment method, if they pay within ${limits.discountMonths} months of signing up. We never refund more than they paid, and only once per mailbox and payment method.`,
      "Sometimes one of us checks before the discount is refunded and before you get credit: when Stripe can't tell us whether a payment method is new (for example Link, Apple Pay or Google Pay), or when you, another customer or another friend has an email address at the same private domain. We tell your friend by email.",
      `You get ${amounts.credit} credit when your friend has paid at least ${amounts.qualifying} after the discount, and that payment is ${limits.holdDays} days old and hasn't been refunded. If your friend changes plans in the meantime, the days count from the change. The credit is taken off your next payment automatically and expires after ${limits.creditMonths} months.`,
      `You can earn ${limits.rewardsPerYear} credits a year. If unusually many people sign up from one place, we check first, for a week at most.`,
      "If your friend's payment is refunded or charged back, you lose the credit for it. If you've already used it, we deduct it from your other or future credit, never from your card. When an order returns credit to you, that credit keeps its expiry date.",
    ],
  },
  credit: {
    title: "Your credit",
    balance: "Credit",
    next: "Used for",
    onCharge: (day: string) => `It's taken off your next payment on ${day} automatically.`,
    onPlan: "It's taken off the first payment for the next plan you choose.",
    plans: "See plans",
    expires: "Expires",
    expiresText: (amount: string, day: string) => `${amount} expires on ${day} if you haven't used it.`,
    owed: "Still to deduct",
    owedText: (amount: string) =>
      `You used ${amount} of credit that was later cancelled. We'll deduct it from your other or future credit; you don't have to pay anything.`,
  },
  funnel: {
    title: "Results",
    label: "From visits through your link to your credit",
    visited: "Opened your link",
    signedUp: "Signed up",
    paid: "Paid",
    waiting: "Waiting",
    credited: "Credited",
  },
  cap: {
    label: "Rewards in the last 12 months",
    text: (used: number, max: number) => `${used} of ${max}`,
    title: (max: number) => `You've earned all ${max} rewards for this year`,
    again: (day: string) => `Your friends still get their discount. You can earn rewards again from ${day}.`,
  },
  friends: {
    title: "Friends",
    caption: "Friends who signed up through your link, and the status of your credit",
    friend: "A\u00a0friend",
    who: "Friend",
    since: "Signed up",
    state: "Your credit",
    none: "No friends yet",
    noneText:
      "When a friend signs up through your link, they appear here with the month. You only see their name if they've added one to their profile.",
    newest: (count: number) => `Showing the newest ${count}.`,
    chips: {
      "signed-up": "Signed up",
      "under-review": "Under review",
      qualified: "Paid",
      waiting: "Waiting",
      approved: "Credited",
      void: "Doesn't count",
    } satisfies Record<ReferralState, string>,
    reversed: "Cancelled",
    signedUpText: (qualifying: string) => `Due once they've paid ${qualifying}`,
    reviewText: (day: string) => `Many people signed up from one place. Continues automatically on ${day}`,
    qualifiedText: "We're checking it",
    heldText: "The payment isn't final yet",
    waitingText: (day: string, holdDays: number) => `Until ${day}, when the payment is ${holdDays} days old`,
    voidTexts: {
      self: "Your own address",
      circle: "They invited you",
      returned: "They already had an account",
      "same-card": "Another account has used their payment method",
      refund: "The payment was refunded",
      dispute: "The bank reversed the payment",
      cap: "Over your yearly limit",
      review: "Didn't qualify when we checked",
      gone: "Account closed",
    } satisfies Record<VoidReason, string>,
  },
  ledger: {
    title: "Credit history",
    caption: "Changes to your credit, newest first",
    why: "Reason",
    date: "Date",
    amount: "Amount",
    newest: (count: number) =>
      `Showing the newest ${count}. Your data download on the Account page includes all of them.`,
    order: (number: string | null) => (number ? `Order ${number}` : "See order"),
    owed: (amount: string) => `You'd already used ${amount}, so it's deducted from your other credit.`,
    whys: (product: string, creditMonths: number) =>
      ({
        friend: "A friend's payment qualified.",
        "left-over": "Left over from a plan change.",
        given: `Added by the ${product} team.`,
        order: "Used for a payment.",
        "order-void": "Returned from a cancelled payment.",
        debt: "Used for an amount carried over from an earlier payment.",
        refund: "A friend's payment was refunded.",
        dispute: "A friend's bank reversed the payment.",
        "same-card": "A friend paid with your card.",
        "made-up": "Deducted for a cancelled reward you'd already used.",
        "order-refunded": "Returned from a refunded order.",
        taken: `Removed by the ${product} team.`,
        "used-first": "Used just before it would have been removed.",
        term: `Expired after ${creditMonths} months without being used.`,
        gone: "The account was erased.",
      }) satisfies Record<Why, string>,
  },
};

export const referralMessages: Messages<typeof en> = { en };
