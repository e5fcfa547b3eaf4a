import { formatSpan } from "#app/core/time/time.ts";
import { reviewMs } from "#app/modules/referrals/eligibility.rules.ts";
import type { Why } from "#app/modules/billing/credit/rules.ts";
import { rewardWindowMs } from "#app/modules/referrals/reward.rules.ts";
import type { ReferralState, VoidReason } from "#app/modules/referrals/rules.ts";
import type { Messages } from "#app/core/messages.ts";

/** Null for a side that gets nothing. */
type Amounts = { discount: string | null; credit: string | null; qualifying: string };
type Limits = {
  attributionDays: number;
  holdDays: number;
  rewardsPerYear: number;
  discountMonths: number;
  creditMonths: number;
};

const friends = (count: number) => (count === 1 ? "1 friend" : `${count} friends`);

const en = {
  title: "Invite friends",
  /** Shown below the heading while the programme is on. Null if neither side gets anything. */
  offer: ({ discount, credit }: Amounts) => {
    if (discount && credit) return `Give ${discount}, get ${credit}`;
    if (discount) return `Give a friend ${discount}`;
    return credit ? `Get ${credit} for each friend` : null;
  },
  lead: ({ discount, credit, qualifying }: Amounts, { holdDays }: Limits) =>
    [
      discount && `Your friend gets ${discount} back after their first payment.`,
      credit && `You get ${credit} of credit ${holdDays} days after they've paid at least ${qualifying} in total.`,
      !discount && !credit && "Share your link, and see who joined through it.",
    ]
      .filter(Boolean)
      .join(" "),
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
    shareTitle: (product: string, discount: string | null) =>
      discount ? `${product}, with ${discount} back after the first payment` : product,
    qr: "Your link as a QR code",
  },
  rules: {
    title: "The rules",
    items: ({ discount, credit, qualifying }: Amounts, limits: Limits) => [
      {
        question: "Who counts as a friend?",
        answer: `A new customer: no other account has used their email address or payment method. They have to sign up within ${limits.attributionDays} days of opening your link. Time spent waiting for an invitation doesn't count towards those days. If several people invite them, the first link they opened counts.`,
      },
      ...(discount
        ? [
            {
              question: `When does my friend get ${discount}?`,
              answer: `Right after their first payment, if they make it within ${limits.discountMonths} months of signing up. They pay the full price, and we refund ${discount} of it, but never more than they paid.`,
            },
          ]
        : []),
      ...(credit
        ? [
            {
              question: `When do I get ${credit}?`,
              answer: `${limits.holdDays} days after your friend has paid at least ${qualifying} in total. If they change plans in the meantime, the ${limits.holdDays} days start again. We take the credit off your next payment. It expires after ${limits.creditMonths} months.`,
            },
            {
              question: "How many friends can I invite?",
              answer: `As many as you like. You can earn credit for ${limits.rewardsPerYear} of them in any ${formatSpan(rewardWindowMs)}.`,
            },
          ]
        : []),
      ...(discount || credit
        ? [
            {
              question: "Why might you check an invitation?",
              answer: `With Link, Apple Pay or Google Pay, we can't always tell whether a payment method is new. Two addresses at one company may belong to the same person. We email your friend if we have to check.${credit ? ` If unusually many people sign up from one place, the check can take up to ${formatSpan(reviewMs)}.` : ""}`,
            },
          ]
        : []),
      ...(credit
        ? [
            {
              question: "What if a friend's payment is refunded?",
              answer:
                "You lose the credit for it. If you've already used it, we deduct it from any credit you still have or earn later, never from your card.",
            },
          ]
        : []),
    ],
  },
  credit: {
    title: "Your credit",
    balance: "Credit",
    next: "Next use",
    onCharge: (day: string) => `Your payment on ${day}`,
    onPlan: "The first payment for the next plan you choose",
    plans: "See plans",
    expires: "Expires",
    expiresText: (amount: string, day: string) => `${amount} expires on ${day} if you haven't used it.`,
    owed: "Still to deduct",
    owedText: (amount: string) =>
      `You used ${amount} of credit that was later cancelled. We'll deduct it from any credit you still have or earn later; you don't have to pay anything.`,
  },
  results: {
    title: "Results",
    visited: "Opened your link and went on",
    signedUp: "Signed up",
    paid: "Paid",
    credited: "Credited",
  },
  cap: {
    text: (used: number, max: number) =>
      used === 0
        ? `You haven't earned credit in the last ${formatSpan(rewardWindowMs)}. You can earn it for ${friends(max)} at most.`
        : `In the last ${formatSpan(rewardWindowMs)}, you've earned credit for ${friends(used)}. The maximum is ${max}.`,
    title: (max: number) =>
      `You've earned credit for ${friends(max)} in ${formatSpan(rewardWindowMs)}, the most possible`,
    again: (day: string) => `Your friends still get their discount. You can earn credit again from ${day}.`,
  },
  friends: {
    title: "Friends",
    caption: "Friends who signed up through your link, and the status of your credit",
    initial: (letter: string) => `${letter}.`,
    unnamed: "A friend",
    closed: "Account closed",
    joined: (who: string, month: string) => `${who}, joined in ${month}`,
    who: "Friend",
    state: "Your credit",
    none: "No friends yet",
    noneText:
      "When a friend signs up through your link, they appear here with their initial and the month they joined.",
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
    signedUpText: ({ qualifying }: Amounts) => `You get credit after they've paid at least ${qualifying} in total`,
    reviewText: (day: string) => `Many people signed up from one place. Continues automatically on ${day}`,
    qualifiedText: "We're checking it",
    heldText: "The payment isn't final yet",
    waitingText: (day: string) => `Credit on ${day} at the earliest`,
    voidTexts: {
      self: "Your own address",
      circle: "They invited you",
      returned: "They already had an account",
      "same-card": "Not a new customer",
      refund: "The payment was refunded",
      dispute: "The bank reversed the payment",
      cap: "Over your yearly limit",
      review: "Didn't qualify when we checked",
      "account-erased": "Account closed",
    } satisfies Record<VoidReason, string>,
  },
  ledger: {
    title: "Credit history",
    caption: "Changes to your credit, newest first",
    why: "Reason",
    date: "Date",
    amount: "Amount",
    newest: (count: number) => `Showing the newest ${count}. The download on Your data includes all of them.`,
    order: (number: string | null) => (number ? `Order ${number}` : "See order"),
    owed: (amount: string) => `You'd already used ${amount}, so it's deducted from your other credit`,
    whys: (product: string, creditMonths: number) =>
      ({
        friend: "A friend became a customer",
        "left-over": "Left over from a plan change",
        given: `Added by the ${product} team`,
        order: "Used for a payment",
        "order-void": "Returned from a cancelled payment",
        debt: "Used for an amount carried over from an earlier payment",
        refund: "A friend's payment was refunded",
        dispute: "A friend's bank reversed the payment",
        "same-card": "A friend paid with your card",
        "made-up": "Deducted for cancelled credit you'd already used",
        "order-refunded": "Returned from a refunded order",
        taken: `Removed by the ${product} team`,
        "used-first": "Used just before it would have been removed",
        term: `Expired after ${creditMonths} months without being used`,
        "account-erased": "The account was erased",
      }) satisfies Record<Why, string>,
  },
};

export const referralMessages: Messages<typeof en> = { en };
