import { cardByNumber, TEST_CARDS, type TestCard } from "stripe-emulator/facts";
import { names } from "../../names.ts";

export const declinedCard = "4000000000000002";
/** Asks its holder to confirm the first payment. */
export const cardToConfirm = "4000002500003155";
/** Succeeds now, and is declined at every renewal. */
export const cardThatFailsLater = "4000000000000341";

/**
 * Each person has cards of their own, since a method earns a discount once. Their last four digits are those of none of Stripe's own test
 * cards, by which the emulator finds how a card behaves.
 */
export function cardOf(name: string, which = 0): string {
  const [first = "", round = "1"] = name.split(" ");
  const index = names.length * (Number(round) - 1) + names.indexOf(first);
  const number = `42424242424${String(15_000 + which * 1_000 + index)}`;
  if (cardByNumber(number) === null) {
    const card: TestCard = { number, brand: "visa", means: "succeeds", atCheckout: "succeeds", later: "succeeds" };
    // The emulator's own list, which it reads on each payment.
    (TEST_CARDS as TestCard[]).push(card);
  }
  return number;
}
