import type Stripe from "stripe";
import { formatTime, html, type Markup } from "./html.ts";
import type { Account } from "../account.ts";

const EVENTS_SHOWN = 30;
const KEEP_HOURS = [24, 1, 0];

export function eventsCard(account: Account): Markup {
  const events: Stripe.Event[] = [];
  for (const event of account.store.newestFirst("event")) if (events.push(event) === EVENTS_SHOWN) break;
  return html`<section class="card" id="events">
    <h2>Events</h2>
    ${events.length === 0 && html`<p class="soft">None yet.</p>`}
    <ul class="rows">
      ${events.map(
        (event) =>
          html`<li>
            <span
              ><code>${event.type}</code><br /><span class="soft"
                >${formatTime(event.created)} · ${shortId(event)}</span
              ></span
            >
            <span class="buttons"
              ><span>${deliveries(account, event)}</span>
              <form method="post" action="/control/resend">
                <input type="hidden" name="event" value="${event.id}" />
                <button aria-label="Send again: ${event.type}">Send again</button>
              </form></span
            >
          </li>`,
      )}
    </ul>
  </section>`;
}

const shortId = (event: Stripe.Event): string =>
  "id" in event.data.object ? String(event.data.object.id).slice(0, 18) : "";

/** One word per response, with a count: a site that was down for a while doesn't fill the page. */
function deliveries(account: Account, event: Stripe.Event): Markup {
  const counts = new Map<number, number>();
  for (const { status } of account.dispatcher.attemptsOf(event.id)) counts.set(status, (counts.get(status) ?? 0) + 1);
  if (counts.size === 0) return html`<span class="soft">${untried(account, event)}</span>`;
  return html`${[...counts].map(([status, count]) => {
    const label = `${status === 0 ? "no answer" : status}${count === 1 ? "" : ` × ${count}`}`;
    return html`<span class="${status >= 200 && status < 300 ? "ok" : "not-ok"}">${label}</span> `;
  })}`;
}

function untried(account: Account, event: Stripe.Event): string {
  if (account.dispatcher.isUnderWay(event.id)) return "waiting";
  return event.pending_webhooks > 0 ? "lost" : "nobody asked for it";
}

export function secretCard(account: Account): Markup {
  const roll = account.secretRoll();
  return html`<form class="card" id="secret" method="post" action="/control/secret">
    <h2>Webhook secret</h2>
    ${
      roll === null
        ? html`<p>As configured. After a roll the site needs the new secret to believe what it is told.</p>`
        : html`<p>
              The new secret is <code>${roll.secret}</code>.
              ${
                roll.until > account.clock.now()
                  ? `The one before signs along until ${formatTime(roll.until)}.`
                  : "The one before has ended."
              }
            </p>
            <p class="soft">
              The site takes both in <code>STRIPE_WEBHOOK_SECRET</code>, the new one first, with a comma between them.
            </p>`
    }
    <div class="field">
      <label for="keepHours">The old one signs along for hours</label
      ><select id="keepHours" name="keepHours">
        ${KEEP_HOURS.map((hours) => html`<option>${hours}</option>`)}
      </select>
    </div>
    <button>Roll the secret</button>
  </form>`;
}
