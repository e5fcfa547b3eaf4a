import type Stripe from "stripe";
import type { Summary } from "../money/summarize-invoice.ts";
import { formatAmount } from "../money/money.ts";
import { cardButtons, cardFields } from "./card-fields.ts";
import { formatTime, html, linkTo, type Markup, page } from "./html.ts";
import { problemIn } from "./problems.ts";

export interface InvoiceView {
  invoice: Stripe.Invoice;
  summary: Summary;
  /** The intent of the invoice's pending payment, if there is one. */
  intent: Stripe.PaymentIntent | null;
  problem: string | null;
}

export function invoicePage(view: InvoiceView): Response {
  const { invoice, intent } = view;
  const isPaid = invoice.status === "paid";
  return page(
    isPaid ? "Receipt" : "Invoice",
    html` <h1>${isPaid ? "Receipt" : "Invoice"} ${invoice.number ?? ""}</h1>
      ${stateNotice(view)} ${summaryCard(view)}
      <p class="no-print">
        <a href="${linkTo(invoice.invoice_pdf ?? null)}">As a PDF</a>
        <span class="soft">Printing this page gives the same on paper.</span>
      </p>
      ${isPayable(invoice) && intent?.status !== "processing" && payForm(view)}`,
  );
}

export const expiredPage = (): Response =>
  page(
    "This link has expired",
    html`<h1>This link has expired</h1>
      <p>Ask whoever sent it for a new one.</p>`,
    { status: 410 },
  );

const isPayable = ({ status }: Stripe.Invoice): boolean => status === "open" || status === "uncollectible";

function stateNotice({ invoice, intent, problem }: InvoiceView): Markup {
  const paidAt = invoice.status_transitions.paid_at;
  const bad = problemIn(problem) ?? (isPayable(invoice) ? intent?.last_payment_error?.message : null) ?? null;
  return html`
    ${paidAt !== null && html`<div class="notice good"><p>Paid on ${formatTime(paidAt)}. Thank you.</p></div>`}
    ${invoice.status === "void" && html`<div class="notice"><p>This invoice is void. Nobody has to pay it.</p></div>`}
    ${
      intent?.status === "processing" &&
      html`<div class="notice good"><p>A bank debit is under way. There is nothing more to do here.</p></div>`
    }
    ${
      isPayable(invoice) &&
      intent?.status === "requires_action" &&
      html`<div class="notice good">
        <p>
          Your bank waits for your confirmation.
          <a href="/invoices/${invoice.id}/confirm">Go on to confirm</a>
        </p>
      </div>`
    }
    ${
      bad !== null &&
      html`<div class="notice bad" role="alert">
        <p><strong>The payment didn't go through.</strong> ${bad}</p>
      </div>`
    }
  `;
}

function summaryCard({ invoice, summary }: InvoiceView): Markup {
  const finalizedAt = invoice.status_transitions.finalized_at ?? invoice.created;
  return html`<section class="card" aria-label="The invoice">
    <p class="amount">${formatAmount(invoice.amount_due, invoice.currency)}</p>
    <p class="soft">From ${summary.seller}, ${formatTime(finalizedAt)}</p>
    <p>${summary.billedTo.map((part) => html`${part}<br />`)}</p>
    <ul class="rows">
      ${[...summary.lines, ...summary.sums].map(({ what, amount }) => html`<li><span>${what}</span><span>${amount}</span></li>`)}
    </ul>
    ${invoice.footer !== null && html`<p class="soft">${invoice.footer}</p>`}
  </section>`;
}

const payForm = ({ invoice }: InvoiceView): Markup =>
  html`<form class="card no-print" method="post" action="/invoices/${invoice.id}">
    <h2>Pay by card</h2>
    ${cardFields()}
    <button class="main">Pay ${formatAmount(invoice.amount_remaining, invoice.currency)}</button>
    <h2>Or pay with a test card at once</h2>
    ${cardButtons()}
  </form>`;

export const confirmInvoicePage = ({ invoice }: InvoiceView): Response =>
  page(
    "Confirm the payment",
    html` <h1>Confirm the payment</h1>
      <p>
        This is where your bank would ask you (3-D Secure). It wants to know whether you pay
        ${formatAmount(invoice.amount_remaining, invoice.currency)}.
      </p>
      <form class="card" method="post" action="/invoices/${invoice.id}/confirm">
        <p><button class="main" name="answer" value="complete">Complete</button></p>
        <p><button class="full" name="answer" value="fail">Fail</button></p>
      </form>
      <p><a href="/invoices/${invoice.id}">Back to the invoice</a></p>`,
  );
