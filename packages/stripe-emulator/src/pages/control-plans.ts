import type Stripe from "stripe";
import { ENDED } from "../actions/subscriptions/cancel-now.ts";
import { PAUSES_AFTER, type PausesAfter, pausesAfterOf } from "../actions/subscriptions/pause-subscription.ts";
import { RESUMES, type Resumes, resumesBy } from "../actions/subscriptions/resume-after-payment.ts";
import { formatAmount } from "../money/money.ts";
import { idOf } from "../objects/demand.ts";
import { periodOf } from "../objects/subscriptions/subscription-shape.ts";
import { formatTime, html, linkTo, type Markup, when } from "./html.ts";
import type { Account } from "../account.ts";

const PLANS_SHOWN = 20;

/** Running plans, their status and their next events: the reasons to advance the clock. */
export function plansControl(account: Account): Markup {
  const running: Stripe.Subscription[] = [];
  for (const each of account.store.newestFirst("subscription")) {
    if (!ENDED.includes(each.status) && running.push(each) === PLANS_SHOWN) break;
  }
  return html`<section class="card" id="plans">
    <h2>Subscriptions</h2>
    ${retriesForm(pausesAfterOf(account.store), resumesBy(account.store))}
    ${running.length === 0 && html`<p class="soft">None runs.</p>`} ${running.map((each) => plan(account, each))}
  </section>`;
}

const pausing: Record<PausesAfter, string> = {
  never: "doesn't pause its plan",
  first: "pauses its plan after the first attempt",
  last: "pauses its plan after the last attempt",
};

const resuming: Record<Resumes, string> = {
  never: "leaves its plan paused",
  unchanged: "resumes its plan in its period",
  now: "resumes its plan with a new period",
};

/** The dashboard's settings for every subscription. */
const retriesForm = (current: PausesAfter, resumes: Resumes): Markup =>
  html`<form class="item" method="post" action="/control/retries">
    <p>A renewal that fails ${pausing[current]}. Paid, it ${resuming[resumes]}.</p>
    <div class="field">
      <label for="resumes">Once it is paid, it</label
      ><select id="resumes" name="resumes">
        ${RESUMES.map((each) => html`<option value="${each}" ${when(each === resumes, "selected")}>${resuming[each]}</option>`)}
      </select>
    </div>
    <p class="buttons">
      ${PAUSES_AFTER.filter((each) => each !== current).map(
        (each) => html`<button name="pausesAfter" value="${each}">It ${pausing[each]}</button>`,
      )}
      <button name="pausesAfter" value="${current}">Keep that</button>
    </p>
  </form>`;

function plan(account: Account, subscription: Stripe.Subscription): Markup {
  const price = subscription.items.data[0]?.price;
  const holder = account.store.find("customer", idOf(subscription.customer));
  const isHeld = subscription.pause_collection !== null;
  return html`<div class="item">
    <p>
      <strong
        >${price === undefined ? "" : `${formatAmount(price.unit_amount ?? 0, price.currency)} a ${price.recurring?.interval ?? "time"}`}</strong
      >
      ${holder?.email ?? subscription.id}<br />
      <span class="soft">${stateFacts(subscription, isHeld).join(" · ")}</span>
    </p>
    ${unpaid(account, subscription).map(owed)}
    <form class="inline" method="post" action="/control/hold">
      <input type="hidden" name="subscription" value="${subscription.id}" />
      <button name="held" value="${isHeld ? "no" : "yes"}">${isHeld ? "Collect again" : "Put charges on hold"}</button>
    </form>
    ${pauseForm(subscription)} ${subscription.schedule === null && cancelForm(subscription)}
  </div>`;
}

const pauseForm = ({ id, status }: Stripe.Subscription): Markup =>
  html`<form class="inline" method="post" action="/control/pause">
    <input type="hidden" name="subscription" value="${id}" />
    <button name="paused" value="${status === "paused" ? "no" : "yes"}">
      ${status === "paused" ? "Resume" : "Pause"}
    </button>
  </form>`;

/** As in the dashboard: by a date, without `cancel_at_period_end`. */
const cancelForm = ({ id, cancel_at: end }: Stripe.Subscription): Markup =>
  html`<form class="inline" method="post" action="/control/cancel">
    <input type="hidden" name="subscription" value="${id}" />
    <button name="cancels" value="${end === null ? "yes" : "no"}">
      ${end === null ? "Cancel with its period" : "Don't cancel"}
    </button>
  </form>`;

function stateFacts(subscription: Stripe.Subscription, isHeld: boolean): string[] {
  const end = formatTime(subscription.cancel_at ?? periodOf(subscription).end);
  const then = subscription.cancel_at !== null ? "ends" : subscription.schedule === null ? "renews" : "changes";
  const isRunning = subscription.status !== "paused" && subscription.status !== "incomplete";
  return [
    subscription.status.replaceAll("_", " "),
    ...(isRunning ? [`${then} on ${end}`] : []),
    ...(isHeld ? ["its charges are on hold"] : []),
  ];
}

function unpaid({ store }: Account, { id, customer }: Stripe.Subscription): Stripe.Invoice[] {
  const ofPlan = ({ parent }: Stripe.Invoice) => idOf(parent?.subscription_details?.subscription ?? "") === id;
  return [...store.newestFirst("invoice", idOf(customer))].filter(
    (invoice) => (invoice.status === "draft" || invoice.status === "open") && ofPlan(invoice),
  );
}

function owed(invoice: Stripe.Invoice): Markup {
  const due = formatAmount(invoice.amount_due, invoice.currency);
  const at = invoice.status === "draft" ? invoice.automatically_finalizes_at : invoice.next_payment_attempt;
  const time = at === null ? "not automatically any more" : `on ${formatTime(at)}`;
  return html`<p class="soft">
    ${
      invoice.status === "draft"
        ? `${due} is drawn, and charged ${time}`
        : html`<a href="${linkTo(invoice.hosted_invoice_url ?? null)}">${due} is open</a>, tried again ${time}`
    }
  </p>`;
}
