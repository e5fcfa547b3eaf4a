import type Stripe from "stripe";
import { CREDIT_AT_CHECKOUT, disorderOf, FAULT_KINDS } from "../http/disorder.ts";
import { formatAmount } from "../money/money.ts";
import { eventsCard, secretCard } from "./control-events.ts";
import { paymentsControl } from "./control-payments.ts";
import { plansControl } from "./control-plans.ts";
import { formatTime, html, type Markup, page, when } from "./html.ts";
import type { Account } from "../account.ts";

const SESSIONS_SHOWN = 20;
const OUTCOMES = ["paid", "declined", "action", "processing", "cancelled", "expired"];
const DEBIT_OUTCOMES = ["paid", "declined"];
const STEPS: [number, string][] = [
  [1, "A day"],
  [7, "A week"],
  [31, "A month (31 days)"],
  [366, "A year (366 days)"],
];

/** What a call from this page did, by the name of the call. */
export const DONE = {
  cancel: "The subscription ends or continues, as you chose.",
  card: "The bank has sent out a new card with another date.",
  checkout: "The checkout went as you said.",
  "clock-start": "The clock begins in the past.",
  clock: "The clock has moved on, and what fell due on the way has happened.",
  debit: "The bank has answered.",
  disorder: "The disorder is set.",
  dispute: "The bank has spoken.",
  hold: "The subscription is collected for, or not, as you said.",
  pause: "The subscription is paused or resumed.",
  refund: "The money is on its way back.",
  resend: "The event is sent again.",
  warning: "The bank has warned of fraud.",
  retries: "The setting for failed renewals is saved.",
  secret: "The webhook secret is rolled.",
};

export function controlPage(account: Account, done: string | null): Response {
  const notice = Object.entries(DONE).find(([name]) => name === done)?.[1];
  return page(
    "Control",
    html` <h1>Control</h1>
      <p>Make things happen that take days, or go wrong, at the real Stripe.</p>
      ${notice !== undefined && html`<div class="notice good" id="done" role="status"><p>${notice}</p></div>`}
      <div class="grid">
        <div>${sessionsCard(account)} ${plansControl(account)} ${paymentsControl(account)}</div>
        <div>${clockCard(account)} ${disorderCard(account)} ${secretCard(account)}</div>
      </div>
      ${eventsCard(account)}`,
    { isWide: true },
  );
}

function sessionsCard(account: Account): Markup {
  const live = [...account.store.newestFirst("checkout_session")]
    .map((session) => ({
      session,
      isDebit: account.store.find("checkout_progress", `progress_of_${session.id}`)?.bank_debit_end != null,
    }))
    .filter(({ session, isDebit }) => session.status === "open" || isDebit)
    .slice(0, SESSIONS_SHOWN);
  return html`<section class="card" id="sessions">
    <h2>Checkout sessions</h2>
    ${live.length === 0 && html`<p class="soft">None is open.</p>`}
    ${live.map(({ session, isDebit }) => sessionForm(session, isDebit ? DEBIT_OUTCOMES : OUTCOMES, isDebit))}
  </section>`;
}

const sessionForm = (session: Stripe.Checkout.Session, outcomes: string[], isDebit: boolean): Markup =>
  html` <form class="item" method="post" action="/control/checkout">
    <input type="hidden" name="session" value="${session.id}" />
    <p>
      <a href="/checkout/${session.id}">${session.customer_details?.email ?? session.id.slice(0, 20)}</a>,
      ${formatAmount(session.amount_total ?? 0, session.currency ?? "")}${isDebit ? ", bank debit under way" : `, open until ${formatTime(session.expires_at)}`}
    </p>
    <p class="buttons">
      ${outcomes.map((outcome) => html`<button name="outcome" value="${outcome}">${outcome}</button>`)}
    </p>
  </form>`;

const clockCard = (account: Account): Markup =>
  html`<section class="card" id="clock">
    <h2>Clock</h2>
    <p>It is <strong>${formatTime(account.clock.now())}</strong> here. Move it on by:</p>
    <form method="post" action="/control/clock">
      <p class="buttons">
        ${STEPS.map(([days, label]) => html`<button name="advanceDays" value="${days}">${label}</button>`)}
      </p>
    </form>
    <form method="post" action="/control/clock">
      <label for="advanceDays">Another number of days</label>
      <span class="buttons"
        ><input id="advanceDays" name="advanceDays" type="number" min="0" max="3660" step="any" required />
        <button>Move the clock</button></span
      >
    </form>
    <p class="soft">
      This clock moves money. The site has its own for what it decides itself, such as the lock after the days of grace;
      it
      ${account.clock.offset === 0 ? "shows real time, too" : html`follows when it is started with <code>npm start -- --var CLOCK_OFFSET_SECONDS:${account.clock.offset}</code>`}.
    </p>
  </section>`;

function disorderCard(account: Account): Markup {
  const now = disorderOf(account.store);
  return html`<section class="card" id="disorder">
    <h2>Disorder</h2>
    <form method="post" action="/control/disorder">
      <div class="pair">
        ${numberField("duplicate", "Extra deliveries", now.duplicate)}
        ${numberField("delayMs", "Late by ms", now.delayMs)}
      </div>
      <div class="field">
        <label for="drop">Lose the next n events, or these types</label
        ><input
          id="drop"
          name="drop"
          value="${Array.isArray(now.drop) ? now.drop.join(", ") : String(now.drop ?? "")}"
        />
      </div>
      <label class="check"
        ><input type="checkbox" name="shuffle" ${when(now.shuffle === true, "checked")} /> In the wrong order</label
      >
      <div class="pair">
        <div class="field">
          <label for="faultKind">API answers</label
          ><select id="faultKind" name="faultKind">
            <option value="">as it should</option>
            ${FAULT_KINDS.map((kind) => html`<option${when(now.apiFault?.kind === kind, "selected")}>${kind}</option>`)}
          </select>
        </div>
        ${numberField("faultNext", "for the next n calls", now.apiFault?.next)}
        <p>
          <label for="creditAtCheckout">Credit at checkout is posted with</label
          ><select id="creditAtCheckout" name="creditAtCheckout">
            ${CREDIT_AT_CHECKOUT.map((kind) => html`<option${when(now.creditAtCheckout === kind, "selected")}>${kind}</option>`)}
          </select>
        </p>
        ${numberField("rateLimit", "API calls a second at most (Stripe's test mode: 25)", now.rateLimit)}
      </div>
      <button>Set</button>
    </form>
    <form class="inline" method="post" action="/control/disorder">
      <button>Back to order</button>
    </form>
  </section>`;
}

const numberField = (name: string, label: string, value: number | undefined): Markup =>
  html`<div class="field">
    <label for="${name}">${label}</label
    ><input id="${name}" name="${name}" type="number" min="0" value="${value ?? ""}" />
  </div>`;
