import type { CustomerId } from "#app/core/stripe/ids.ts";
import type { AccountId } from "#app/core/id.ts";
import { featureSamples } from "#tests/support/features.ts";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { beginErasures } from "#app/modules/accounts/everyone.queries.server.ts";
import { revertAddress } from "#app/modules/accounts/commands/revert-address.server.ts";
import { domainHash } from "#app/modules/accounts/customer-hashes.rules.ts";
import { deletedAddressHash } from "#app/modules/accounts/rules.ts";
import { sweepAccounts } from "#app/modules/accounts/commands/sweep-accounts.server.ts";
import { codeQuotas } from "#app/modules/accounts/codes/rules.ts";
import { done, refused } from "#app/core/result.ts";
import { dayMs, minuteMs } from "#app/core/time/time.ts";
import { type Departed, eraseAccount } from "#app/modules/closing/commands/erase-account.server.ts";
import { deleteDueAccounts } from "#app/modules/closing/commands/delete-due-accounts.server.ts";
import { CodeDriver } from "#tests/support/clients/code-driver.ts";
import { noBilling } from "#tests/support/billing/no-billing.ts";
import { anAccountInEveryTable, everyRow, type Row, tables } from "#tests/support/database/account-rows.ts";
import { codeIn, type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { emailOf } from "#tests/support/clients/email-texts.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";

/**
 * The payment provider of a customer without billing data. What it does for a customer with a plan is tested over
 * HTTP.
 */
class Provider {
  deleted: string[] = [];
  isDown = false;
  readonly calls: Partial<NonNullable<TestApp["payments"]>> = {
    withOwnDeadline() {
      return this as NonNullable<TestApp["payments"]>;
    },
    fetchBilling: async () => done(noBilling),
    deleteCustomer: async (id) => {
      if (this.isDown) return refused({ reason: "provider-unreachable", isFinal: false });
      this.deleted.push(id);
      return done(null);
    },
  };
}

let app: TestApp;
let provider: Provider;
let departed: Departed;

const theirsOf = (rows: Record<string, Row[]>) => rowsWith(rows, "theirs");

function rowsWith(rows: Record<string, Row[]>, mark: string): [string, Row][] {
  return Object.entries(rows).flatMap(([table, list]) =>
    list.filter((row) => JSON.stringify(row).includes(mark)).map((row): [string, Row] => [table, row]),
  );
}

/** Every row, after what follows an erasure has happened as well. */
async function rowsNow(): Promise<Record<string, Row[]>> {
  await app.settled();
  return everyRow();
}

beforeEach(async () => {
  await emptyTables(...tables.toReversed().map(({ name }) => name));
  provider = new Provider();
  // An erasure makes only these two provider calls; any other fails the test.
  app = testApp({ payments: provider.calls as TestApp["payments"] });
  const mine = await anAccountInEveryTable(app, "mine", Date.UTC(2020, 0, 1));
  await anAccountInEveryTable(app, "theirs", Date.UTC(2021, 0, 1));
  await env.DB.prepare("update accounts set state = 'closed', restorable_until = ? where id = ?")
    .bind(app.clock(), mine.id)
    .run();
  departed = { id: mine.id, email: mine.address, address: mine.address };
});

async function begin(): Promise<void> {
  expect(await beginErasures(app.db, app.clock(), 5, sql`false`)).toEqual([departed]);
}

/** What a table may keep of an erased account, and why. Everything else must be gone. */
const allowedAfterErasure: Record<string, string[]> = {
  accounts: [
    "id",
    "email",
    "email_canonical",
    "state",
    "terms_version",
    "locale",
    "time_zone",
    "created_at",
    "erasure_at",
    "emails_off",
    "mailbox_hashed_at",
  ],
  // Keyed hashes, so that offers for new customers aren't given again.
  customer_hashes: ["hash", "account_id", "kind", "first_at"],
  // Refunds and disputes of the orders are followed by the id of a customer that is deleted at Stripe.
  customers: [
    "account_id",
    "provider_id",
    "created_at",
    "credit_minor",
    "synced_at",
    "asked_at",
    "ledger_synced_at",
    "methods_hashed_at",
  ],
  // The same, and what was given, by ids.
  friend_discounts: [
    "referral_id",
    "friend_id",
    "order_id",
    "state",
    "why",
    "amount_minor",
    "currency",
    "mailbox_hash",
    "method_hash",
    "domain_hash",
    "refund_id",
    "created_at",
    "decided_at",
    "paid_at",
  ],
  // By the ids of an order and of Stripe's, for some weeks: the payment may still be disputed.
  fraud_warnings: ["event_id", "invoice_id", "payment_id", "fraud_type", "warned_at"],
  deleted_addresses: ["address_hash", "erased_at"],
  // Accounting.
  orders: [
    "id",
    "account_id",
    "state",
    "dispute",
    "dispute_due_at",
    "kind",
    "plan_id",
    "interval",
    "currency",
    "amount_minor",
    "tax_minor",
    "discount_minor",
    "credit_minor",
    "refunded_minor",
    "number_year",
    "number_in_year",
    "checkout_id",
    "invoice_id",
    "failure",
    "created_at",
    "expires_at",
    "paid_at",
    "synced_at",
    "updated_at",
    "attempts",
    "proration_at",
    "friend_discount_minor",
    "credit_returned_minor",
  ],
  order_lines: ["order_id", "position", "description", "amount_minor", "period_starts_at", "period_ends_at"],
  // Issued documents; of the buyer, where they are: that is looked at below.
  documents: [
    "order_id",
    "cause",
    "kind",
    "number_year",
    "number_in_year",
    "corrects",
    // Stripe's number of the same invoice.
    "provider_number",
    "currency",
    "net_minor",
    "tax_minor",
    "total_minor",
    "money_minor",
    "lines",
    "taxes",
    "steps",
    "exemption",
    "seller",
    "buyer",
    "period_starts_at",
    "period_ends_at",
    "issued_at",
    "time_zone",
    "buyer_kept_until",
  ],
  history_events: ["order_id", "what", "occurrence", "amount_minor", "happened_at"],
  // That it was declared, and when; the text that the customer wrote is blank.
  withdrawals: [
    "id",
    "order_id",
    "state",
    "name",
    "order_typed",
    "email",
    "declared_at",
    "acknowledged_at",
    "closed_at",
    "declared_by",
  ],
  // That it was declared, and when; what the person typed is blank.
  cancellations: [
    "id",
    "account_id",
    "order_id",
    "state",
    "kind",
    "ends_on",
    "declared_by",
    "declared_at",
    "tries",
    "failure",
    "changed_at",
    "closed_at",
  ],
  subscriptions: [
    "id",
    "account_id",
    "state",
    "plan_id",
    "interval",
    "amount_minor",
    "currency",
    "started_at",
    "period_ends_at",
    "cancels_at",
    "ends_by_notice",
    "past_due_since",
    "ended_at",
    "synced_at",
    // Of what ended: no amount is held or pending.
    "collection",
    // Why it ended, for the team to count, and what the team owes of it.
    "end_cause",
    "refund_owed_minor",
    "trial_ends_at",
  ],
  // Of another customer at Stripe, until the next look.
  unclaimed_customers: ["provider_id", "plan_id", "reason", "account_id", "found_at", "looked_at"],
  // Why a plan was cancelled, for the team to count; the owner's comment is removed.
  cancellation_reasons: ["subscription_id", "account_id", "reason", "given_at"],
  // Only ids, which the friends' rows need, and how it ended.
  referrals: [
    "id",
    "referrer_id",
    "friend_id",
    "state",
    "signed_up_at",
    "waits_until",
    "void_why",
    "approved_at",
    "void_at",
  ],
  // Accounting: what was given and used, by ids.
  ledger_lines: [
    "id",
    "account_id",
    "kind",
    "amount_minor",
    "currency",
    "why",
    "referral_id",
    "invoice_id",
    "owed_minor",
    "happened_at",
    "expires_at",
    "customer_id",
    "provider_id",
    "asked_back",
    "closed_at",
  ],
  entries: [
    "id",
    "gate",
    "state",
    "review",
    "email",
    "email_canonical",
    "mailbox",
    "confirm_hash",
    "entry_hash",
    "share_code",
    "referrer_entry_id",
    // Its place in line, on which the ranks of others depend, and how it ended.
    "number",
    "sort_number",
    "friends",
    "gift",
    "invitations",
    "missed",
    "created_at",
    "confirm_expires_at",
    "confirmed_at",
    "left_at",
    "joined_at",
    "told_at",
  ],
  // That it was sent, and to which account; the content is encrypted, and deleted once sent.
  emails: [
    "id",
    "state",
    "template",
    "sealed",
    "tries",
    "created_at",
    "next_try_at",
    "sent_at",
    "order_id",
    "recipient_id",
  ],
};

describe("an erasure", () => {
  test("leaves nothing of the account in any table, except what is listed here with its reason", async () => {
    const before = await rowsNow();
    await begin();
    await eraseAccount(app, departed);
    const after = await rowsNow();
    const left = rowsWith(after, "mine");
    const surplus = left.flatMap(([table, row]) =>
      Object.entries(row)
        .filter(([name, value]) => value !== null && value !== "" && !(allowedAfterErasure[table] ?? []).includes(name))
        .map(([name]) => `${table}.${name}`),
    );
    expect(surplus).toEqual([]);
    // Ids identify rows; names and addresses occur nowhere.
    const text = JSON.stringify(left);
    expect(text).not.toContain("mine@example.com");
    expect(text).not.toContain("mine.before@example.com");
    expect(text).not.toMatch(
      /mine:(accounts\.(name|locale|emails_off)\\?"|sessions|activities|passkeys|entries\.(share|confirm|entry)|withdrawals\.)/,
    );
    expect(text).not.toContain("mine:documents\\");
    expect(rowsWith(before, "mine").length).toBeGreaterThan(20);
    expect(provider.deleted).toEqual(["mine:customers.provider_id"]);
    expect(theirsOf(after)).toEqual(theirsOf(before));
  });

  test("keeps Stripe's customer id only if the account has paid", async () => {
    await env.DB.prepare(
      "update orders set state = 'cancelled', paid_at = null, number_year = null, number_in_year = null where account_id = ?",
    )
      .bind(departed.id)
      .run();
    await begin();
    await eraseAccount(app, departed);
    expect(provider.deleted).toEqual(["mine:customers.provider_id"]);
    const { results } = await env.DB.prepare("select account_id as id from customers").all();
    expect(results).toEqual([{ id: "acc_theirs" }]);
  });

  test("changes no amount, number or date of the accounting", async () => {
    const accounting = () =>
      env.DB.prepare(
        `select count(*) as orders, sum(amount_minor) as amount, sum(tax_minor) as tax, sum(discount_minor) as discount,
          sum(credit_minor) as credit, sum(refunded_minor) as refunded, group_concat(number_year || '-' || number_in_year) as numbers,
          group_concat(paid_at) as paid, (select sum(amount_minor) || '.' || count(*) from order_lines) as lines,
          (select group_concat(what || happened_at) from history_events) as moments, group_concat(invoice_id) as invoices
         from orders`,
      ).first();
    const before = await accounting();
    await begin();
    await eraseAccount(app, departed);
    expect(await accounting()).toEqual(before);
  });

  test("emails the former address with an email that was encrypted before the address was deleted", async () => {
    await deleteDueAccounts(app);
    await app.settled();
    expect(app.emails.map(({ to, subject }) => [to, subject])).toEqual([
      [departed.email, emailOf({ template: "account-erased" }).subject],
    ]);
    const email = await env.DB.prepare("select state, sealed from emails where id = ?")
      .bind(`mail_${departed.id}.account-erased`)
      .first();
    expect(email).toEqual({ state: "sent", sealed: null });
  });

  test("ends waiting entries of the waitlist, and keeps the state of those that ended before", async () => {
    await begin();
    await eraseAccount(app, departed);
    const { results } = await env.DB.prepare(
      "select state, left_at as leftAt from entries where id like 'mine%' order by id",
    ).all<Row>();
    const gone = { state: "left", leftAt: app.clock() };
    expect(results).toMatchObject([gone, { state: "joined" }, gone]);
  });

  test("deletes the counters of every address that the account had", async () => {
    const counters = ["quota_uses", "wrong_streaks", "known_browsers", "former_addresses"];
    const before = await rowsNow();
    await begin();
    await eraseAccount(app, departed);
    const after = await rowsNow();
    // There were two accounts with the same rows each.
    for (const table of counters)
      expect([table, after[table]?.length]).toEqual([table, (before[table]?.length ?? 0) / 2]);
    const hashes = [departed.address, "mine.before@example.com"].map((address) =>
      deletedAddressHash(app.pepper, address),
    );
    // They had paid: their domain is remembered as well.
    hashes.push(domainHash(app.pepper, "example.com"));
    expect(after["deleted_addresses"]?.map((row) => row["address_hash"]).toSorted()).toEqual(
      (await Promise.all(hashes)).toSorted(),
    );
  });

  test("finds every former address from its changes, even if the rows were deleted long ago or a change was reverted", async () => {
    const names = ["first", "second", "third", "fourth"].map((name) => `${name}.mover@movers.example`);
    const [first = "", second = "", third = "", fourth = ""] = names;
    const viewer = await new CodeDriver(app, first).signedIn();
    const holder = { accountId: viewer.account.id, token: viewer.token };
    await changeAddressTo(holder, second);
    app.pass(minuteMs);
    const link = await changeAddressTo(holder, third);
    expect((await revertAddress(app, link, { device: "Firefox on Linux", country: null })).ok).toBe(true);
    holder.token = (await new CodeDriver(app, second).signedIn("sign-in")).token;
    await changeAddressTo(holder, fourth);
    app.pass(400 * dayMs);
    await sweepAccounts(app);
    const swept = await rowsNow();
    expect(swept["address_changes"]?.filter((row) => row["account_id"] === holder.accountId)).toEqual([]);
    expect(JSON.stringify(swept)).not.toMatch(/(first|second|third)\.mover/);
    await env.DB.prepare("update accounts set state = 'closed', restorable_until = 0 where id = ?")
      .bind(holder.accountId)
      .run();
    await deleteDueAccounts(app);
    const hashes = new Set((await rowsNow())["deleted_addresses"]?.map((row) => row["address_hash"]));
    for (const address of names) {
      expect([address, hashes.has(await deletedAddressHash(app.pepper, address))]).toEqual([address, true]);
    }
    // They had never paid: nothing of their domain is remembered.
    expect(hashes.has(await domainHash(app.pepper, "movers.example"))).toBe(false);
  });

  test("keeps data of a former address from after the account changed it", async () => {
    const before = "mine.before@example.com";
    const { addressHash, stranger } = await codeQuotas(app.pepper, before, "", "");
    const later = app.clock();
    await env.DB.batch([
      env.DB.prepare(
        `insert into codes (id, address, address_typed, browser_hash, purpose, state, code_hash, carried, created_at, expires_at)
         values ('req_later', ?1, ?1, 'browser', 'sign-up', 'issued', 'hash', '{}', ?2, ?2)`,
      ).bind(before, later),
      env.DB.prepare("insert into quota_uses (id, quota, used_at) values ('use_later', ?, ?)").bind(
        stranger.tries,
        later,
      ),
      env.DB.prepare("insert into quota_uses (id, quota, used_at) values ('part_later', ?, ?)").bind(
        `${stranger.emails}.network`,
        later,
      ),
      env.DB.prepare("insert into wrong_streaks (quota, count, last_wrong_at) values (?, 1, ?)").bind(
        stranger.tries,
        later,
      ),
      env.DB.prepare(
        "insert into known_browsers (address_hash, browser_hash, last_used_at) values (?, 'later', ?)",
      ).bind(addressHash, later),
      env.DB.prepare(
        `insert into entries (id, gate, state, email, email_canonical, confirm_hash, entry_hash, share_code, created_at, confirm_expires_at)
         values ('ent_later', 'plan:later', 'waiting', ?1, ?1, 'later', 'later', 'later', ?2, ?2)`,
      ).bind(before, later),
    ]);
    const laterRows = async () =>
      rowsWith(await rowsNow(), String(later)).filter(([, row]) => !("restorable_until" in row));
    const there = await laterRows();
    expect(there.map(([table]) => table)).toEqual([
      "codes",
      "quota_uses",
      "quota_uses",
      "wrong_streaks",
      "known_browsers",
      "entries",
    ]);
    await begin();
    await eraseAccount(app, departed);
    const left = await laterRows();
    expect(left.filter(([table]) => there.some(([name]) => name === table))).toEqual(expect.arrayContaining(there));
  });

  test("keeps waitlist entries of another account that now has the former address", async () => {
    await env.DB.prepare(
      `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
       values ('acc_heir', 'active', ?1, ?1, 'en', 'UTC', '', 0)`,
    )
      .bind("mine.before@example.com")
      .run();
    await begin();
    await eraseAccount(app, departed);
    const place = await env.DB.prepare("select state, email from entries where id = 'mine:old place'").first();
    expect(place).toEqual({ state: "waiting", email: "mine.before@example.com" });
  });

  test("succeeds when a former address can't be decrypted any more", async () => {
    await env.DB.prepare("update former_addresses set sealed = 'x.y' where account_id = ?").bind(departed.id).run();
    await begin();
    expect(await eraseAccount(app, departed)).toEqual({ ok: true, value: null });
    expect(rowsWith(await rowsNow(), '"mine@example.com"')).toEqual([]);
  });

  test("erases nothing while the provider can't be reached, and succeeds once it can", async () => {
    provider.isDown = true;
    await begin();
    const before = withoutSync(await rowsNow());
    expect(await eraseAccount(app, departed)).toMatchObject({ ok: false });
    expect(withoutSync(await rowsNow())).toEqual(before);
    provider.isDown = false;
    await deleteDueAccounts(app);
    expect(rowsWith(await rowsNow(), "mine@example.com")).toEqual([]);
  });

  test("of one account that fails doesn't prevent the erasure of others", async () => {
    await env.DB.prepare("update accounts set state = 'closed', restorable_until = 0 where id = 'acc_theirs'").run();
    const failing = { ...app, payments: { ...provider.calls, deleteCustomer: failFor("theirs", provider) } };
    await deleteDueAccounts({ ...app, payments: failing.payments as TestApp["payments"], report: () => undefined });
    const states = await env.DB.prepare(
      "select id, state from accounts where id in ('acc_mine', 'acc_theirs') order by id",
    ).all();
    expect(states.results).toEqual([
      { id: "acc_mine", state: "erased" },
      { id: "acc_theirs", state: "closed" },
    ]);
  });

  test("succeeds although another account's plan can't be ended, which is reported", async () => {
    await env.DB.batch([
      env.DB.prepare("update accounts set state = 'closed', restorable_until = 1e15 where id = 'acc_theirs'"),
      env.DB.prepare("update subscriptions set state = 'active' where account_id = 'acc_theirs'"),
    ]);
    const broken = new Error("The provider's library broke");
    const fetchBilling = async (id: string) => {
      if (id.startsWith("theirs")) throw broken;
      return done(noBilling);
    };
    const reported: unknown[] = [];
    const failing = { ...provider.calls, fetchBilling } as TestApp["payments"];
    await deleteDueAccounts({ ...app, payments: failing, report: (error) => reported.push(error) });
    expect(reported).toEqual([broken]);
    expect(await env.DB.prepare("select state from accounts where id = 'acc_mine'").first("state")).toBe("erased");
  });
});

/**
 * Billing is checked once more before an erasure: what the provider says of a customer is stored, and stays stored.
 */
function withoutSync(rows: Record<string, Row[]>): Record<string, Row[]> {
  const customers = (rows["customers"] ?? []).map((row) => ({
    ...row,
    credit_minor: null,
    synced_at: null,
    asked_at: null,
    ledger_synced_at: null,
  }));
  return { ...rows, customers };
}

/** A change of address, from the request for a code to entering it; returns the token of the emailed revert link. */
async function changeAddressTo(holder: { accountId: AccountId; token: string }, to: string): Promise<string> {
  const driver = new CodeDriver(app, to);
  const request = await driver.ask({ purpose: "change-email", accountId: holder.accountId });
  if (!request.ok) throw new Error(request.refusal.reason);
  await app.settled();
  const proven = await driver.prove(request.value.requestId, codeIn(app, to), "browser", holder.token);
  if (!proven.ok) throw new Error(proven.refusal.reason);
  holder.token = proven.value.sessionToken;
  await app.settled();
  const revertEmail = app.emails.findLast(({ text }) => text.includes("?revert="));
  return /\?revert=(\w+)/.exec(revertEmail?.text ?? "")?.[1] ?? "no link";
}

function failFor(mark: string, { calls }: Provider) {
  return async (id: CustomerId) => {
    if (id.startsWith(mark)) throw new Error("The provider's library broke");
    return calls.deleteCustomer?.(id);
  };
}

describe("an erasure that is repeated or interrupted", () => {
  /** The rows that a single undisturbed erasure leaves. */
  async function undisturbed(): Promise<Record<string, Row[]>> {
    await begin();
    await eraseAccount(app, departed);
    return withoutSeals(await rowsNow());
  }

  /** Ciphertexts differ each time because of their nonce. */
  function withoutSeals(rows: Record<string, Row[]>): Record<string, Row[]> {
    return { ...rows, emails: (rows["emails"] ?? []).map((row) => ({ ...row, sealed: null })) };
  }

  test("twice, or forty times at the same time, ends with the same rows", async () => {
    await begin();
    await Promise.all(Array.from({ length: 40 }, () => eraseAccount(app, departed)));
    const once = await rowsNow();
    await eraseAccount(app, departed);
    await deleteDueAccounts(app);
    expect(await rowsNow()).toEqual(once);
    expect(once["emails"]?.filter((email) => email["template"] === "account-erased")).toHaveLength(1);
    expect(once["deleted_addresses"]).toHaveLength(3);
  });

  /** Every statement of the batch, as what it does to which table. */
  const statements = [
    "sessions",
    "activities",
    "address_changes",
    "former_addresses",
    "passkeys",
    ...featureSamples.flatMap(({ erasedTables }) => erasedTables),
    "usage_values",
    "codes",
    "quota_uses",
    "wrong_streaks",
    "known_browsers",
    "referral_links",
    "referral_touches",
  ].map((table) => [`delete on ${table}`] as const);
  const others = [
    ["update on entries"],
    ["update on referrals"],
    ["insert on ledger_lines"],
    ["update on orders"],
    ["update on withdrawals"],
    ["delete on withdrawals"],
    ["update on subscriptions"],
    ["insert on deleted_addresses"],
    ["update of email on accounts"],
    ["update of service_id on emails"],
    ["insert on emails"],
  ] as const;

  test.each([...statements, ...others])(
    "at %s erases nothing, and the next run ends with the same rows",
    async (event) => {
      await begin();
      const before = await rowsNow();
      await env.DB.prepare(`create trigger killed before ${event} begin select raise(abort, 'killed'); end`).run();
      await expect(eraseAccount(app, departed)).rejects.toThrow(/killed/);
      expect(withoutSync(await rowsNow())).toEqual(withoutSync(before));
      await env.DB.prepare("drop trigger killed").run();
      await deleteDueAccounts(app);
      const ended = withoutSeals(await rowsNow());
      expect(rowsWith(ended, "mine@example.com")).toEqual([]);
      expect(ended["accounts"]?.find((row) => row["id"] === "acc_mine")).toMatchObject({ state: "erased" });
      expect(theirsOf(ended)).toEqual(theirsOf(withoutSeals(before)));
      expect(fingerprint(ended)).toBe(await reference());
    },
  );

  /** All rows that an undisturbed erasure leaves, computed once for the same accounts. */
  let remembered: string | null = null;

  async function reference(): Promise<string> {
    if (remembered !== null) return remembered;
    await emptyTables(...tables.toReversed().map(({ name }) => name));
    await anAccountInEveryTable(app, "mine", Date.UTC(2020, 0, 1));
    await anAccountInEveryTable(app, "theirs", Date.UTC(2021, 0, 1));
    await env.DB.prepare("update accounts set state = 'closed', restorable_until = ? where id = 'acc_mine'")
      .bind(app.clock())
      .run();
    remembered = fingerprint(await undisturbed());
    return remembered;
  }

  function fingerprint(rows: Record<string, Row[]>): string {
    return JSON.stringify(rows);
  }

  test("by a slow run doesn't affect a new account with the same address", async () => {
    await begin();
    await eraseAccount(app, departed);
    await env.DB.batch([
      env.DB.prepare(
        `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
         values ('acc_anew', 'active', ?1, ?1, 'en', 'UTC', '', 0)`,
      ).bind(departed.address),
      env.DB.prepare(
        `insert into codes (id, address, address_typed, browser_hash, purpose, state, code_hash, carried, created_at, expires_at)
         values ('req_anew', ?1, ?1, 'browser', 'sign-in', 'issued', 'hash', '{}', 0, 1)`,
      ).bind(departed.address),
      env.DB.prepare(
        `insert into entries (id, gate, state, email, email_canonical, confirm_hash, entry_hash, share_code, created_at, confirm_expires_at)
         values ('ent_anew', 'signup', 'waiting', ?1, ?1, 'a', 'b', 'c', 0, 1)`,
      ).bind(departed.address),
    ]);
    const before = await rowsNow();
    await eraseAccount(app, departed);
    expect(await rowsNow()).toEqual(before);
  });
});
