import { env } from "cloudflare:workers";
import { getTableConfig, SQLiteSyncDialect, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "#app/db/schema.ts";
import { sealFormerAddress } from "#app/modules/accounts/former-addresses.rules.ts";
import { declarationNamesOf } from "#app/modules/accounts/codes/declaration-quotas.rules.ts";
import { quotaNamesOf } from "#app/modules/accounts/codes/email-quotas.rules.ts";
import { codeQuotas } from "#app/modules/accounts/codes/rules.ts";
import { dayMs } from "#app/core/time/time.ts";
import { featureSamples } from "#tests/support/features.ts";
import type { TestApp } from "#tests/support/site/worker-app.ts";

type Value = string | number | null;
export type Row = Record<string, Value>;

const dialect = new SQLiteSyncDialect({ casing: "snake_case" });

/** Parents before children: the schema's own order. */
export const tables = Object.values(schema)
  .filter((value) => value instanceof SQLiteTable)
  .map((table) => getTableConfig(table));

/** Tables whose rows belong to no account, or that store no more of one than a hash. */
const withoutAccount = [
  "deleted_addresses",
  "used_challenges",
  "webhook_events",
  "job_cursors",
  "queue_counts",
  "waves",
  "operator_log",
  "sold_plans",
  "waiting_emails",
];

/**
 * An account with a row in every table that can have one, derived from the schema: a new table is filled
 * automatically. Texts name the account and the column, and each instant is unique to account and table, so that both
 * are found again. What belongs to the account's former address dates from its creation, long before it was changed.
 */
export async function anAccountInEveryTable(app: TestApp, mark: string, born: number) {
  const id = `acc_${mark}` as const;
  const address = `${mark}@example.com`;
  const { addressHash, stranger } = await codeQuotas(app.pepper, address, "", "198.51.100.7");
  const { known } = await codeQuotas(app.pepper, address, `${mark}:browser`, "");
  const declarations = await declarationNamesOf(app.pepper, address);
  const friend = `acc_${mark}_friend`;
  const before = `${mark}.before@example.com`;
  const ofBefore = await codeQuotas(app.pepper, before, `${mark}:old browser`, "198.51.100.8");
  // The same each time, so that rows can be compared.
  const unchanging = { pepper: app.pepper, random: (byteCount: number) => new Uint8Array(byteCount), clock: app.clock };
  const { sealed } = await sealFormerAddress(unchanging, { id, email: before });
  const given: Record<string, Row[]> = {
    ...Object.assign({}, ...featureSamples.map(({ rows }) => rows?.(mark))),
    emails: [{ id: `mail_${mark}:orders.paid`, state: "queued", recipient_id: id }],
    codes: [
      { address, account_id: null },
      { id: `${mark}:code`, address: "elsewhere", account_id: id },
      { id: `${mark}:old code`, address: before, account_id: null, created_at: born },
    ],
    quota_uses: [
      ...quotaNamesOf(stranger).map((quota, nth) => ({ id: `${mark}:mails${nth}`, quota })),
      ...quotaNamesOf(known).map((quota, nth) => ({ id: `${mark}:known${nth}`, quota })),
      { id: `${mark}:part`, quota: stranger.tries },
      { id: `${mark}:before`, quota: ofBefore.stranger.emails, used_at: born },
      ...declarations.map((quota, nth) => ({ id: `${mark}:declared${nth}`, quota })),
    ],
    wrong_streaks: [
      { quota: known.tries },
      { quota: stranger.tries },
      { quota: ofBefore.known.tries, last_wrong_at: born },
    ],
    known_browsers: [
      { address_hash: addressHash, browser_hash: `${mark}:browser` },
      { address_hash: ofBefore.addressHash, browser_hash: `${mark}:old browser`, last_used_at: born },
    ],
    former_addresses: [{ sealed }],
    accounts: [
      {
        id,
        email: address,
        email_canonical: address,
        time_zone: "UTC",
        restorable_until: null,
        erasure_at: null,
        emails_off: JSON.stringify([`${mark}:accounts.emails_off`]),
      },
      {
        id: friend,
        name: null,
        time_zone: "UTC",
        email: friend,
        email_canonical: friend,
        restorable_until: null,
        erasure_at: null,
        emails_off: "[]",
      },
    ],
    // Newer than anything that a sync requests, and read by the ledger.
    customers: [{ synced_at: Number.MAX_SAFE_INTEGER, ledger_synced_at: Number.MAX_SAFE_INTEGER }],
    subscriptions: [{ state: "ended" }],
    orders: [
      {
        state: "paid",
        // It is paid: there is nothing left to confirm.
        unconfirmed_until: null,
      },
    ],
    documents: [
      {
        cause: "",
        reason: null,
        net_minor: 504,
        tax_minor: 96,
        total_minor: 600,
        buyer: JSON.stringify({
          name: `${mark}:documents`,
          address: ["Deich 1"],
          country: "DE",
          vatIds: ["DE1"],
          paidBy: null,
        }),
        // Of the team and of the payment, not of the account.
        seller: JSON.stringify({ name: "Seller", address: [], vatId: null }),
        lines: "[]",
        taxes: "[]",
        steps: "[]",
        buyer_kept_until: null,
      },
    ],
    withdrawals: [
      // Answered: an open one would delay the erasure.
      { declared_by: "owner", state: "refunded" },
      { id: `${mark}:stray`, order_id: null, email: address, declared_by: "anyone" },
      { id: `${mark}:stray before`, order_id: null, email: before, declared_at: born, declared_by: "anyone" },
    ],
    entries: [
      { email: address, email_canonical: address, state: "waiting", referrer_entry_id: null },
      { id: `${mark}:joined`, gate: "signup", email: address, email_canonical: address, state: "joined" },
      { id: `${mark}:old place`, email: before, email_canonical: before, state: "waiting", created_at: born },
    ],
    referral_touches: [{ entry_id: `${mark}:entries` }],
    referrals: [
      { id: `${mark}:brought`, referrer_id: id, friend_id: friend },
      { id: `${mark}:came`, referrer_id: friend, friend_id: id },
    ],
    friend_discounts: [{ referral_id: `${mark}:came`, friend_id: id, state: "paid", amount_minor: 500 }],
    customer_hashes: [{ kind: "mailbox" }],
  };
  for (const [index, table] of tables.entries()) {
    if (withoutAccount.includes(table.name)) continue;
    const made = (given[table.name] ?? [{}]).map((own, nth) => ({
      ...rowOf(table, { mark, id, nth, at: born + index * dayMs }),
      ...own,
    }));
    for (const row of made) await insert(table.name, row);
  }
  return { id, address, addressHash };
}

/** One row in each table whose rows belong to no account. */
export async function rowsWithoutAccount(): Promise<void> {
  for (const table of tables.filter(({ name }) => withoutAccount.includes(name)))
    await insert(table.name, rowOf(table, { mark: "nobody", id: "", nth: 0, at: 0 }));
}

type Table = (typeof tables)[number];

function rowOf(table: Table, { mark, id, nth, at }: { mark: string; id: string; nth: number; at: number }): Row {
  const parents = new Map(
    table.foreignKeys.map((key) => {
      const { columns, foreignTable } = key.reference();
      return [columns[0]?.name ?? "", getTableConfig(foreignTable).name];
    }),
  );
  const entries = table.columns.map((field): [string, Value] => {
    const name = snake(field.name);
    const parent = parents.get(field.name);
    if (parent) return [name, parent === "accounts" ? id : `${mark}:${parent}`];
    if (field.name === "id") return [name, `${mark}:${table.name}${nth || ""}`];
    if (name in jsonOf) return [name, JSON.stringify(jsonOf[name]?.(`${mark}:${table.name}.${name}${nth || ""}`))];
    const [word] = messagesOf(table, name);
    if (word) return [name, word];
    if (field.getSQLType() === "integer") return [name, /(At|Until|Since)$/.test(field.name) ? at : numberOf(mark)];
    return [name, `${mark}:${table.name}.${name}${nth || ""}`];
  });
  return Object.fromEntries(entries);
}

/** Columns of JSON that the account's row doesn't give a value. */
const jsonOf: Record<string, (text: string) => unknown> = {
  transports: (text) => [text],
  carried: (text) => ({ typed: { text } }),
  looks: (text) => ({ last: text, before: null }),
};

/** The values that the table's CHECK allows in a column, if it has one. */
function messagesOf(table: Table, name: string): string[] {
  for (const check of table.checks) {
    const match = new RegExp(`^"\\w+"\\."${name}" in \\((.*)\\)$`).exec(dialect.sqlToQuery(check.value).sql);
    if (match?.[1]) return match[1].split(", ").map((word) => word.slice(1, -1));
  }
  return [];
}

/** Small, and different for different accounts. */
function numberOf(mark: string): number {
  return [...mark].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
}

export function snake(name: string): string {
  return name.replace(/[A-Z0-9]/g, (letter) => (/\d/.test(letter) ? letter : `_${letter.toLowerCase()}`));
}

export async function insert(table: string, row: Row): Promise<void> {
  const names = Object.keys(row);
  const placeholders = names.map(() => "?").join(", ");
  await env.DB.prepare(`insert into ${table} (${names.join(", ")}) values (${placeholders})`)
    .bind(...Object.values(row))
    .run();
}

/** Every row of every table. */
export async function everyRow(): Promise<Record<string, Row[]>> {
  const answers = await env.DB.batch<Row>(
    tables.map(({ name }) => env.DB.prepare(`select * from ${name} order by 1, 2`)),
  );
  return Object.fromEntries(tables.map(({ name }, index) => [name, answers[index]?.results ?? []]));
}
