import type { Messages } from "#app/core/messages.ts";

const en = {
  title: "Withdraw from a contract",
  form: {
    lead: (days: number) =>
      `Within ${days} days of starting or changing a paid plan you can withdraw without a reason and get your money back. You need no account for it.`,
    contract:
      "If you changed plans, the withdrawal covers the order that you name and those that it was changed from or to: they are one contract. Your plan ends, and all of them are refunded. An order that is too old for that is refunded for what wasn't used when you changed.",
    name: "Your name",
    order: "Order number",
    orderHint: "It is on your receipt: 2026-000041, for example. The link in the mail with the receipt fills it in.",
    email: "E-mail address",
    emailHint: "The one that you ordered with. We confirm there at once that your declaration has arrived.",
    submit: "Go on",
    pending: "One moment",
    next: "You see what you declare before it counts.",
  },
  review: {
    title: "This is what you declare",
    lead: "Nothing has been declared so far.",
    declaration: (name: string, order: string) =>
      `I, ${name}, withdraw from the contract that I concluded with order ${order}.`,
    name: "Name",
    order: "Order",
    email: "The mail about it goes to",
    submit: "Confirm withdrawal",
    submitting: "Declaring",
    again: "Change it",
  },
  declared: {
    title: "Your withdrawal is declared",
    lead: "A mail about it is on its way to the address that you gave. If the order belongs to that address, it says what you declared, and when. Keep it.",
    before: "You declared the same before, on the same day. It counts from then, and its mail went out then.",
    next: "If the order is yours and there is still time, the money goes back the way it came, within 14 days at the latest, together with that of the orders that belong to the same contract. Your plan then ends. We write to you either way.",
    support: (address: string) => `If no mail comes, look in the spam folder, or write to ${address}.`,
    start: "Go to the start",
  },
  problems: {
    "name-missing": "Type your name.",
    "name-too-long": "That is more than a name takes here: at most 80 letters.",
    "name-malformed": "Type your name with letters, without other characters. Put a space after a dot.",
    "order-missing": "Type the number of the order.",
    "order-malformed": "Type the number as it is on your receipt, 2026-000041 for example.",
    "email-missing": "Type an e-mail address.",
    "email-malformed": "That is not a whole e-mail address. It looks like name@example.com.",
  },
};

export const withdrawMessages: Messages<typeof en> = { en };
