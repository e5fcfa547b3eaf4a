import type Stripe from "stripe";
import type { Desk } from "../desk.ts";
import { disorderOf, FAULT_KINDS } from "../disorder.ts";
import { formatAmount, formatTime, html, type Markup, page } from "./html.ts";

const EVENTS_SHOWN = 50;
const SESSIONS_SHOWN = 20;
const OUTCOMES = ["paid", "declined", "action", "processing", "cancelled", "expired"];
/** What can still happen to a bank debit that is under way. */
const DEBIT_OUTCOMES = ["paid", "declined"];

export function controlPage(desk: Desk): Response {
  return page(
    "Control",
    html` <h1>Control</h1>
      <p>Make things happen that take days, or go wrong, at the real Stripe.</p>
      <div class="grid">
        ${sessionsCard(desk)}
        <div>${clockCard(desk)} ${disorderCard(desk)}</div>
      </div>
      ${eventsCard(desk)}`,
    { isWide: true },
  );
}

function sessionsCard(desk: Desk): Markup {
  const live = [...desk.store.newestFirst("checkout_session")]
    .map((session) => ({
      session,
      isDebit: desk.store.find("checkout_progress", `progress_of_${session.id}`)?.bank_debit_end != null,
    }))
    .filter(({ session, isDebit }) => session.status === "open" || isDebit)
    .slice(0, SESSIONS_SHOWN);
  return html`<section class="card" id="sessions">
    <h2>Checkout sessions</h2>
    ${live.length === 0 && html`<p class="soft">None is open.</p>`}
    ${live.map(({ session, isDebit }) => sessionForm(session, isDebit ? DEBIT_OUTCOMES : OUTCOMES, isDebit))}
  </section>`;
}

const sessionForm = (session: Stripe.Checkout.Session, outcomes: string[], isDebit: boolean): Markup => html` <form
  method="post"
  action="/control/checkout"
>
  <input type="hidden" name="session" value="${session.id}" />
  <p>
    <a href="/checkout/${session.id}">${session.customer_details?.email ?? session.id.slice(0, 20)}</a>,
    ${formatAmount(session.amount_total ?? 0, session.currency ?? "")}${isDebit ? ", bank debit under way" : `, open until ${formatTime(session.expires_at)}`}
  </p>
  <p class="buttons">
    ${outcomes.map((outcome) => html`<button name="outcome" value="${outcome}">${outcome}</button>`)}
  </p>
</form>`;

const clockCard = (desk: Desk): Markup => html`<form class="card" id="clock" method="post" action="/control/clock">
  <h2>Clock</h2>
  <p>It is <strong>${formatTime(desk.clock.now())}</strong> here.</p>
  <div class="field">
    <label for="advanceDays">Move on by days</label
    ><input id="advanceDays" name="advanceDays" type="number" min="0" max="3660" step="any" value="1" required />
  </div>
  <button>Move the clock</button>
</form>`;

function disorderCard(desk: Desk): Markup {
  const now = disorderOf(desk.store);
  return html`<form class="card" id="disorder" method="post" action="/control/disorder">
    <h2>Disorder</h2>
    <div class="pair">
      ${numberField("duplicate", "Extra deliveries", now.duplicate)}
      ${numberField("delayMs", "Late by ms", now.delayMs)}
    </div>
    <div class="field">
      <label for="drop">Lose the next n, or these types</label
      ><input id="drop" name="drop" value="${Array.isArray(now.drop) ? now.drop.join(", ") : String(now.drop ?? "")}" />
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
    </div>
    <button>Set</button>
  </form>`;
}

const numberField = (name: string, label: string, value: number | undefined): Markup =>
  html`<div class="field">
    <label for="${name}">${label}</label
    ><input id="${name}" name="${name}" type="number" min="0" value="${value ?? ""}" />
  </div>`;

/** An attribute without a value is there or isn't. */
const when = (isSet: boolean, attribute: string): string => (isSet ? ` ${attribute}` : "");

function eventsCard(desk: Desk): Markup {
  const events: Stripe.Event[] = [];
  for (const event of desk.store.newestFirst("event")) if (events.push(event) === EVENTS_SHOWN) break;
  return html`<section class="card" id="events">
    <h2>Events</h2>
    ${events.length === 0 && html`<p class="soft">None yet.</p>`}
    <div class="scroll" tabindex="0" role="region" aria-label="Events and their deliveries">
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Type</th>
            <th scope="col">Object</th>
            <th scope="col">Deliveries</th>
          </tr>
        </thead>
        <tbody>
          ${events.map(
            (event) => html`<tr>
              <td class="nowrap">${formatTime(event.created)}</td>
              <td><code>${event.type}</code></td>
              <td><code>${shortId(event)}</code></td>
              <td>${deliveries(desk, event)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

const shortId = (event: Stripe.Event): string =>
  "id" in event.data.object ? String(event.data.object.id).slice(0, 18) : "";

/** One word per answer, counted: a site that was down for a while fills no page. */
function deliveries(desk: Desk, event: Stripe.Event): Markup {
  const counts = new Map<number, number>();
  for (const { status } of desk.courier.attemptsOf(event.id)) counts.set(status, (counts.get(status) ?? 0) + 1);
  if (counts.size === 0) {
    return html`<span class="soft">${event.pending_webhooks > 0 ? "waiting" : "nobody asked for it"}</span>`;
  }
  return html`${[...counts].map(([status, count]) => {
    const words = `${status === 0 ? "no answer" : status}${count === 1 ? "" : ` × ${count}`}`;
    return html`<span class="${status >= 200 && status < 300 ? "ok" : "not-ok"}">${words}</span> `;
  })}`;
}
