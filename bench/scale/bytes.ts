import { featureSamples } from "#tests/support/features.ts";
import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { dayMs } from "#app/core/time/time.ts";
import { type Table, wholeNumber } from "../table.ts";

/** How many customers are written. Half of them pay every month. */
const customers = 20_000;
/** The largest D1 database on Workers Paid (https://developers.cloudflare.com/d1/platform/limits/). */
const databaseBytesMax = 10_000_000_000;
const gigabyte = 1_000_000_000;
const months = 12;

/** Tables that grow with every payment and are kept. Of the others a customer has a constant number of rows, or those of a limited time. */
const growing = new Set(["orders", "order_lines", "documents", "history_events"]);

/** An id of ours or Stripe's: random, of the length that it has. */
const id = (prefix: string, characters = 26) => `'${prefix}_' || substr(lower(hex(randomblob(16))), 1, ${characters})`;
const hash = "lower(hex(randomblob(26)))";
const serviceId = "lower(hex(randomblob(18)))";

/** A customer's id is known to the other rows: the nth is scrambled, as random ones are. */
const account = "'acc_' || printf('%026x', (n * 7919) % 10000019 * 1000003)";
const stripeCustomer = "'cus_' || printf('%014x', (n * 7919) % 10000019 * 1000003)";
const subscription = "'sub_1' || printf('%023x', (n * 7919) % 10000019 * 1000003)";
/** Of the nth customer in month :m. */
const order = "'ord_' || printf('%026x', ((n * 7919) % 10000019) * 100 + :m)";

/** By a friend's link came every fourth, who belongs to those who pay. */
const byFriend = "n % 4 = 0";
const referral = "'ref_' || printf('%026x', (n * 7919) % 10000019 * 1000003)";

/** What a customer has once, written when they join. All were on the waitlist before. */
const once = [
  `entries (id, gate, state, email, email_canonical, confirm_hash, entry_hash, share_code, created_at, confirm_expires_at, confirmed_at,
     number, sort_number, invitations, invited_at, invitation_expires_at, accepted_at, joined_at, mailbox)
   select ${id("ent")}, 'site', 'joined', 'firstname.lastname' || n || '@example.com', 'firstname.lastname' || n || '@example.com', ${hash},
     ${hash}, substr(${hash}, 1, 10), :at, :at, :at, n, n, 1, :at, :at, :at, :at, 'firstname.lastname' || n || '@example.com' from nth`,
  `accounts (id, state, email, email_canonical, name, locale, time_zone, terms_version, created_at, mailbox_hashed_at)
   select ${account}, 'active', 'firstname.lastname' || n || '@example.com', 'firstname.lastname' || n || '@example.com', 'Firstname Lastname',
     'en', 'Europe/Berlin', '2026-11-01', :at, :at from nth`,
  `customer_hashes (hash, account_id, kind, first_at) select ${hash}, ${account}, 'mailbox', :at from nth`,
  `licence_keys (account_id, key_hash, sealed, created_at) select ${account}, ${hash}, hex(randomblob(40)), :at from nth`,
  ...featureSamples.flatMap(({ crowd }) => crowd?.(account, ":at") ?? []),
  `referral_links (account_id, code, created_at) select ${account}, substr(${hash}, 1, 10), :at from nth where n % 3 = 0`,
  `passkeys (id, account_id, credential_id, public_key, counter, transports, name, created_at)
   select ${id("pky")}, ${account}, hex(randomblob(20)), hex(randomblob(50)), 0, '["internal"]', 'iCloud Keychain', :at from nth where n % 3 = 0`,
  `devices (id, account_id, state, fingerprint_hash, name, platform, activated_at, last_seen_at)
   select ${id("dev")}, ${account}, 'active', ${hash}, 'Firstname’s computer', 'macos', :at, :at from nth`,
  `devices (id, account_id, state, fingerprint_hash, name, platform, activated_at, last_seen_at)
   select ${id("dev")}, ${account}, 'active', ${hash}, 'Firstname’s phone', 'ios', :at, :at from nth where n % 2 = 0`,
  `usage_values (account_id, meter, part, value, reported_at) select ${account}, 'storage', ${id("dev")}, 123456789, :at from nth`,
  `customers (account_id, provider_id, created_at, synced_at, asked_at, methods_hashed_at)
   select ${account}, ${stripeCustomer}, :at, :at, :at, :at from nth where n % 2 = 0`,
  `customer_hashes (hash, account_id, kind, first_at) select ${hash}, ${account}, 'payment-method', :at from nth where n % 2 = 0`,
  `subscriptions (id, account_id, state, plan_id, interval, amount_minor, currency, card_brand, card_last4, card_expires, started_at,
     period_ends_at, synced_at)
   select ${subscription}, ${account}, 'active', 'larger', 'month', 600, 'EUR', 'visa', '4242', '2029-12', :at, :at + 2592000000, :at
   from nth where n % 2 = 0`,
  `referrals (id, referrer_id, friend_id, state, signed_up_at, cards, approved_at)
   select ${referral}, 'acc_' || printf('%026x', ((n - 2) * 7919) % 10000019 * 1000003), ${account}, 'approved', :at, 'differ', :at
   from nth where ${byFriend}`,
  `friend_discounts (referral_id, friend_id, order_id, state, amount_minor, currency, mailbox_hash, method_hash, refund_id, created_at, decided_at, paid_at)
   select ${referral}, ${account}, 'ord_' || printf('%026x', ((n * 7919) % 10000019) * 100), 'paid', 200, 'EUR', ${hash}, ${hash}, ${id("re", 24)}, :at, :at, :at
   from nth where ${byFriend}`,
  `ledger_lines (id, account_id, kind, amount_minor, currency, why, referral_id, happened_at, expires_at, customer_id, provider_id)
   select 'line_' || ${referral}, ${account}, 'earned', 300, 'EUR', 'friend', ${referral}, :at, :at + 31536000000, ${stripeCustomer},
     ${id("cbtxn", 24)} from nth where ${byFriend}`,
  `ledger_lines (id, account_id, kind, amount_minor, currency, why, invoice_id, happened_at, customer_id, provider_id)
   select 'line_' || ${id("in", 24)}, ${account}, 'applied', -300, 'EUR', 'order', ${id("in", 24)}, :at, ${stripeCustomer}, ${id("cbtxn", 24)}
   from nth where ${byFriend}`,
];

/** What happens in each of twelve months: two sign-ins, and to those who pay a renewal with its invoice and emails. */
const monthly = [
  ...[1, 2].flatMap(() => [
    `activities (id, account_id, what, device, country, happened_at, method, network)
     select ${id("act")}, ${account}, 'signed-in', 'Firefox on Windows', 'DE', :at + n, 'code', '192.0.2.0' from nth`,
    `emails (id, state, template, created_at, sent_at, recipient_id, service_id)
     select ${id("mail")}, 'sent', 'code', :at + n, :at + n, ${account}, ${serviceId} from nth`,
  ]),
  `orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, tax_minor, number_year, number_in_year, invoice_id,
     receipt_url, created_at, paid_at, buyer_time_zone, synced_at, updated_at)
   select ${order}, ${account}, 'paid', 'renewal', 'larger', 'month', 'EUR', 600, 96, 2026, :m * 1000000 + n, ${id("in", 24)},
     'https://invoice.stripe.com/i/' || hex(randomblob(60)), :at + n, :at + n, 'Europe/Berlin', :at, :at + n from nth where n % 2 = 0`,
  `order_lines (order_id, position, description, amount_minor, period_starts_at, period_ends_at)
   select ${order}, 0, '1 × Product Larger (at €8.00 / month)', 600, :at, :at + 2592000000 from nth where n % 2 = 0`,
  `history_events (order_id, what, occurrence, happened_at) select ${order}, 'pending', '', :at + n from nth where n % 2 = 0`,
  `history_events (order_id, what, occurrence, amount_minor, happened_at) select ${order}, 'paid', '', 600, :at + n from nth where n % 2 = 0`,
  `documents (order_id, cause, kind, number_year, number_in_year, provider_number, currency, net_minor, tax_minor, total_minor, money_minor,
     lines, taxes, steps, seller, buyer, period_starts_at, period_ends_at, issued_at, time_zone)
   select ${order}, '', 'invoice', 2026, :m * 1000000 + n, 'A1B2C3D4-0001', 'EUR', 504, 96, 600, 600,
     '[{"label":"1 × Product Larger (at €8.00 / month)","quantity":1,"netMinor":504,"taxMinor":96,"totalMinor":600,"periodStartsAt":1795975207473,"periodEndsAt":1798567207473}]',
     '[{"name":"VAT","percentage":19,"taxMinor":96,"isReverse":false,"country":"DE"}]', '[]',
     '{"name":"Some Software Ltd","address":["Musterstrasse 12","10115 Berlin","Germany"],"vatId":"DE123456789"}',
     '{"name":"Firstname Lastname","address":["Longer Street Name 123","20095 Hamburg"],"country":"DE","vatIds":[],"method":"Visa ending in 4242"}',
     :at, :at + 2592000000, :at + n, 'Europe/Berlin' from nth where n % 2 = 0`,
  `emails (id, state, template, created_at, sent_at, order_id, recipient_id, service_id)
   select 'mail_' || ${order} || '.paid', 'sent', 'receipt', :at + n, :at + n, ${order}, ${account}, ${serviceId} from nth where n % 2 = 0`,
];

/** What is kept for a limited time: the sessions of ninety days, and eight of Stripe's events about the last payment. */
const lately = [
  ...["Firefox on Windows", "Safari on iPhone"].flatMap((device) => [
    `sessions (id, account_id, state, token_hash, device, country, created_at, proven_at, last_used_at, expires_at, method)
     select ${id("ses")}, ${account}, 'active', ${hash}, '${device}', 'DE', :at, :at, :at, :at + 7776000000, 'code' from nth`,
    `known_browsers (address_hash, browser_hash, last_used_at) select ${hash}, ${hash}, :at from nth`,
  ]),
  ...Array.from(
    { length: 4 },
    () => `sessions (id, account_id, state, token_hash, device, country, created_at, proven_at, last_used_at, expires_at, ended_at, method)
     select ${id("ses")}, ${account}, 'rotated', ${hash}, 'Firefox on Windows', 'DE', :at, :at, :at, :at + 7776000000, :at, 'code' from nth`,
  ),
  ...Array.from(
    { length: 8 },
    () => `webhook_events (id, state, type, customer_id, received_at, settled_at)
     select ${id("evt", 24)}, 'handled', 'customer.subscription.updated', ${stripeCustomer}, :at + n, :at + n from nth where n % 2 = 0`,
  ),
];

function fill(database: DatabaseSync): void {
  const until = Date.UTC(2026, 10, 29);
  const write = (insert: string, at: number, m: number) => {
    const text = `insert into ${insert.replace(/\bselect\b/, "with recursive nth(n) as (select 1 union all select n + 1 from nth where n < :count) select")}`;
    database
      .prepare(text)
      .run({ count: customers, ...(/:at\b/.test(text) && { at }), ...(/:m\b/.test(text) && { m }) });
  };
  database.exec("begin");
  for (const insert of once) write(insert, until - months * 30 * dayMs, 0);
  for (let m = 0; m < months; m += 1) {
    for (const insert of monthly) write(insert, until - (months - m) * 30 * dayMs, m);
  }
  for (const insert of lately) write(insert, until, 0);
  database.exec("commit");
}

type Size = { table: string; rows: number; tableBytes: number; indexBytes: number };

/** In whole pages, as a file has them: what isn't filled of a page counts. */
function sizesOf(database: DatabaseSync): Size[] {
  const found = database
    .prepare(
      `select s.tbl_name as name, sum(iif(s.type = 'table', p.pgsize, 0)) as tableBytes, sum(iif(s.type = 'index', p.pgsize, 0)) as indexBytes
       from dbstat p join sqlite_schema s on s.name = p.name group by s.tbl_name`,
    )
    .all();
  return found
    .map(({ name, tableBytes, indexBytes }) => ({
      table: String(name),
      rows: Number(database.prepare(`select count(*) as rows from "${String(name)}"`).get()?.["rows"]),
      tableBytes: Number(tableBytes),
      indexBytes: Number(indexBytes),
    }))
    .filter(({ rows }) => rows > 0)
    .toSorted((left, right) => right.tableBytes + right.indexBytes - left.tableBytes - left.indexBytes);
}

/**
 * Bytes of a customer after a year, by table, and how many customers a database holds. SQLite itself, as D1 is, with the migrations of this
 * clone: the pages that tables and indexes occupy when rows arrive in the order of a year.
 */
export function* benchBytes(): Generator<Table> {
  const database = new DatabaseSync(":memory:");
  for (const file of readdirSync("drizzle").filter((name) => name.endsWith(".sql"))) {
    database.exec(readFileSync(`drizzle/${file}`, "utf8"));
  }
  database.exec("pragma foreign_keys = off");
  fill(database);
  const sizes = sizesOf(database);
  database.close();
  const bytes = ({ tableBytes, indexBytes }: Size) => tableBytes + indexBytes;
  const sum = (some: readonly Size[]) => some.reduce((total, size) => total + bytes(size), 0);
  const yearly = sum(sizes.filter(({ table }) => growing.has(table))) / customers;
  const constant = sum(sizes) / customers - yearly;
  const each = (value: number) => (value / customers).toFixed(1);
  yield {
    title: `Scale: bytes of a customer after a year, among ${wholeNumber(customers)}`,
    notes: [
      "All were on the waitlist, every fourth came by a friend's link, half pay every month; all sign in twice a month by code. Whole pages, by table with its indexes.",
    ],
    head: ["", "rows", "table", "indexes", "bytes"],
    rows: [
      ...sizes.map((size) => [
        size.table,
        each(size.rows),
        wholeNumber(size.tableBytes / customers),
        wholeNumber(size.indexBytes / customers),
        wholeNumber(bytes(size) / customers),
      ]),
      ["together", "", "", "", wholeNumber(constant + yearly)],
      ["of which grows with every year", "", "", "", wholeNumber(yearly)],
    ],
  };
  const gigabytes = (people: number, years: number) =>
    `${((people * (constant + years * yearly)) / gigabyte).toFixed(1)} GB`;
  const held = (years: number) => wholeNumber(databaseBytesMax / (constant + years * yearly));
  yield {
    title: "Scale: the size of a database",
    notes: ["Extrapolated: what is kept for a limited time stays, and each year adds its orders with their documents."],
    head: ["", "after a year", "after ten years"],
    rows: [
      ...[customers, 100_000, 1_000_000].map((people) => [
        `${wholeNumber(people)} customers`,
        gigabytes(people, 1),
        gigabytes(people, 10),
      ]),
      ["customers in 10 GB", held(1), held(10)],
    ],
  };
}
