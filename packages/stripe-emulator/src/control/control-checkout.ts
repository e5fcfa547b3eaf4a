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
import type { Transaction } from "../transaction.ts";
import { cardByNumber, type TestCard } from "../money/cards.ts";
import type { CheckoutCommand } from "./control-commands.ts";
import { demand } from "../objects/demand.ts";
import { redirectTarget } from "../pages/redirect-target.ts";
import { invalid } from "../http/stripe-errors.ts";

/** Drives a session as a customer on its page would, and returns where their browser would go. */
export function driveCheckout(tx: Transaction, command: CheckoutCommand): object {
  const result = carryOut(tx, demand(tx, "checkout_session", command.session), command.outcome);
  const { id, status, payment_status } = result;
  return {
    session: { id, status, payment_status },
    redirect: command.outcome === "cancelled" ? result.cancel_url : redirectTarget(result),
  };
}

/** A session with a pending bank debit can be paid or declined too. */
function carryOut(
  tx: Transaction,
  session: Stripe.Checkout.Session,
  outcome: CheckoutCommand["outcome"],
): Stripe.Checkout.Session {
  const progress = progressOf(tx, session);
  if (progress.bank_debit_end !== null && outcome === "paid") return settleDebit(tx, session, "succeeds");
  if (progress.bank_debit_end !== null && outcome === "declined") return settleDebit(tx, session, "fails");
  switch (outcome) {
    case "paid":
      return progress.card_awaiting_action === null
        ? payByCard(tx, filledIn(tx, session), testCard("4242424242424242"))
        : answerBank(tx, session, true);
    case "declined":
      return payByCard(tx, filledIn(tx, session), testCard("4000000000000002"));
    case "action":
      return payByCard(tx, filledIn(tx, session), testCard("4000002500003155"));
    case "processing":
      return payByBank(tx, filledIn(tx, session), "succeeds");
    case "expired":
      return expireSession(tx, session);
    case "cancelled":
      // The customer goes back. Nothing happens at Stripe: the session stays open.
      return session;
  }
}

/** A customer would have typed an address where one is required. */
const filledIn = (tx: Transaction, session: Stripe.Checkout.Session): Stripe.Checkout.Session =>
  session.status === "open" && lacksAddress(session) ? collectDetails(tx, session, SAMPLE_DETAILS) : session;

function testCard(number: string): TestCard {
  const card = cardByNumber(number);
  if (card === null) throw invalid(`No such test card: ${number}`);
  return card;
}
