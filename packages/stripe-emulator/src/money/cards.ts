/** The Stripe test cards that are useful here: https://docs.stripe.com/testing */
export interface TestCard {
  number: string;
  brand: string;
  means: string;
  /** What happens when the cardholder pays at checkout. */
  atCheckout: "succeeds" | "declines" | "asks-holder";
  /** What happens when it is saved and charged later, without the cardholder. */
  later: "succeeds" | "declines" | "asks-holder";
  /** How a refund to it completes; immediately where not set. */
  refund?: "settles-later" | "fails-later";
  /** The wallet that holds the card, which has a separate test number. */
  wallet?: "apple_pay" | "google_pay";
}

export const TEST_CARDS: readonly TestCard[] = [
  { number: "4242424242424242", brand: "visa", means: "succeeds", atCheckout: "succeeds", later: "succeeds" },
  { number: "4000000000000002", brand: "visa", means: "is declined", atCheckout: "declines", later: "declines" },
  {
    number: "4000002500003155",
    brand: "visa",
    means: "asks its holder to confirm (3-D Secure)",
    atCheckout: "asks-holder",
    later: "succeeds",
  },
  {
    number: "4000000000000341",
    brand: "visa",
    means: "succeeds now, fails at every renewal",
    atCheckout: "succeeds",
    later: "declines",
  },
  {
    number: "4000002760003184",
    brand: "visa",
    means: "asks its holder to confirm at every payment, renewals too",
    atCheckout: "asks-holder",
    later: "asks-holder",
  },
  { number: "5555555555554444", brand: "mastercard", means: "succeeds", atCheckout: "succeeds", later: "succeeds" },
  {
    number: "5200828282828210",
    brand: "mastercard",
    means: "succeeds (debit)",
    atCheckout: "succeeds",
    later: "succeeds",
  },
  { number: "4000056655665556", brand: "visa", means: "succeeds (debit)", atCheckout: "succeeds", later: "succeeds" },
  {
    number: "4000000000007726",
    brand: "visa",
    means: "succeeds, its refund takes some days",
    atCheckout: "succeeds",
    later: "succeeds",
    refund: "settles-later",
  },
  {
    number: "4000000000005126",
    brand: "visa",
    means: "succeeds, its refund fails some days later",
    atCheckout: "succeeds",
    later: "succeeds",
    refund: "fails-later",
  },
];

/** A card in a wallet, whose number isn't typed. */
export const WALLET_CARDS: readonly TestCard[] = (["apple_pay", "google_pay"] as const).map((wallet) => ({
  number: "4242424242424242",
  brand: "visa",
  means: "succeeds, as a new payment method every time",
  atCheckout: "succeeds",
  later: "succeeds",
  wallet,
}));

export const cardByWallet = (pressed: string): TestCard | null =>
  WALLET_CARDS.find(({ wallet }) => wallet === pressed) ?? null;

export function cardByNumber(typed: string): TestCard | null {
  const number = typed.replaceAll(/[\s-]/g, "");
  return TEST_CARDS.find((card) => card.number === number) ?? null;
}

export const cardByLast4 = (last4: string): TestCard | null =>
  TEST_CARDS.find((card) => card.number.endsWith(last4)) ?? null;

export interface Expiry {
  month: number;
  year: number;
}

/** "12 / 34" as customers type it. */
export function readExpiry(typed: string): Expiry | null {
  const [, month, year] = /^\s*(\d{1,2})\s*\/?\s*(?:20)?(\d{2})\s*$/.exec(typed) ?? [];
  const expiry = { month: Number(month), year: 2000 + Number(year) };
  return expiry.month >= 1 && expiry.month <= 12 ? expiry : null;
}

/** A card is valid until the last day of its month, by the account's clock. */
export const isPast = ({ month, year }: Expiry, now: number): boolean => Date.UTC(year, month) <= now * 1000;

export interface Failure {
  code: string;
  declineCode?: string;
  message: string;
}

export const DECLINED: Failure = {
  code: "card_declined",
  declineCode: "generic_decline",
  message: "Your card was declined.",
};

export const EXPIRED: Failure = {
  code: "expired_card",
  declineCode: "expired_card",
  message: "Your card has expired.",
};

export const NOT_AUTHENTICATED: Failure = {
  code: "payment_intent_authentication_failure",
  message: "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
};

export const DEBIT_FAILED: Failure = {
  code: "payment_intent_payment_attempt_failed",
  declineCode: "insufficient_funds",
  message: "The customer's bank account could not be debited: insufficient funds.",
};
