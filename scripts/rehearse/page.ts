import { formatMoney, formatPrice } from "#app/core/money/money.ts";
import { escapeHtml } from "#app/core/text/escape-html.ts";
import { formatShortDay } from "#app/core/time/time.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { describeStep } from "../maintainers/simulate/describe-story.ts";
import { startsAt } from "../maintainers/simulate/starts-at.ts";
import type { NewPrices, Step, ToldChange } from "../maintainers/simulate/story.ts";
import { cameBack, hasFailed, isPaying, type Person, type Report } from "./report.rules.ts";

export type Rehearsal = {
  product: ProductConfig;
  report: Report;
  /** What each person did, by name. */
  deeds: ReadonlyMap<string, { step: Step; outcome: string }[]>;
  prices: NewPrices | null;
  seconds: number;
  command: string;
};

/** A page of its own, without scripts or other files. */
export function renderRehearsal(rehearsal: Rehearsal): string {
  const { product, report, prices, seconds, command } = rehearsal;
  const { joined, paid, failed, cameBack: back, left, paying } = report.counts;
  const total = report.months.reduce((sum, { paidMinor, refundedMinor }) => sum + paidMinor - refundedMinor, 0);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>A year of ${escapeHtml(product.name)}</title>
<style>${css}</style>
</head>
<body>
<header>
<p class="mark">Rehearsal</p>
<h1>A year of ${escapeHtml(product.name)}, with ${counted(joined, "customer")}</h1>
<p>Simulated people on your config, your emails and the real code, with a stand-in for Stripe. What they do is assumed
(<code>scripts/rehearse/customers.rules.ts</code>); what the site answered, charged and wrote is what it would. ${seconds} seconds,
<code>${escapeHtml(command)}</code>.</p>
</header>
<main>
${broken(rehearsal)}
<section aria-labelledby="people"><h2 id="people">What became of them</h2>
<dl class="figures">
${figure(joined, "joined")}${figure(paid, "paid at least once")}${figure(failed, "had a payment that failed")}
${figure(back, "came back after that, or after leaving")}${figure(left, "left after paying")}${figure(paying, "pay at the end")}
</dl></section>
${prices === null ? "" : changes(rehearsal)}
<section aria-labelledby="money"><h2 id="money">${escapeHtml(amount(product, total))} in the year</h2>
${months(rehearsal)}</section>
<section aria-labelledby="emails"><h2 id="emails">${counted(
    report.emails.reduce((sum, { count }) => sum + count, 0),
    "email",
  )}</h2>
<p>One of each kind to read.</p>
<ul class="emails">${report.emails
    .map(
      ({
        template,
        count,
        newest,
      }) => `<li><details><summary><span class="count">${count}</span> ${escapeHtml(withoutCode(newest.subject))}
<code>${escapeHtml(template)}</code></summary><p class="to">To ${escapeHtml(newest.who)}, ${day(product, newest.at)}</p>
<pre>${escapeHtml(withoutCode(newest.text))}</pre></details></li>`,
    )
    .join("\n")}</ul></section>
<section aria-labelledby="each"><h2 id="each">Each of them</h2>
<ul class="people">${report.people.map((person) => life(rehearsal, person)).join("\n")}</ul></section>
</main>
</body>
</html>
`;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const amount = ({ currency, locale }: ProductConfig, amountMinor: number) =>
  formatMoney({ amountMinor, currency }, locale);
const price = ({ currency, locale }: ProductConfig, amountMinor: number) =>
  formatPrice({ amountMinor, currency }, locale);
const day = ({ locale, timeZone }: ProductConfig, at: number) => escapeHtml(formatShortDay(at, { locale, timeZone }));
const planName = ({ plans }: ProductConfig, planId: string) => plans.find(({ id }) => id === planId)?.name ?? planId;

/** Codes, links and keys are secrets, if only of people who don't exist. */
const withoutCode = (text: string) =>
  text.replaceAll(/\b\d{8}\b/g, "12345678").replaceAll(/(https?:\/\/[^\s?]+)\?\S+/g, "$1?…");

const figure = (count: number, what: string) => `<div><dt>${what}</dt><dd>${count}</dd></div>`;

function broken({ report, command }: Rehearsal): string {
  if (report.broken.length === 0)
    return `<p class="notice good">Nothing broke: every check of the simulation held.</p>`;
  return `<section class="notice problem" aria-labelledby="broken"><h2 id="broken">${counted(report.broken.length, "check")} didn't hold</h2>
<ul>${report.broken
    .map(
      ({ invariant, details }) =>
        `<li>${escapeHtml(invariant)}<pre>${escapeHtml(JSON.stringify(details, null, 1))}</pre></li>`,
    )
    .join("")}</ul>
<p>The world in which it happened ended there. <code>${escapeHtml(command)}</code> repeats it.</p></section>`;
}

function months({ product, report }: Rehearsal): string {
  const max = Math.max(1, ...report.months.map(({ paidMinor }) => paidMinor));
  const name = (month: string) =>
    new Intl.DateTimeFormat(product.locale, { month: "short", timeZone: "UTC" }).format(Date.parse(`${month}-01`));
  return `<table class="months"><thead><tr><th scope="col">Month</th><th scope="col">Payments</th><th scope="col">Revenue</th><th scope="col">Refunded</th><td></td></tr></thead>
<tbody>${report.months
    .map(
      ({
        month,
        paidMinor,
        refundedMinor,
        orders,
      }) => `<tr><th scope="row">${escapeHtml(name(month))}</th><td>${orders}</td>
<td>${escapeHtml(amount(product, paidMinor))}</td><td>${refundedMinor === 0 ? "" : escapeHtml(amount(product, refundedMinor))}</td>
<td class="bar"><svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.round((100 * paidMinor) / max)}" height="1"/></svg></td></tr>`,
    )
    .join("\n")}</tbody></table>`;
}

function changes({ product, report, prices }: Rehearsal): string {
  const changed = Object.entries(prices ?? {}).flatMap(([planId, own]) =>
    Object.entries(own).map(
      ([interval, minor]) => `${planName(product, planId)} ${price(product, minor)} per ${interval}`,
    ),
  );
  const ofPlans = report.people.flatMap(({ change }) => (change && change.planId in (prices ?? {}) ? [change] : []));
  const kept = ofPlans.filter(({ beforeMinor, afterMinor }) => beforeMinor === afterMinor).length;
  return `<section aria-labelledby="change"><h2 id="change">If the price changes</h2>
<p>${escapeHtml(changed.join(", "))}, from the end of the year on. ${
    ofPlans.length === 0
      ? "Nobody has one of these plans."
      : `${kept === ofPlans.length ? `All ${kept}` : `${kept} of the ${ofPlans.length}`} who have one of these plans go on paying what they agreed to: a new price is for new contracts, and for those who change their plan.`
  } Here is the month after it.</p>
<table><thead><tr><th scope="col">Customer</th><th scope="col">Plan</th><th scope="col">Paid before</th><th scope="col">Pays now</th><th scope="col">New customers pay</th>
<th scope="col">Charged in the month</th><th scope="col">Next charge</th><th scope="col">Told</th></tr></thead>
<tbody>${ofPlans.map((each) => changeRow(product, each)).join("\n")}</tbody></table></section>`;
}

function changeRow(product: ProductConfig, change: ToldChange): string {
  const { who, planId, interval, beforeMinor, afterMinor, newMinor, chargedMinor, nextChargeAt, emails } = change;
  const per = (minor: number) => `${escapeHtml(price(product, minor))}\u00a0per\u00a0${interval}`;
  return `<tr><th scope="row">${escapeHtml(who)}</th><td>${escapeHtml(planName(product, planId))}</td><td>${per(beforeMinor)}</td>
<td>${afterMinor === 0 ? "nothing: the plan has ended" : per(afterMinor)}</td><td>${per(newMinor)}</td><td>${escapeHtml(amount(product, chargedMinor))}</td>
<td>${nextChargeAt === null ? "none" : day(product, nextChargeAt)}</td><td>${emails.length === 0 ? "nothing" : emails.map(escapeHtml).join("<br>")}</td></tr>`;
}

/** In one line what somebody came to, and behind it all they did and got. */
function life({ product, deeds }: Rehearsal, person: Person): string {
  const { who, orders, emails, subscriptions, joinedAt } = person;
  const paid = orders.reduce(
    (sum, { paidAt, amountMinor, refundedMinor }) => sum + (paidAt === null ? 0 : amountMinor - refundedMinor),
    0,
  );
  const plan = subscriptions.at(-1);
  const now =
    isPaying(person) && plan
      ? `${planName(product, plan.planId)} by the ${plan.interval}`
      : paid > 0 || plan
        ? "no plan any more"
        : "never paid";
  const marks = [hasFailed(person) ? "a payment failed" : "", cameBack(person) ? "came back" : ""].filter(Boolean);
  const lines = [
    ...(deeds.get(who) ?? []).map(({ step, outcome }) => ({
      at: startsAt + step.at * 60_000,
      text: `${describeStep(step, product)}${outcome === "done" ? "" : ` Refused: ${outcome}.`}`,
    })),
    ...emails.map(({ at, subject }) => ({ at, text: `✉ ${withoutCode(subject)}` })),
  ].toSorted((left, right) => left.at - right.at);
  return `<li><details><summary><b>${escapeHtml(who)}</b> <span>${escapeHtml([now, amount(product, paid), ...marks].join(" · "))}</span></summary>
<p class="to">Joined ${day(product, joinedAt ?? 0)}</p>
<ol>${lines.map(({ at, text }) => `<li><time>${day(product, at)}</time> ${escapeHtml(text)}</li>`).join("")}</ol></details></li>`;
}

const css = `
:root { color-scheme: light dark; --paper: light-dark(#f7f5f0, #1d1b18); --sheet: light-dark(#fefdfb, #262320); --ink: light-dark(#2b2621, #f0ede6);
  --soft: light-dark(#5f574d, #bdb5a9); --line: light-dark(#dfdad0, #48433c); --accent: light-dark(#1f5f63, #86c5c6);
  --good: light-dark(#e5f2ea, #20352a); --problem: light-dark(#fae6e3, #482420) }
* { box-sizing: border-box }
body { max-width: 72rem; margin: 0 auto; padding: clamp(1rem, 4vw, 3rem); background: var(--paper); color: var(--ink); font: 1.0625rem/1.55 system-ui, sans-serif }
h1 { margin: 0 0 .5rem; font-size: clamp(1.75rem, 1.3rem + 2vw, 2.75rem); line-height: 1.15; text-wrap: balance }
h2 { margin: 0 0 .75rem; font-size: 1.5rem } header p { max-width: 46rem; color: var(--soft) } code { overflow-wrap: anywhere } .mark { margin: 0; color: var(--accent); font-weight: 600 }
section, .notice { margin-block: 2rem; padding: clamp(1rem, 3vw, 2rem); border: 1px solid var(--line); border-radius: .875rem; background: var(--sheet); overflow-x: auto }
.notice.good { background: var(--good) } .notice.problem { background: var(--problem) }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1.5rem; margin: 0 }
.figures div { display: flex; flex-direction: column-reverse; justify-content: flex-end } .figures dd { margin: 0; font-size: 2.5rem; font-weight: 600; line-height: 1.1; font-variant-numeric: tabular-nums }
.figures dt, .to, time { color: var(--soft); font-size: .9375rem }
table { inline-size: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums } th, td { padding: .4rem .75rem .4rem 0; border-block-end: 1px solid var(--line); text-align: start; vertical-align: top }
thead th { color: var(--soft); font-size: .9375rem; font-weight: 400 } .months td:nth-child(-n + 4), .months th:not(:first-child) { text-align: end } .months .bar { inline-size: 45%; padding-inline: 1rem 0 }
.bar svg { display: block; inline-size: 100%; block-size: 1rem } .bar rect { fill: var(--accent) }
ul, ol { margin: 0; padding: 0; list-style: none } .emails > li, .people > li { border-block-end: 1px solid var(--line) }
summary { display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: baseline; min-block-size: 2.75rem; padding-block: .5rem; cursor: pointer } summary::before { content: "▸" } details[open] > summary::before { content: "▾" }
summary span { color: var(--soft) } summary .count { min-inline-size: 2.5rem; color: var(--ink); font-weight: 600; text-align: end; font-variant-numeric: tabular-nums } summary code { color: var(--soft); font-size: .8125rem }
pre { margin: 0 0 1rem; padding: 1rem; border-radius: .5rem; background: var(--paper); font: .9375rem/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere }
details ol { margin-block: .25rem 1rem } details ol li { padding-block: .15rem } time { display: inline-block; min-inline-size: 7rem }
@media (max-width: 40rem) { .months .bar { display: none } }
`;
