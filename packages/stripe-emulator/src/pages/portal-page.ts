import type Stripe from "stripe";
import { idOf } from "../objects/demand.ts";
import type { PortalPermissions } from "../objects/portal/portal-permissions.ts";
import { cardButtons, cardFields } from "./card-fields.ts";
import { addressFields, taxIdField } from "./details-fields.ts";
import { formatTime, html, linkTo, type Markup, page, when } from "./html.ts";
import { problemIn } from "./problems.ts";

export interface PortalView {
  session: Stripe.BillingPortal.Session;
  permissions: PortalPermissions;
  customer: Stripe.Customer;
  methods: { method: Stripe.PaymentMethod; isInUse: boolean }[];
  subscriptions: Stripe.Subscription[];
  taxIds: Stripe.TaxId[];
  isAwaitingHolder: boolean;
  done: string | null;
  /** A deep link whose purpose is achieved. */
  isFlowDone: boolean;
}

export const DONE: Record<string, string> = {
  added: "Your new card is saved.",
  chosen: "Your choice is saved.",
  removed: "The card is removed.",
  cancelled: "Your plan is cancelled.",
  changed: "Your plan has changed.",
  kept: "Your plan continues.",
  details: "Your billing details are saved. They stand on the next invoice.",
};

const DECLINED = "Your card was declined. Nothing has changed.";

export function portalPage(view: PortalView): Response {
  const { session, customer, permissions } = view;
  // A deep link hides everything else, as at Stripe.
  const isFlow = session.flow !== null && !view.isFlowDone;
  return page(
    "Billing",
    html` <h1>Billing</h1>
      <p class="soft">${customer.name ?? customer.email ?? customer.id}</p>
      ${notice(view)} ${!isFlow && planActions(view)}
      ${permissions.hasCards && !isFlow && html`${methodsCard(view)} ${plansCard(view)}`}
      ${permissions.hasCards && newCardForm(view, isFlow)} ${permissions.hasDetails && !isFlow && detailsForm(view)}
      ${permissions.hasTaxIds && !isFlow && taxIdsCard(view)}
      ${session.return_url !== null && html`<p><a href="${linkTo(session.return_url)}">Back to the site</a></p>`}`,
  );
}

function notice({ done }: PortalView): Markup | false {
  const good = DONE[done ?? ""];
  if (good !== undefined) return html`<div class="notice good" role="status"><p>${good}</p></div>`;
  const bad = done === "declined" ? DECLINED : problemIn(done);
  return bad !== null && html`<div class="notice bad" role="alert"><p>${bad}</p></div>`;
}

function methodsCard({ session, customer, methods }: PortalView): Markup {
  const standard = customer.invoice_settings.default_payment_method;
  return html`<section class="card">
    <h2>Payment methods</h2>
    ${methods.length === 0 && html`<p>There is none yet.</p>`}
    <ul class="rows">
      ${methods.map(({ method, isInUse }) => {
        const isDefault = standard !== null && idOf(standard) === method.id;
        return html`<li>
          <span>${describe(method)}${isDefault ? ", default" : ""}</span>
          <form class="buttons" method="post" action="/portal/${session.id}">
            <input type="hidden" name="method" value="${method.id}" />
            ${!isDefault && html`<button name="intent" value="choose">Make default</button>`}
            ${!isInUse && html`<button name="intent" value="remove">Remove</button>`}
          </form>
        </li>`;
      })}
    </ul>
  </section>`;
}

/** What can be done with each plan, as far as the configuration allows it. */
const planActions = ({ session, permissions, subscriptions }: PortalView): Markup[] =>
  subscriptions.map(({ id, cancel_at, schedule }) => {
    const isEnding = cancel_at !== null;
    const canCancel = permissions.hasCancel && schedule === null;
    if (!canCancel && !permissions.hasUpdate) return html``;
    return html`<form class="card" method="post" action="/portal/${session.id}">
      <h2>Your plan</h2>
      ${cancel_at !== null && html`<p>It ends on ${formatTime(cancel_at)}.</p>`}
      <input type="hidden" name="subscription" value="${id}" />
      ${
        permissions.hasUpdate &&
        !isEnding &&
        html`<p><a href="/portal/${session.id}/change-plan?subscription=${id}">Change plan</a></p>`
      }
      ${
        canCancel &&
        !isEnding &&
        html`<p><a href="/portal/${session.id}/cancel-plan?subscription=${id}">Cancel plan</a></p>`
      }
      ${canCancel && isEnding && html`<button name="intent" value="keep-plan">Don't cancel</button>`}
    </form>`;
  });

/** A plan bought at checkout has its own card, which the default doesn't replace. */
const plansCard = ({ session, subscriptions, methods }: PortalView): Markup[] =>
  subscriptions.map((subscription) => {
    const own = subscription.default_payment_method;
    return html`<form class="card" method="post" action="/portal/${session.id}">
      <h2>Your plan is charged to</h2>
      <input type="hidden" name="subscription" value="${subscription.id}" />
      <div class="field">
        <label for="method-${subscription.id}">Payment method</label
        ><select id="method-${subscription.id}" name="method">
          ${own === null && html`<option value="">the default one</option>`}
          ${methods.map(
            ({ method }) =>
              html`<option value="${method.id}" ${when(own !== null && idOf(own) === method.id, "selected")}>
                ${describe(method)}
              </option>`,
          )}
        </select>
      </div>
      <button name="intent" value="choose-for-plan">Save</button>
    </form>`;
  });

const newCardForm = ({ session }: PortalView, isFlow: boolean): Markup =>
  html`<form class="card" method="post" action="/portal/${session.id}">
    <h2>Add a card</h2>
    ${cardFields()}
    ${!isFlow && html`<label class="check"><input type="checkbox" name="keepDefault" /> Keep the default as it is</label>`}
    <button class="main">Save card</button>
    <h2>Or take a test card at once</h2>
    ${cardButtons()}
  </form>`;

const detailsForm = ({ session, customer }: PortalView): Markup =>
  html`<form class="card" method="post" action="/portal/${session.id}">
    <h2>Billing details</h2>
    ${addressFields(customer.name ?? null, customer.address ?? null)}
    <button name="intent" value="details">Save details</button>
  </form>`;

const taxIdsCard = ({ session, taxIds }: PortalView): Markup =>
  html`<section class="card">
    <h2>VAT ids</h2>
    <ul class="rows">
      ${taxIds.map(
        ({ id, value, verification }) =>
          html`<li>
            <span>${value} <span class="soft">${verification?.status ?? ""}</span></span>
            <form method="post" action="/portal/${session.id}">
              <input type="hidden" name="taxId" value="${id}" />
              <button name="intent" value="remove-tax-id" aria-label="Remove ${value}">Remove</button>
            </form>
          </li>`,
      )}
    </ul>
    <form method="post" action="/portal/${session.id}">
      ${taxIdField("Add one, e.g. DE123456789")}
      <button name="intent" value="add-tax-id">Add</button>
    </form>
  </section>`;

export const confirmCardPage = ({ session }: PortalView): Response =>
  page(
    "Confirm the card",
    html` <h1>Confirm the card</h1>
      <p>This is where your bank would ask you (3-D Secure). It wants to know whether this card may be saved here.</p>
      <form class="card" method="post" action="/portal/${session.id}/confirm">
        <p><button class="main" name="answer" value="complete">Complete</button></p>
        <p><button class="full" name="answer" value="fail">Fail</button></p>
      </form>`,
  );

function describe(method: Stripe.PaymentMethod): string {
  if (method.card === undefined) return `Bank debit, account ending in ${method.sepa_debit?.last4 ?? "—"}`;
  const { brand, last4, exp_month, exp_year } = method.card;
  return `${brand} ending in ${last4}, expires ${exp_month}/${exp_year}`;
}
