import type { Messages } from "#app/core/messages.ts";
import type { EmailNames, EmailsOf, EmailTextFor } from "#app/modules/email/texts.rules.ts";

type ReferralEmail =
  /** An operator reviews the friend's discount first. */
  | ({ template: "friend-discount-review"; why: "payment-method" | "domain" | "provider" } & Discount)
  /** There is no friend's discount. */
  | ({ template: "friend-discount-refused"; why: "known-mailbox" | "known-method" | "operator" } & Discount)
  /** A friend's payment wasn't refunded within `holdDays`. */
  | { template: "reward-earned"; amount: string; url: string; offUrl: string }
  /** A reward was reversed: the friend's payment was refunded, or the owner paid with the friend's card. */
  | { template: "reward-reversed"; cause: "money-back" | "own-card"; amount: string; url: string; offUrl: string };

type Discount = { amount: string; url: string };

declare module "#app/modules/email/templates.rules.ts" {
  interface Emails {
    referrals: ReferralEmail;
  }
}

const order = "You're receiving this email because of an order on your account.";
const friend = "You're receiving this email because you invited a friend.";
const see = (url: string) => ({ label: "See my order", url });

const reversedBecause = {
  "money-back": "A friend you invited got their payment back",
  "own-card": "A friend you invited paid with one of your cards",
};

const en: EmailTextFor<ReferralEmail> = {
  "friend-discount-review": (content, { product }) => ({
    subject: `We're checking your ${product} friend discount`,
    heading: "We're checking your friend discount",
    before: [
      `Your payment has arrived and your plan is active. We need to check your discount of ${content.amount} before we pay it.`,
      content.why === "payment-method"
        ? "The discount is for new customers, once per payment method. We can't tell yet whether yours is new."
        : content.why === "domain"
          ? "The discount is for new customers, once per mailbox. Other customers may have addresses at your domain, so we're checking that you're new."
          : "Stripe didn't accept the refund. We're finding out why.",
    ],
    button: see(content.url),
    after: ["There's nothing you need to do. We'll email you when we've decided, and you'll see it in your order."],
    reason: order,
  }),
  "friend-discount-refused": (content, { product }) => ({
    subject: `No friend discount for your ${product} order`,
    heading: "No friend discount for this order",
    before: [
      content.why === "known-mailbox"
        ? `You won't get the ${content.amount} discount. It's for new customers, and your email address has already been used for another account.`
        : content.why === "known-method"
          ? `You won't get the ${content.amount} discount. It's for new customers, and your payment method has already been used for another account.`
          : `We've checked, and your order doesn't qualify for the discount of ${content.amount}.`,
      "Your order and your plan aren't affected.",
    ],
    button: see(content.url),
    after: [
      "If you think this is wrong, contact us. Your order page shows how long you can withdraw from the contract.",
    ],
    reason: order,
  }),
  "reward-earned": (content, { product }) => ({
    subject: `You've earned ${product} credit`,
    heading: `You've earned ${content.amount}`,
    before: [
      `A friend you invited is now a paying customer, so you get ${content.amount} of credit. It comes off your next payment automatically.`,
    ],
    button: { label: "See my credit", url: content.url },
    after: [],
    reason: friend,
    off: { label: "Turn off credit emails", url: content.offUrl },
  }),
  "reward-reversed": (content, { product }) => ({
    subject: `${product} credit was reversed`,
    heading: "Credit was reversed",
    before: [`${reversedBecause[content.cause]}, so we've reversed your credit of ${content.amount}.`],
    button: { label: "See my credit", url: content.url },
    after: [
      "If you've already used some of it, we deduct that from your other credit. We never charge your payment method for it.",
    ],
    reason: friend,
    off: { label: "Turn off credit emails", url: content.offUrl },
  }),
};

const names: EmailNames<ReferralEmail> = {
  "friend-discount-review": "Friend's discount under review",
  "friend-discount-refused": "Friend's discount refused",
  "reward-earned": "Credit for a friend",
  "reward-reversed": "Credit reversed",
};

export const referralEmails: EmailsOf<ReferralEmail> = { en };
export const referralEmailNames: Messages<EmailNames<ReferralEmail>> = { en: names };
