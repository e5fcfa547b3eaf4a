import type Stripe from "stripe";
import { dueAtCheckout } from "../actions/payments/hold-credit.ts";
import { answerBank, payByBank, payByCard, progressOf } from "../actions/payments/checkout.ts";
import { applyCode, appliedCode, codeProblem, removeCode } from "../actions/payments/discount-session.ts";
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

/** The hosted checkout: `/checkout/:session`, `/confirm` for 3-D Secure, and `/code` for promotion codes. */
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
    viewOf(tx, demand(tx, "checkout_session", id), new URL(request.url).searchParams),
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
  if (step === "code") return takeCode(tx, session, fields);
  const code = appliedCode(tx, session);
  if (code !== null && codeProblem(tx, session, code.code) !== null) {
    removeCode(tx, session);
    return `${here}?code=${code.code}`;
  }
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

/** Applies the typed code, or removes the one that is applied: the form has a field for one of the two. */
function takeCode(tx: Transaction, session: Stripe.Checkout.Session, fields: FormData): string {
  const here = `/checkout/${session.id}`;
  if (session.allow_promotion_codes !== true) return here;
  const typed = String(fields.get("code") ?? "").trim();
  if (typed === "") removeCode(tx, session);
  else if (codeProblem(tx, session, typed) !== null) return `${here}?code=${encodeURIComponent(typed)}`;
  else applyCode(tx, session, typed);
  return here;
}

function viewOf(tx: Transaction, session: Stripe.Checkout.Session, query: URLSearchParams): CheckoutView {
  const progress = progressOf(tx, session);
  const customer = demand(tx, "customer", progress.customer);
  const intent = progress.payment_intent === null ? null : tx.store.find("payment_intent", progress.payment_intent);
  const total = session.amount_total ?? 0;
  const amountDue = dueAtCheckout(tx, session);
  const tried = query.get("code");
  return {
    session,
    lines: lineItemsOf(tx, session),
    email: customer.email,
    amountDue,
    credit: total - amountDue,
    isAwaitingHolder: progress.card_awaiting_action !== null,
    refusal: problemIn(query.get("problem")) ?? intent?.last_payment_error?.message ?? null,
    code: appliedCode(tx, session)?.code ?? null,
    codeProblem: tried === null ? null : codeProblem(tx, session, tried),
  };
}
