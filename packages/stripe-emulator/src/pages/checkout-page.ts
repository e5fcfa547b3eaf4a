import type Stripe from "stripe";
import { asksAddress, asksTaxId, SAMPLE_DETAILS } from "../actions/payments/collect-details.ts";
import { formatAmount } from "../money/money.ts";
import { cardButtons, cardFields, walletButtons } from "./card-fields.ts";
import { addressFields, payerField, taxIdField } from "./details-fields.ts";
import { html, linkTo, type Markup, page } from "./html.ts";
import { redirectTarget } from "./redirect-target.ts";

export const BACK = "Back without paying";

export const payLabel = (amountDue: number, currency: string): string => `Pay ${formatAmount(amountDue, currency)}`;

export interface CheckoutView {
  session: Stripe.Checkout.Session;
  lines: Stripe.LineItem[];
  email: string | null;
  /** What remains to be paid after the customer's credit. */
  amountDue: number;
  credit: number;
  isAwaitingHolder: boolean;
  /** Why the last attempt failed, as text. */
  refusal: string | null;
  code: string | null;
  /** Why a typed promotion code isn't taken, as text. */
  codeProblem: string | null;
}

/** One form: every button submits all fields above it. */
export function checkoutPage(view: CheckoutView): Response {
  const { session } = view;
  return page(
    "Checkout",
    html` <h1>Subscribe</h1>
      ${summary(view)}
      ${
        view.refusal !== null &&
        html`<div class="notice bad" role="alert">
          <p><strong>The payment didn't go through.</strong> ${view.refusal}</p>
          <p>Nothing was charged. You can try again with another card.</p>
        </div>`
      }
      ${
        view.isAwaitingHolder &&
        html`<div class="notice good">
          <p>Your bank waits for your confirmation. <a href="/checkout/${session.id}/confirm">Go on to confirm</a></p>
        </div>`
      }
      ${session.allow_promotion_codes === true && codeCard(view)}
      <form method="post" action="/checkout/${session.id}">
        ${detailsCard(view)}
        <section class="card">
          <h2>Pay by card</h2>
          ${cardFields()}
          <button class="main">${payLabel(view.amountDue, session.currency ?? "")}</button>
        </section>
        <section class="card">
          <h2>Or pay with a test card at once</h2>
          ${cardButtons()}
        </section>
        <section class="card">
          <h2>Or with a card in a wallet</h2>
          ${walletButtons()}
        </section>
        ${
          session.payment_method_types.includes("sepa_debit") &&
          html`<section class="card">
            <h2>Or by bank debit</h2>
            <p class="soft">
              Checkout is complete at once, the money comes or fails some days later: when the clock has moved on, or
              from the control page.
            </p>
            <div class="choices">
              <button name="bank" value="succeeds"><span>Bank debit</span><span>succeeds later</span></button>
              <button name="bank" value="fails"><span>Bank debit</span><span>fails later</span></button>
            </div>
          </section>`
        }
      </form>
      ${session.cancel_url !== null && html`<p><a href="${linkTo(session.cancel_url)}">${BACK}</a></p>`}`,
  );
}

/** A form of its own, so that Enter in its field doesn't pay. */
const codeCard = ({ session, code, codeProblem }: CheckoutView): Markup =>
  html`<form class="card" method="post" action="/checkout/${session.id}/code">
    <h2>Promotion code</h2>
    ${codeProblem !== null && html`<div class="notice bad" role="alert"><p>${codeProblem}</p></div>`}
    ${
      code === null
        ? html`<div class="field">
              <label for="code">Code</label><input id="code" name="code" autocomplete="off" maxlength="80" required />
            </div>
            <button>Apply</button>`
        : html`<p><code>${code}</code> is applied.</p>
            <button>Remove</button>`
    }
  </form>`;

function detailsCard({ session }: CheckoutView): Markup | false {
  const { name, address } = session.customer_details ?? { name: null, address: null };
  // Prefilled with a sample where a developer would have to invent one, as for the card number.
  const prefilled = address ?? SAMPLE_DETAILS.address;
  if (!asksAddress(session) && !asksTaxId(session)) return false;
  return html`<section class="card">
    <h2>Whom the invoice is for</h2>
    ${asksAddress(session) ? addressFields(name ?? SAMPLE_DETAILS.name, prefilled) : payerField(name)}
    ${asksTaxId(session) && taxIdField("VAT id, if you have one")}
  </section>`;
}

function summary({ session, lines, email, amountDue, credit }: CheckoutView): Markup {
  const currency = session.currency ?? "";
  const discount = session.total_details?.amount_discount ?? 0;
  const tax = session.total_details?.amount_tax ?? 0;
  return html`<section class="card" aria-label="What you buy">
    <p class="amount">${formatAmount(amountDue, currency)}</p>
    <p class="soft">${lines.map((line) => renewalOf(line, amountDue)).join(", ")}</p>
    <ul class="rows">
      ${lines.map((line) => html`<li><span>${line.quantity !== null && line.quantity > 1 ? `${line.quantity} × ` : ""}${line.description}</span><span>${formatAmount(line.amount_subtotal, currency)}</span></li>`)}
      ${discount > 0 && html`<li><span>Discount</span><span>−${formatAmount(discount, currency)}</span></li>`}
      ${credit > 0 && html`<li><span>Your credit</span><span>−${formatAmount(credit, currency)}</span></li>`}
      ${tax > 0 && html`<li><span>Tax included</span><span>${formatAmount(tax, currency)}</span></li>`}
      <li><strong>To pay now</strong><strong>${formatAmount(amountDue, currency)}</strong></li>
      ${email !== null && html`<li><span>E-mail</span><span>${email}</span></li>`}
    </ul>
  </section>`;
}

export function confirmPage({ session, amountDue }: CheckoutView): Response {
  return page(
    "Confirm the payment",
    html` <h1>Confirm the payment</h1>
      <p>
        This is where your bank would ask you (3-D Secure). It wants to know whether you pay
        ${formatAmount(amountDue, session.currency ?? "")}.
      </p>
      <form class="card" method="post" action="/checkout/${session.id}/confirm">
        <p><button class="main" name="answer" value="complete">Complete</button></p>
        <p><button class="full" name="answer" value="fail">Fail</button></p>
      </form>
      ${session.cancel_url !== null && html`<p><a href="${linkTo(session.cancel_url)}">${BACK}</a></p>`}`,
  );
}

export function closedPage({ session }: CheckoutView): Response {
  const isExpired = session.status === "expired";
  const back = isExpired ? session.cancel_url : redirectTarget(session);
  const text = isExpired
    ? "Nothing was charged. To subscribe, start again from the site."
    : session.payment_status === "unpaid"
      ? "Your bank debit is under way. The money arrives, or doesn't, in some days."
      : "The payment went through. There is nothing more to do here.";
  return page(
    isExpired ? "Checkout expired" : "Checkout complete",
    html` <h1>${isExpired ? "This checkout has expired" : "This checkout is complete"}</h1>
      <p>${text}</p>
      ${back !== null && html`<p><a class="button" href="${linkTo(back)}">Back to the site</a></p>`}`,
  );
}

/** What is charged later, shown in full only when it differs from today's charge. */
function renewalOf(line: Stripe.LineItem, amountNow: number): string {
  const every = `every ${periodName(line)}`;
  return line.amount_subtotal === amountNow
    ? every
    : `then ${formatAmount(line.amount_subtotal, line.currency)} ${every}`;
}

function periodName({ price }: Stripe.LineItem): string {
  const { interval, interval_count: count } = price?.recurring ?? { interval: "month", interval_count: 1 };
  return count === 1 ? interval : `${count} ${interval}s`;
}
