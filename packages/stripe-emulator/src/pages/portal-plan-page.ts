import type Stripe from "stripe";
import type { PlanChoice } from "../actions/subscriptions/change-plan-in-portal.ts";
import { formatAmount } from "../money/money.ts";
import { formatTime, html, linkTo, type Markup, page } from "./html.ts";

type Session = Stripe.BillingPortal.Session;

/** A price as customers read it: its product, its amount and how often it is paid. */
export interface Offer {
  price: Stripe.Price;
  name: string;
}

const say = ({ price, name }: Offer): string =>
  `${name}, ${formatAmount(price.unit_amount ?? 0, price.currency)} a ${price.recurring?.interval ?? "time"}`;

interface CancelView {
  session: Session;
  subscription: Stripe.Subscription;
  plan: Offer;
  /** Null if it ends now. */
  endsAt: number | null;
  reasons: string[];
  offer: Stripe.Coupon | null;
}

export const cancelPage = ({ session, subscription, plan, endsAt, reasons, offer }: CancelView): Response =>
  planPage(
    session,
    "Cancel your plan",
    html`${
        offer !== null &&
        html`<form class="card" method="post" action="/portal/${session.id}">
          <h2>Stay, and pay less</h2>
          <p>${offer.name ?? "A discount"}: ${discountOf(offer)} off.</p>
          <input type="hidden" name="subscription" value="${subscription.id}" />
          <button name="intent" value="take-offer">Take the offer</button>
        </form>`
      }
      <form class="card" method="post" action="/portal/${session.id}">
        <p>${say(plan)}. ${endsAt === null ? "It ends now." : `It ends on ${formatTime(endsAt)}.`}</p>
        <input type="hidden" name="subscription" value="${subscription.id}" />
        ${
          reasons.length > 0 &&
          html`<div class="field">
            <label for="feedback">Why do you cancel?</label
            ><select id="feedback" name="feedback">
              <option value="">No answer</option>
              ${reasons.map((reason) => html`<option value="${reason}">${reason.replaceAll("_", " ")}</option>`)}
            </select>
          </div>`
        }
        <button class="main" name="intent" value="cancel-plan">Cancel plan</button>
      </form>`,
  );

const discountOf = ({ percent_off, amount_off, currency }: Stripe.Coupon): string =>
  percent_off === null ? formatAmount(amount_off ?? 0, currency ?? "") : `${percent_off} %`;

interface ChooseView {
  session: Session;
  subscription: Stripe.Subscription;
  plan: Offer;
  offers: Offer[];
}

export const choosePage = ({ session, subscription, plan, offers }: ChooseView): Response =>
  planPage(
    session,
    "Change your plan",
    html`<section class="card">
      <p>Now: ${say(plan)}.</p>
      ${offers.length === 0 && html`<p>There is no other plan.</p>`}
      <ul class="rows">
        ${offers.map(
          (offer) =>
            html`<li>
              <span>${say(offer)}</span>
              <a href="/portal/${session.id}/confirm-plan?subscription=${subscription.id}&price=${offer.price.id}"
                >Choose ${offer.name}</a
              >
            </li>`,
        )}
      </ul>
    </section>`,
  );

interface ConfirmView {
  session: Session;
  choice: PlanChoice;
  plan: Offer;
  preview: Stripe.Invoice;
  /** Otherwise its lines are on the next invoice. */
  isDueNow: boolean;
  isDeclined: boolean;
}

export const confirmPlanPage = ({ session, choice, plan, preview, isDueNow, isDeclined }: ConfirmView): Response =>
  planPage(
    session,
    "Confirm your new plan",
    html`${
        isDeclined &&
        html`<div class="notice bad" role="alert"><p>Your card was declined. Nothing has changed.</p></div>`
      }
      <form class="card" method="post" action="/portal/${session.id}">
        <p>${say(plan)}</p>
        <ul class="rows">
          ${preview.lines.data.map((line) => html`<li><span>${line.description ?? ""}</span><span>${formatAmount(line.amount, preview.currency)}</span></li>`)}
          <li>
            <strong>${isDueNow ? "Due now" : "On your next invoice"}</strong
            ><strong>${formatAmount(preview.amount_due, preview.currency)}</strong>
          </li>
        </ul>
        <input type="hidden" name="subscription" value="${choice.subscription}" />
        <input type="hidden" name="price" value="${choice.price}" />
        ${choice.quantity !== undefined && html`<input type="hidden" name="quantity" value="${choice.quantity}" />`}
        <button class="main" name="intent" value="change-plan">Confirm</button>
      </form>`,
  );

/** The flow is complete: all that its page says. */
export const confirmationPage = (session: Session, message: string | null): Response =>
  planPage(
    session,
    "Done",
    html`<div class="notice good" role="status"><p>${message ?? "Your change is saved."}</p></div>`,
  );

const planPage = ({ return_url }: Session, title: string, content: Markup): Response =>
  page(
    title,
    html`<h1>${title}</h1>
      ${content} ${return_url !== null && html`<p><a href="${linkTo(return_url)}">Back to the site</a></p>`}`,
  );
