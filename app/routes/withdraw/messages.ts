import type { Messages } from "#app/core/messages.ts";

const en = {
  title: "Withdraw from a contract",
  form: {
    lead: (days: number) =>
      `You can withdraw within ${days} days of starting or changing a paid plan and get your money back. You don't have to give a reason or sign in.`,
    contract:
      "If you changed plans, the withdrawal covers the order you name and the orders it was changed from or to, because they're one contract. Your plan ends and all of them are refunded. For an order that's too old to withdraw from, we refund the part you hadn't used when you changed.",
    name: "Your name",
    order: "Order number",
    orderHint: "It's on your receipt, for example 2026-000041. The link in your receipt email fills it in.",
    email: "Email address",
    emailHint: "The address you ordered with. We'll email you there immediately to confirm we've received your notice.",
    submit: "Continue",
    pending: "One moment",
    next: "You can check it before you send it.",
  },
  review: {
    title: "Check your notice",
    lead: "Nothing has been sent yet.",
    declaration: (name: string, order: string) => `I, ${name}, hereby withdraw from my contract for order ${order}.`,
    name: "Name",
    order: "Order",
    email: "Confirmation sent to",
    submit: "Confirm withdrawal",
    submitting: "Sending",
    again: "Edit",
  },
  declared: {
    title: "Withdrawal sent",
    lead: "We're emailing a confirmation to the address you entered. If the order belongs to that address, it shows what you sent and when. Keep it.",
    before: "You'd already sent this on the same day. The first one counts, and we confirmed it by email then.",
    next: "If the order is yours and still within the withdrawal period, we'll refund the payment method you used, within 14 days, including other orders of the same contract. Your plan then ends. We'll email you either way.",
    support: (address: string) => `If you don't get an email, check your spam folder or email ${address}.`,
    start: "Go to the home page",
  },
  problems: {
    "name-missing": "Enter your name.",
    "name-too-long": "Enter a name of up to 80 characters.",
    "name-malformed": "Enter your name using letters only, with a space after any full stop.",
    "order-missing": "Enter your order number.",
    "order-malformed": "Enter the order number from your receipt, like 2026-000041.",
    "email-missing": "Enter your email address.",
    "email-malformed": "Enter a full email address, like name@example.com.",
  },
};

export const withdrawMessages: Messages<typeof en> = { en };
