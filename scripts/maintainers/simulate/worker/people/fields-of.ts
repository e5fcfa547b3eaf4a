import type { Means } from "../../story.ts";
import { cardOf, cardThatFailsLater, cardToConfirm, declinedCard } from "./cards.ts";

/** What someone types on Stripe's page. `known` returns the name of a person whose card they can borrow, if there is one. */
export function fieldsOf(
  means: Means,
  own: string,
  known: (name: string) => string | undefined,
): Record<string, string> {
  const card = (number: string) => ({ number, expiry: "12 / 45" });
  switch (means) {
    case "own card":
      return card(cardOf(own));
    case "second card":
      return card(cardOf(own, 1));
    case "declined card":
      return card(declinedCard);
    case "card to confirm":
      return card(cardToConfirm);
    case "card that fails later":
      return card(cardThatFailsLater);
    case "bank debit":
      return { bank: "succeeds" };
    case "bank debit that fails":
      return { bank: "fails" };
    case "wallet":
      return { testCard: "apple_pay" };
    default:
      return card(cardOf(known(means.slice("card of ".length)) ?? own));
  }
}
