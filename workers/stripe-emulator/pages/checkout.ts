import type Stripe from "stripe";
import { dueAtCheckout } from "../actions/payments/hold-credit.ts";
import { answerBank, payByBank, payByCard, progressOf } from "../actions/payments/checkout.ts";
import { asksAddress, asksTaxId, collectDetails } from "../actions/payments/collect-details.ts";
import type { Transaction } from "../transaction.ts";
import { lineItemsOf } from "../objects/checkout/checkout-line-items.ts";
import { demand } from "../objects/demand.ts";
import { type CheckoutView, checkoutPage, closedPage, confirmPage } from "./checkout-page.ts";
import { readCard } from "./card-fields.ts";
import { readDetails } from "./details-fields.ts";
import { problemIn } from "./problems.ts";
import { seeOther } from "./html.ts";
import { redirectTarget } from "./redirect-target.ts";
import type { Account } from "../account.ts";

/** The hosted checkout: `/checkout/:session`, and `/checkout/:session/confirm` for 3-D Secure. */
export async function answerCheckout(
  account: Account,
  request: Request,
  id: string,
  step: string | undefined,
): Promise<Response> {
  const caller = { origin: new URL(request.url).origin };
  if (request.method === "POST") {
    const fields = await request.formData();
    const { result } = account.transact(caller, (tx) =>
      takeAnswer(tx, demand(tx, "checkout_session", id), fields, step),
    );
    return seeOther(request, result);
  }
  const { result: view } = account.transact(caller, (tx) =>
    viewOf(tx, demand(tx, "checkout_session", id), new URL(request.url).searchParams.get("problem")),
  );
  if (view.session.status !== "open") return closedPage(view);
  if (view.isAwaitingHolder && step === "confirm") return confirmPage(view);
  return checkoutPage(view);
}

/** Runs the customer's choice, and returns where the browser goes next. */
function takeAnswer(
  tx: Transaction,
  session: Stripe.Checkout.Session,
  fields: FormData,
  step: string | undefined,
): string {
  const here = `/checkout/${session.id}`;
  if (session.status !== "open") return here;
  if (step === "confirm") return redirectTarget(answerBank(tx, session, fields.get("answer") === "complete")) ?? here;
  const details = readDetails(fields, { address: asksAddress(session), taxId: asksTaxId(session) });
  if ("problem" in details) return `${here}?problem=${details.problem}`;
  const located = asksAddress(session) || asksTaxId(session) ? collectDetails(tx, session, details) : session;
  const bank = fields.get("bank");
  if (bank === "succeeds" || bank === "fails") return redirectTarget(payByBank(tx, located, bank)) ?? here;
  const typed = readCard(fields, tx.clock.now());
  if ("problem" in typed) return `${here}?problem=${typed.problem}`;
  const after = payByCard(tx, located, typed.card, typed.expiry);
  return redirectTarget(after) ?? (progressOf(tx, after).card_awaiting_action === null ? here : `${here}/confirm`);
}

function viewOf(tx: Transaction, session: Stripe.Checkout.Session, problem: string | null): CheckoutView {
  const progress = progressOf(tx, session);
  const customer = demand(tx, "customer", progress.customer);
  const intent = progress.payment_intent === null ? null : tx.store.find("payment_intent", progress.payment_intent);
  const total = session.amount_total ?? 0;
  const amountDue = dueAtCheckout(tx, session);
  return {
    session,
    lines: lineItemsOf(tx, session),
    email: customer.email,
    amountDue,
    credit: total - amountDue,
    isAwaitingHolder: progress.card_awaiting_action !== null,
    refusal: problemIn(problem) ?? intent?.last_payment_error?.message ?? null,
  };
}
