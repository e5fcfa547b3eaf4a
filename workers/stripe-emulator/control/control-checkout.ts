import type Stripe from "stripe";
import {
  answerBank,
  expireSession,
  payByBank,
  payByCard,
  progressOf,
  settleDebit,
} from "../actions/payments/checkout.ts";
import { collectDetails, lacksAddress, SAMPLE_DETAILS } from "../actions/payments/collect-details.ts";
import type { Books } from "../books.ts";
import { cardByNumber, type TestCard } from "../money/cards.ts";
import type { CheckoutOrder } from "./control-wishes.ts";
import { demand } from "../objects/find.ts";
import { whereTo } from "../pages/where-to.ts";
import { invalid } from "../http/stripe-errors.ts";

/** Drives a session as a customer on its page would, and returns where their browser would go. */
export function driveCheckout(books: Books, order: CheckoutOrder): object {
  const result = bringAbout(books, demand(books, "checkout_session", order.session), order.outcome);
  const { id, status, payment_status } = result;
  return {
    session: { id, status, payment_status },
    redirect: order.outcome === "cancelled" ? result.cancel_url : whereTo(result),
  };
}

/** A session with a pending bank debit can be paid or declined too. */
function bringAbout(
  books: Books,
  session: Stripe.Checkout.Session,
  outcome: CheckoutOrder["outcome"],
): Stripe.Checkout.Session {
  const progress = progressOf(books, session);
  if (progress.bank_debit_end !== null && outcome === "paid") return settleDebit(books, session, "succeeds");
  if (progress.bank_debit_end !== null && outcome === "declined") return settleDebit(books, session, "fails");
  switch (outcome) {
    case "paid":
      return progress.card_awaiting_action === null
        ? payByCard(books, filledIn(books, session), testCard("4242424242424242"))
        : answerBank(books, session, true);
    case "declined":
      return payByCard(books, filledIn(books, session), testCard("4000000000000002"));
    case "action":
      return payByCard(books, filledIn(books, session), testCard("4000002500003155"));
    case "processing":
      return payByBank(books, filledIn(books, session), "succeeds");
    case "expired":
      return expireSession(books, session);
    case "cancelled":
      // The customer goes back. Nothing happens at Stripe: the session stays open.
      return session;
  }
}

/** A customer would have typed an address where one is required. */
const filledIn = (books: Books, session: Stripe.Checkout.Session): Stripe.Checkout.Session =>
  session.status === "open" && lacksAddress(session) ? collectDetails(books, session, SAMPLE_DETAILS) : session;

function testCard(number: string): TestCard {
  const card = cardByNumber(number);
  if (card === null) throw invalid(`No such test card: ${number}`);
  return card;
}
