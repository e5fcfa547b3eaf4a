import type Stripe from "stripe";
import { answerForInvoice, collectInvoice } from "../acts/collect-invoice.ts";
import { customerOf } from "../acts/finalize-invoice.ts";
import type { Books } from "../books.ts";
import { cardByNumber, TEST_CARDS } from "../cards.ts";
import type { Desk } from "../desk.ts";
import { demand } from "../objects/find.ts";
import { intentOf } from "../objects/invoice-payments.ts";
import { attachMethod, newCard } from "../objects/payment-methods.ts";
import { formatAmount } from "../money.ts";
import { formatTime, html, page, seeOther } from "./html.ts";

/** The hosted invoice: its receipt when it is paid, and until then the way to pay it or to confirm what the bank asks. */
export async function answerInvoice(desk: Desk, request: Request, id: string): Promise<Response> {
  const caller = { origin: new URL(request.url).origin };
  if (request.method === "POST") {
    const fields = await request.formData();
    desk.act(caller, (books) => takeAnswer(books, demand(books, "invoice", id), fields));
    return seeOther(request, `/invoices/${id}`);
  }
  const { result } = desk.act(caller, (books) => {
    const invoice = demand(books, "invoice", id);
    return { invoice, intent: intentOf(books, invoice) };
  });
  return invoicePage(result);
}

function takeAnswer(books: Books, invoice: Stripe.Invoice, fields: FormData): void {
  const answer = fields.get("answer");
  if (answer === "complete" || answer === "fail") {
    answerForInvoice(books, invoice, answer === "complete");
    return;
  }
  const card = cardByNumber(String(fields.get("testCard") ?? ""));
  if (card === null || invoice.status !== "open") return;
  const customer = demand(books, "customer", customerOf(invoice));
  const method = attachMethod(books, newCard(books, customer, card, null), customer.id);
  collectInvoice(books, invoice, { method, attempt: "manual" });
}

function invoicePage({ invoice, intent }: { invoice: Stripe.Invoice; intent: Stripe.PaymentIntent | null }): Response {
  const { currency } = invoice;
  const isOpen = invoice.status === "open" && invoice.amount_remaining > 0;
  const isAsked = isOpen && intent?.status === "requires_action";
  const refusal = isOpen ? (intent?.last_payment_error?.message ?? null) : null;
  return page(
    "Invoice",
    html` <h1>${invoice.status === "paid" ? "Receipt" : "Invoice"} ${invoice.number ?? ""}</h1>
      <section class="card">
        <p class="amount">${formatAmount(invoice.amount_due, currency)}</p>
        <p class="soft">${invoice.status} · ${formatTime(invoice.created)} · ${invoice.customer_email ?? ""}</p>
        <ul class="rows">
          ${invoice.lines.data.map((line) => html`<li><span>${line.description}</span><span>${formatAmount(line.amount, currency)}</span></li>`)}
          <li><strong>Total</strong><strong>${formatAmount(invoice.total, currency)}</strong></li>
        </ul>
      </section>
      ${refusal !== null && html`<div class="notice bad" role="alert"><p>${refusal}</p></div>`}
      ${
        isAsked &&
        html`<form class="card" method="post" action="/invoices/${invoice.id}">
          <h2>Confirm the payment</h2>
          <p>This is where your bank would ask you (3-D Secure).</p>
          <p><button class="main" name="answer" value="complete">Complete</button></p>
          <p><button class="full" name="answer" value="fail">Fail</button></p>
        </form>`
      }
      ${
        isOpen &&
        html`<form class="card" method="post" action="/invoices/${invoice.id}">
          <h2>Pay with a test card</h2>
          <div class="choices">
            ${TEST_CARDS.map((card) => html`<button name="testCard" value="${card.number}"><code>${card.number}</code><span>${card.means}</span></button>`)}
          </div>
        </form>`
      }`,
  );
}
