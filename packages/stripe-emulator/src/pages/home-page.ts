import { formatAmount } from "../money/money.ts";
import { formatTime, html, linkTo, page } from "./html.ts";
import type { Account } from "../account.ts";

const SHOWN = 10;

/** The home page: links to everything in a local run. */
export function homePage(account: Account): Response {
  const sessions = first(account.store.newestFirst("checkout_session"));
  const events = first(account.store.newestFirst("event"));
  return page(
    "Home",
    html` <h1>Stripe emulator</h1>
      <p>It stands in for Stripe while you run the site on your machine. Cards, money and banks here are made up.</p>
      <div class="grid">
        <section class="card">
          <h2>Places</h2>
          <ul class="rows">
            <li><a href="${linkTo(account.siteOrigin)}">The site</a><span class="soft">${account.siteOrigin}</span></li>
            <li><a href="/mailbox">The mailbox</a><span class="soft">emails that the site sent, newest first</span></li>
            <li><a href="/control">Control</a><span class="soft">outcomes, clock, disorder</span></li>
          </ul>
        </section>
        <section class="card">
          <h2>Clock</h2>
          <p><strong>${formatTime(account.clock.now())}</strong></p>
          <p class="soft">
            ${account.clock.offset === 0 ? "Real time." : `${Math.round(account.clock.offset / 86_400)} days ahead of real time.`}
            <a href="/control#clock">Move it on</a>
          </p>
        </section>
        <section class="card">
          <h2>Checkout sessions</h2>
          ${sessions.length === 0 && html`<p class="soft">None yet. Subscribe on the site to open one.</p>`}
          <ul class="rows">
            ${sessions.map(
              (session) =>
                html`<li>
                  <a href="/checkout/${session.id}"
                    >${session.customer_details?.email ?? `${session.id.slice(0, 20)}…`}</a
                  >
                  <span
                    >${formatAmount(session.amount_total ?? 0, session.currency ?? "")} ·
                    ${session.status}${session.status === "complete" && session.payment_status === "unpaid" ? ", unpaid" : ""}</span
                  >
                </li>`,
            )}
          </ul>
        </section>
        <section class="card">
          <h2>Events</h2>
          ${events.length === 0 && html`<p class="soft">None yet.</p>`}
          <ul class="rows">
            ${events.map((event) => html`<li><code>${event.type}</code><span class="soft">${formatTime(event.created)}</span></li>`)}
          </ul>
          <p><a href="/control#events">All, with their deliveries</a></p>
        </section>
      </div>`,
    { isWide: true },
  );
}

function first<T>(items: Iterable<T>): T[] {
  const found: T[] = [];
  for (const item of items) if (found.push(item) === SHOWN) break;
  return found;
}
