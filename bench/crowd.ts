import { dayMs } from "#app/core/time/time.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { featureSamples } from "#tests/support/features.ts";
import { large } from "#tests/support/billing/catalogue.ts";

/** The part of a local database that is needed here, from any source. */
export type Rows = {
  prepare: (sql: string) => { bind: (...values: unknown[]) => { run: () => Promise<unknown> } };
};

const { meters }: ProductConfig = product;

/** Number of people written by one statement. */
const PORTION = 20_000;

/** Ids out of numeric order, as random ones would be: a stride and a prime. */
const idOf = (prefix: string) => `'${prefix}_' || ((n * 7919) % 10000019)`;

/** The nth row's id, as the SQL above computes it. */
export function nthId(prefix: string, n: number): string {
  return `${prefix}_${(n * 7919) % 10_000_019}`;
}

/** Per person: the rows that pages, calls and sweeps search. Every third pays monthly, every twelfth yearly. */
const writes = [
  `accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
   select ${idOf("acc")}, 'active', 'p' || n || '@example.com', 'p' || n || '@example.com', 'en', 'UTC', '1', :then from nth`,
  `sessions (id, account_id, state, token_hash, device, created_at, proven_at, last_used_at, expires_at)
   select ${idOf("ses")}, ${idOf("acc")}, 'active', 'hash' || n, 'Firefox on Linux', :now, :now, :now + n % 86400000, :now + 7776000000 from nth`,
  `activities (id, account_id, what, device, happened_at)
   select ${idOf("act")}, ${idOf("acc")}, 'signed-in', 'Firefox on Linux', :now from nth`,
  `customers (account_id, provider_id, created_at, synced_at, asked_at)
   select ${idOf("acc")}, 'cus_' || n, :then, :now, :now from nth where n % 3 = 0`,
  `subscriptions (id, account_id, state, plan_id, interval, amount_minor, currency, card_brand, card_last4, card_expires, started_at,
     period_ends_at, synced_at)
   select ${idOf("sub")}, ${idOf("acc")}, 'active', :plan, iif(n % 12 = 0, 'year', 'month'), 600, 'EUR', 'visa', '4242', '2099-12', :then,
     :now + 86400000 + (n * 7919) % 2505600000, :now from nth where n % 3 = 0`,
  `orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, number_year, number_in_year, invoice_id, created_at, paid_at,
     updated_at)
   select ${idOf("ord")}, ${idOf("acc")}, 'paid', 'renewal', :plan, 'month', 'EUR', 600, 2020, n, 'in_' || n, :then, :then, :then from nth`,
  `devices (id, account_id, state, fingerprint_hash, name, platform, activated_at, last_seen_at)
   select ${idOf("dev")}, ${idOf("acc")}, 'active', 'print' || n, 'Device', 'Linux', :then, :now from nth`,
  `usage_values (account_id, meter, part, value, reported_at)
   select ${idOf("acc")}, '${meters[0]?.key ?? "none"}', ${idOf("dev")}, n, :now from nth`,
  `licence_keys (account_id, key_hash, sealed, created_at) select ${idOf("acc")}, 'key' || n, '', :then from nth`,
  ...featureSamples.flatMap(({ crowd }) => crowd?.(idOf("acc"), ":then") ?? []),
  `referral_links (account_id, code, created_at) select ${idOf("acc")}, 'code' || n, :then from nth`,
  `emails (id, state, template, created_at, sent_at) select 'mail_' || ${idOf("ord")}, 'sent', 'receipt', :then, :then from nth`,
  `webhook_events (id, state, type, customer_id, received_at, settled_at)
   select 'evt_' || n, 'handled', 'invoice.paid', 'cus_' || n, :now - n % 2592000000, :now from nth where n % 3 = 0`,
];

/** Writes the people from one number to another. Their last activity is now; everything they began, they began a year ago. */
export async function fill(d1: Rows, from: number, to: number, now: number): Promise<void> {
  const nth = "with recursive nth(n) as (select cast(?1 as integer) union all select n + 1 from nth where n + 1 < ?2)";
  const statements = writes.map((write) => {
    const [table = ""] = /^\w+ \([^)]*\)/.exec(write) ?? [];
    const rest = write.slice(table.length).replaceAll(":now", "?3").replaceAll(":then", "?4").replaceAll(":plan", "?5");
    // All five are bound, so all five must be used.
    return d1.prepare(
      `insert into ${table} ${nth} ${rest} ${rest.includes("where") ? "and" : "where"} ?3 + ?4 > 0 and ?5 <> ''`,
    );
  });
  for (let start = from; start < to; start += PORTION) {
    const values = [start, Math.min(to, start + PORTION), now, now - 365 * dayMs, large.id];
    for (const statement of statements) await statement.bind(...values).run();
  }
}
