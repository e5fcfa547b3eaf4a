import type Stripe from "stripe";
import type { Books } from "../books.ts";
import { cardByNumber, TEST_CARDS } from "../cards.ts";
import type { Desk } from "../desk.ts";
import { demand, idOf } from "../objects/find.ts";
import { attachAsDefault, newCard } from "../objects/payment-methods.ts";
import { saveSubscription } from "../objects/subscription-shape.ts";
import { html, linkTo, page, seeOther } from "./html.ts";

/** The billing portal, as far as the site sends people there: it shows the card and takes another one. */
export async function answerPortal(desk: Desk, request: Request, id: string): Promise<Response> {
  const caller = { origin: new URL(request.url).origin };
  if (request.method === "POST") {
    const number = String((await request.formData()).get("number") ?? "");
    const { result } = desk.act(caller, (books) => {
      const session = demand(books, "billing_portal_session", id);
      const outcome = replaceCard(books, session, number);
      const wayBack = session.flow?.after_completion.redirect?.return_url ?? null;
      return outcome === "changed" && wayBack !== null ? wayBack : `/portal/${id}?card=${outcome}`;
    });
    return seeOther(request, result);
  }
  const { result } = desk.act(caller, (books) => {
    const session = demand(books, "billing_portal_session", id);
    return {
      session,
      customer: demand(books, "customer", session.customer),
      method: currentMethod(books, session.customer),
    };
  });
  return portalPage(result, new URL(request.url).searchParams.get("card"));
}

type Outcome = "changed" | "declined" | "unknown";

function replaceCard(books: Books, session: Stripe.BillingPortal.Session, number: string): Outcome {
  const card = cardByNumber(number);
  if (card === null) return "unknown";
  if (card.atCheckout === "declines") return "declined";
  const method = attachAsDefault(
    books,
    newCard(books, demand(books, "customer", session.customer), card),
    session.customer,
  );
  for (const subscription of books.store.newestFirst("subscription", session.customer)) {
    if (subscription.status !== "canceled")
      saveSubscription(books, subscription, { default_payment_method: method.id });
  }
  return "changed";
}

function currentMethod(books: Books, customerId: string): Stripe.PaymentMethod | null {
  const method = demand(books, "customer", customerId).invoice_settings.default_payment_method;
  return method === null ? null : books.store.find("payment_method", idOf(method));
}

const NOTICES: Record<Outcome, string> = {
  changed: "Your new card is saved. The next payment is charged to it.",
  declined: "Your card was declined. The old one stays.",
  unknown: "This is not one of Stripe's test cards. Take one of the numbers below.",
};

function portalPage(
  {
    session,
    customer,
    method,
  }: { session: Stripe.BillingPortal.Session; customer: Stripe.Customer; method: Stripe.PaymentMethod | null },
  outcome: string | null,
): Response {
  const shown = outcome === "changed" || outcome === "declined" || outcome === "unknown" ? outcome : null;
  return page(
    "Billing",
    html` <h1>Billing</h1>
      <p class="soft">${customer.name ?? customer.email ?? customer.id}</p>
      ${shown !== null && html`<div class="notice ${shown === "changed" ? "good" : "bad"}" role="status"><p>${NOTICES[shown]}</p></div>`}
      <section class="card">
        <h2>Payment method</h2>
        ${describe(method)}
      </section>
      <form class="card" method="post" action="/portal/${session.id}">
        <h2>Use another card</h2>
        <div class="field">
          <label for="number">Card number</label
          ><input
            id="number"
            name="number"
            inputmode="numeric"
            autocomplete="off"
            value="4242 4242 4242 4242"
            maxlength="24"
          />
        </div>
        <p class="soft">${TEST_CARDS.map((card) => html`<code>${card.number}</code> ${card.means}<br />`)}</p>
        <button class="main">Save card</button>
      </form>
      ${session.return_url !== null && html`<p><a href="${linkTo(session.return_url)}">Back to the site</a></p>`}`,
  );
}

function describe(method: Stripe.PaymentMethod | null) {
  if (method === null) return html`<p>There is none yet.</p>`;
  if (method.card === undefined) return html`<p>Bank debit, account ending in ${method.sepa_debit?.last4 ?? "—"}</p>`;
  return html`<p>
    ${method.card.brand} ending in <strong>${method.card.last4}</strong>, expires
    ${method.card.exp_month}/${method.card.exp_year}
  </p>`;
}
