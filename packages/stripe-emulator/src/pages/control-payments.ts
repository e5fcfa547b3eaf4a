import type Stripe from "stripe";
import { formatAmount } from "../money/money.ts";
import { disputeOf } from "../objects/payments/dispute-shape.ts";
import { refundsOf } from "../objects/payments/refund-shape.ts";
import { purposeOf } from "../money/order-charges.ts";
import { formatTime, html, type Markup } from "./html.ts";
import type { Account } from "../account.ts";

const PAYMENTS_SHOWN = 20;

/** Payments, with what an operator's dashboard and the banks can do about them. */
export function paymentsControl(account: Account): Markup {
  const charges: Stripe.Charge[] = [];
  for (const charge of account.store.newestFirst("charge")) {
    if (charge.status !== "failed" && charges.push(charge) === PAYMENTS_SHOWN) break;
  }
  return html`<section class="card" id="payments">
    <h2>Payments</h2>
    ${charges.length === 0 && html`<p class="soft">None yet.</p>`}
    ${charges.map((charge, index) => payment(account, charge, index === 0))}
  </section>`;
}

/** The list gets long: all but the newest are collapsed. */
function payment(account: Account, charge: Stripe.Charge, isNewest: boolean): Markup {
  const { invoice, names } = purposeOf(account, charge);
  const dispute = disputeOf(account, charge);
  const left = charge.amount - charge.amount_refunded;
  const isOpen = dispute !== null && dispute.status !== "won" && dispute.status !== "lost";
  const isRefundable = charge.status === "succeeded" && left > 0 && (dispute === null || dispute.is_charge_refundable);
  return html`<div class="item">
    <p>
      <strong>${formatAmount(charge.amount, charge.currency)}</strong>
      ${invoice?.customer_email ?? charge.billing_details.email ?? ""}, ${formatTime(charge.created)}<br />
      <span class="soft">${names[0] ?? charge.id}${invoice?.number == null ? "" : ` · invoice ${invoice.number}`}</span>
    </p>
    ${chargeStatus(account, charge, dispute)}
    <details ${isNewest && html`open`}>
      <summary>What can happen to it</summary>
      ${isRefundable && refundForm(charge, left)} ${charge.status === "pending" && debitForm(charge)}
      ${charge.payment_method_details?.type === "card" && cardForm(charge)}
      ${charge.status === "succeeded" && !charge.refunded && (dispute === null || isOpen) && disputeForm(charge, isOpen)}
      ${charge.status === "succeeded" && charge.payment_method_details?.type === "card" && warningForm(charge)}
    </details>
  </div>`;
}

function chargeStatus(account: Account, charge: Stripe.Charge, dispute: Stripe.Dispute | null): Markup | false {
  const facts = [
    charge.status === "pending" && "the bank debit is under way",
    ...refundsOf(account, charge).map(
      ({ amount, status }) => `${formatAmount(amount, charge.currency)} refunded (${status})`,
    ),
    dispute !== null && `disputed (${dispute.status.replaceAll("_", " ")})`,
  ].filter((fact) => fact !== false);
  return facts.length > 0 && html`<p class="soft">${facts.join(", ")}</p>`;
}

const refundForm = (charge: Stripe.Charge, left: number): Markup =>
  html`<form class="inline" method="post" action="/control/refund">
    <input type="hidden" name="order" value="${charge.id}" />
    <label for="amount-${charge.id}">Refund, at most ${formatAmount(left, charge.currency)}</label>
    <span class="buttons"
      ><input id="amount-${charge.id}" name="amount" inputmode="decimal" placeholder="all" maxlength="14" />
      <button>Refund</button></span
    >
  </form>`;

const debitForm = (charge: Stripe.Charge): Markup =>
  html`<form class="inline" method="post" action="/control/debit">
    <input type="hidden" name="order" value="${charge.id}" />
    <p class="buttons">
      <button name="outcome" value="paid">The debit succeeds</button>
      <button name="outcome" value="declined">The debit fails</button>
    </p>
  </form>`;

const cardForm = (charge: Stripe.Charge): Markup =>
  html`<form class="inline" method="post" action="/control/card">
    <input type="hidden" name="order" value="${charge.id}" />
    <label for="expires-${charge.id}">The bank renews the card, until (MM / YY)</label>
    <span class="buttons"
      ><input id="expires-${charge.id}" name="expires" placeholder="in some years" maxlength="9" />
      <button>Renew</button></span
    >
  </form>`;

const disputeForm = (charge: Stripe.Charge, isOpen: boolean): Markup =>
  html`<form class="inline" method="post" action="/control/dispute">
    <input type="hidden" name="order" value="${charge.id}" />
    <p class="buttons">
      ${!isOpen && html`<button name="outcome" value="">Open a dispute</button>`}
      <button name="outcome" value="won">${isOpen ? "Decide: won" : "Dispute, won"}</button>
      <button name="outcome" value="lost">${isOpen ? "Decide: lost" : "Dispute, lost"}</button>
    </p>
  </form>`;

const warningForm = (charge: Stripe.Charge): Markup =>
  html`<form class="inline" method="post" action="/control/warning">
    <input type="hidden" name="order" value="${charge.id}" />
    <p class="buttons"><button>The bank warns of fraud</button></p>
  </form>`;
