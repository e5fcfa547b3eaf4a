import type { Messages } from "#app/core/messages.ts";

const en = {
  title: "Your data",
  lead: "Download what we store about you, or close your account.",
};

export const dataMessages: Messages<typeof en> = { en };

const accountClosingTexts = {
  /** While a withdrawal is open: the account is erased after it. */
  withdrawal: "You've withdrawn from a contract. We'll settle that before we erase your account.",
  data: {
    title: "Download your data",
    brief: "As one file",
    text: (ofFeatures: readonly string[]) =>
      `Your ${["account", "orders", ...ofFeatures, "invitations"].join(", ")} and a list of the emails we sent you, in one file. Codes, keys and other people's data aren't in it.`,
    button: "Download my data",
  },
  close: {
    title: "Close your account",
    brief: (days: number) => `Can be undone for ${days} days`,
    text: (days: number) => `You can restore a closed account for ${days} days by signing in. After that, we erase it.`,
    open: "Close my account",
    ends: "What ends immediately",
    /** `refund` is null while a withdrawal is open, since another sentence covers that. */
    plan: (plan: string, refund: string | null) =>
      [`Your ${plan} plan.`, refund, "If you restore your account, the plan doesn't come back."]
        .filter(Boolean)
        .join(" "),
    noRefund: "The current period isn't refunded.",
    /** `until` is the end of the notice that a renewed year has. */
    refund: ({ amount, until }: { amount: string; until: string }) =>
      `You get back what you paid for the time after ${until}, about ${amount}, by the way you paid.`,
    /** After `refund`. */
    withdrawUntil: (day: string) =>
      `By ${day} you can also withdraw from the contract, on the order's page, before or after closing.`,
    refundUntil: (day: string) =>
      `The current period isn't refunded, unless you withdraw from the contract by ${day}. You can do that on the order's page before or after closing.`,
    sessions: "All other browsers are signed out.",
    settings: "Access to these pages, except your orders and your data.",
    erased: (days: number) => `What we erase after ${days} days`,
    profile: (ofFeatures: readonly string[]) =>
      `Your ${["email address", "name", ...ofFeatures, "passkeys", "sign-in history"].join(", ")} and account activity.`,
    invitations: "Your link for friends, and any discount or credit you haven't used.",
    inProcess:
      "Your bank is processing a payment, which can't be stopped. You can close your account once it has arrived or failed; we'll email you then.",
    stays: "What we keep",
    orders:
      "Your orders and invoices, as the law requires: numbers, dates, amounts, your country and Stripe's IDs, without your name or address.",
    hashes:
      "Hashes of your email address, your payment methods and, unless it's a public provider's, your email domain. They stop new-customer discounts being given twice, and can't be turned back into an address or a card number.",
    privacy: "See the privacy notice",
    button: "Close my account now",
    pending: "Closing",
  },
  page: {
    title: "Your account is closed",
    lead: (email: string) => `Signed in as ${email}.`,
    restore: "Restore your account",
    until: "You can restore it until ",
    untilText:
      "Everything comes back, except a paid plan if you had one: it ended when you closed the account. After that date, your account is erased.",
    button: "Restore my account",
    pending: "Restoring",
    overTitle: "Your account is being erased",
    over: "You can no longer restore it. You can still download your data until it's erased.",
    receipts: {
      title: "Orders and invoices",
      text: "You can see your orders, and how long you can still withdraw from them, until your account is erased.",
      link: "See your orders",
    },
  },
};

export const accountClosingMessages: Messages<typeof accountClosingTexts> = { en: accountClosingTexts };
