import type { SessionId } from "#app/core/id.ts";
import { featureServers } from "#app/features.server.ts";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { requestCode } from "#app/modules/accounts/commands/request-code.server.ts";
import { reauthenticationMs, type Viewer } from "#app/modules/accounts/rules.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { CodeDriver } from "#tests/support/clients/code-driver.ts";
import { gatherData } from "#app/modules/closing/reads/gather-data.server.ts";
import { dayMs, minuteMs } from "#app/core/time/time.ts";
import { anAccountInEveryTable, everyRow, type Row, snake, tables } from "#tests/support/database/account-rows.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";

/** Tables that the export leaves out, each with its reason. */
const notTakenAlong: Record<string, string> = {
  codes: "requests of the last day: hashes, and what the account contains already",
  quota_uses: "keyed hashes that count emails and tries",
  wrong_streaks: "keyed hashes that count wrong tries",
  known_browsers: "keyed hashes of an address and a browser",
  customer_hashes: "keyed hashes that tell new customers from others",
  deleted_addresses: "keyed hashes of people who are gone",
  used_challenges: "hashes without an account",
  webhook_events: "the provider's news, by the provider's ids",
  fraud_warnings: "what a bank suspects of an order, for some weeks: telling its customer would warn a thief",
  referral_touches: "which link an address had opened: another account's code",
  sold_plans: "what the product sells, without an account",
  job_cursors: "how far the cron job has come, without an account",
  operator_log: "what the team asked and decided, by ids",
  queue_counts: "how many wait, without an account",
  unclaimed_customers: "customers at the provider that belong to no account",
  waiting_emails: "keyed hashes, until the email is sent",
  waves: "how many were invited, without an account",
};

/** Columns of the other tables that the export leaves out. Those that apply to every table, by column name: */
const namesLeftOut: Record<string, string> = {
  accountId: "whose rows they are",
  orderId: "an order's lines, moments and withdrawals are below it",
  emailCanonical: "the address itself is in it",
  fromCanonical: "the address itself is in it",
  toCanonical: "the address itself is in it",
  sealed: "encrypted for the site alone; what it holds is in it, as far as it is the person's",
};
const columnsLeftOut: Record<string, string> = {
  "emails.tries": "how often the site tried",
  "emails.recipientId": "whose rows they are",
  "emails.serviceId": "the email service's id",
  "emails.refusal": "why the last try of the site failed",
  "emails.quotaUntil": "about the email service",
  "accounts.erasureAt": "no export is possible by then",
  "accounts.mailboxHashedAt": "when the site noted the mailbox, as a keyed hash",
  "friend_discounts.referralId": "leads to another account",
  "friend_discounts.friendId": "whose row it is",
  "friend_discounts.decision": "is about two people",
  "friend_discounts.refundId": "the payment provider's id; the refund is a moment of the order",
  "passkeys.credentialId": "part of the key",
  "passkeys.publicKey": "part of the key",
  "passkeys.counter": "part of the key",
  "customers.askedAt": "when the site asked the payment provider",
  "customers.ledgerSyncedAt": "when the site asked the payment provider",
  "customers.methodsHashedAt": "when the site asked the payment provider",
  "orders.numberYear": "in the number",
  "orders.numberInYear": "in the number",
  "documents.numberYear": "in the number",
  "documents.numberInYear": "in the number",
  "documents.buyerKeptUntil": "set by the erasure alone",
  "ledger_lines.referralId": "leads to another account",
  "ledger_lines.customerId": "the payment provider's id",
  "ledger_lines.providerId": "the payment provider's id",
  "ledger_lines.askedBack": "what the site has still to do; the line that comes of it is in it",
  "entries.referrerEntryId": "another account",
  "cancellations.tries": "how often the site tried",
  "entries.mailbox": "the address itself is in it",
  "entries.networkHash": "a keyed hash, for a day",
  "referrals.referrerId": "another account",
  "referrals.friendId": "another account",
  "referrals.waitsUntil": "would reveal when another account paid",
  "referrals.approvedAt": "would reveal when another account paid",
  "referrals.voidAt": "would reveal when another account paid",
  "referrals.cards": "keyed hashes, of another account's cards",
  "referrals.decision": "is about two people",
};
const isLeftOut = (table: string, name: string) =>
  name.endsWith("Hash") || name in namesLeftOut || `${table}.${name}` in columnsLeftOut;

const mineBorn = Date.UTC(2020, 0, 1);
const theirsBorn = Date.UTC(2021, 0, 1);

let app: TestApp;
let file = "";
let rows: Record<string, Row[]> = {};

beforeAll(async () => {
  app = testApp();
  await anAccountInEveryTable(app, "mine", mineBorn);
  await anAccountInEveryTable(app, "theirs", theirsBorn);
  rows = await everyRow();
  file = await taken(app, signedInTo("mine"));
});

/** The session of an account with a row in every table, re-authenticated just now. */
function signedInTo(mark: string): Viewer {
  const account = { id: `acc_${mark}`, state: "active", email: `${mark}@example.com`, name: null } as const;
  const id = `${mark}:sessions` as string as SessionId;
  const session = { id, device: "Firefox on Linux", country: null, lastUsedAt: 0, expiresAt: 0 };
  return {
    account: { ...account, locale: "en", timeZone: "UTC", createdAt: 0, restorableUntil: null, emailsOff: [] },
    session: { ...session, provenAt: app.clock() },
    due: null,
  };
}

async function taken(by: TestApp, viewer: Viewer): Promise<string> {
  const gathered = await gatherData(by, viewer);
  if (!gathered.ok) throw new Error(gathered.refusal.reason);
  return JSON.stringify(gathered.value);
}

/** Fields of the file that have another name than their column. */
const fieldOf: Record<string, string> = { "accounts.restorableUntil": "leavingUntil", "entries.sortNumber": "place" };

const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The instant that only this account's rows of this table contain, as the file writes it. */
const instantOf = (born: number, index: number) => new Date(born + index * dayMs).toISOString();

describe("the data export", () => {
  test.each(tables.map((table, index) => [table.name, index] as const))(
    "contains table %s, or there is a reason to leave it out",
    (name, index) => {
      const isIn = file.includes(instantOf(mineBorn, index));
      expect(isIn).toBe(!(name in notTakenAlong));
    },
  );

  const columns = tables
    .filter(({ name }) => !(name in notTakenAlong))
    .flatMap((table) => table.columns.map((column) => `${table.name}.${column.name}`));

  test.each(columns)("contains column %s, or there is a reason to leave it out", (column) => {
    const [table = "", name = ""] = column.split(".");
    const isIn =
      file.includes(`"mine:${table}.${snake(name)}`) || file.includes(`"${fieldOf[column] ?? camel(name)}":`);
    expect(isIn).toBe(!isLeftOut(table, name));
  });

  test("contains no rows of other accounts", () => {
    const theirs = Object.values(rows)
      .flat()
      .filter((row) => Object.values(row).includes("theirs@example.com"));
    expect(theirs.length).toBeGreaterThan(3);
    expect(file).not.toContain("theirs");
    for (const [index] of tables.entries()) expect(file).not.toContain(instantOf(theirsBorn, index));
  });

  test("identifies neither the invited friend, except for the month, nor the referrer", () => {
    const { referrals } = JSON.parse(file) as { referrals: { brought: object[]; broughtBy: object[] } };
    expect(file).not.toContain("acc_mine_friend");
    expect(referrals.brought).toEqual([
      { state: "signed-up", voidWhy: "self", month: expect.stringMatching(/^2020-0\d$/) },
    ]);
    expect(referrals.broughtBy.map((row) => Object.keys(row))).toEqual([["state", "signedUpAt"]]);
  });

  test("contains no hashes, keys or encrypted emails", () => {
    expect(JSON.stringify(rows)).toContain("mine:sessions.token_hash");
    expect(file).not.toMatch(/_hash|emails\.sealed|public_key|credential_id|codes\./);
  });

  test("is readable, with plain names, instants in ISO 8601, and an order with its number, lines and times", () => {
    const read = JSON.parse(file) as Record<string, never> & { orders: object[]; account: object };
    expect(Object.keys(read)).toEqual([
      "product",
      "writtenAt",
      "account",
      ...featureServers.flatMap(({ name, exported }) => (exported ? name : [])),
      "plan",
      "orders",
      "withdrawals",
      "cancellations",
      "referrals",
      "mails",
    ]);
    expect(read.account).toMatchObject({
      email: "mine@example.com",
      name: "mine:accounts.name",
      mailsOff: ["mine:accounts.emails_off"],
      sessions: [{ device: "mine:sessions.device", state: "active" }],
      activities: [{ what: "mine:activities.what" }, { what: "data-downloaded" }],
      addressChanges: [{ from: "mine:address_changes.from_email" }],
      formerAddresses: [{ address: "mine.before@example.com" }],
      passkeys: [{ name: "mine:passkeys.name" }],
    });
    expect(read.orders).toMatchObject([
      {
        number: expect.stringMatching(/^\d+-\d{6}$/),
        paidAt: expect.stringMatching(/^2020-\d\d-\d\dT00:00:00.000Z$/),
        lines: [{ description: "mine:order_lines.description" }],
        documents: [{ number: expect.stringMatching(/^\d+-\d{6}$/), buyer: { name: "mine:documents" } }],
        moments: [{ what: "draft", cause: "mine:history_events.occurrence" }],
        withdrawals: [{ name: "mine:withdrawals.name", state: "refunded" }],
      },
    ]);
    expect(read["withdrawals"]).toMatchObject([{ email: "mine@example.com", state: "declared" }]);
  });
});

test("doesn't reveal whether an address that the account tried to change to has an account", async () => {
  const own = testApp();
  await new CodeDriver(own, "has-one@example.com").signedIn();
  const curious = new CodeDriver(own, "curious@example.com");
  const { account } = await curious.signedIn();
  for (const wanted of ["has-one@example.com", "has-none@example.com"]) {
    const address = parseEmailAddress(wanted);
    if (!address) throw new Error("not an address");
    own.pass(minuteMs);
    const input = { address, purpose: "change-email", browserToken: "curious", ip: "192.0.2.77", carried: {} } as const;
    expect((await requestCode(own, { ...input, accountId: account.id, again: false })).ok).toBe(true);
  }
  await own.settled();
  const text = await taken(own, await curious.signedIn("sign-in"));
  // It includes the emails to the account's own address, and not those to addresses it tried to change to.
  expect(text.match(/"template":"[\w-]+"/g)?.toSorted()).toEqual([
    '"template":"code"',
    '"template":"code"',
    '"template":"data-downloaded"',
  ]);
});

describe("a request for the data export", () => {
  let own: TestApp;
  let driver: CodeDriver;
  let people = 0;

  beforeEach(() => {
    own = testApp();
    people += 1;
    driver = new CodeDriver(own, `taker-${people}@example.com`);
  });

  async function noticeCounts(): Promise<{ lines: number; emails: number }> {
    const lines = await env.DB.prepare(
      "select count(*) as n from activities a join accounts b on b.id = a.account_id where b.email = ? and what = 'data-downloaded'",
    )
      .bind(driver.address)
      .first<number>("n");
    await own.settled();
    const notice = subjectOf("data-downloaded");
    const emails = own.emails.filter(({ to, subject }) => to === driver.address && notice.test(subject));
    return { lines: lines ?? 0, emails: emails.length };
  }

  test("needs a re-authentication within the last fifteen minutes", async () => {
    const viewer = await driver.signedIn();
    own.pass(reauthenticationMs);
    expect(await gatherData(own, viewer)).toEqual({ ok: false, refusal: { reason: "proof-stale" } });
    expect(await noticeCounts()).toEqual({ lines: 0, emails: 0 });
    own.pass(-1);
    expect((await gatherData(own, viewer)).ok).toBe(true);
  });

  test("adds an entry to the activity log each time, and emails the owner the browser's name once per re-authentication", async () => {
    const viewer = await driver.signedIn();
    await Promise.all(Array.from({ length: 40 }, () => gatherData(own, viewer)));
    expect(await noticeCounts()).toEqual({ lines: 40, emails: 1 });
    expect(own.emails.findLast(({ to }) => to === driver.address)?.text).toContain("Firefox on Linux");
    own.pass(minuteMs);
    await gatherData(own, await driver.signedIn("sign-in"));
    expect(await noticeCounts()).toEqual({ lines: 41, emails: 2 });
  });

  test("is refused for a session that ended while the request was running", async () => {
    const viewer = await driver.signedIn();
    await env.DB.prepare("update sessions set state = 'revoked' where id = ?").bind(viewer.session.id).run();
    expect(await gatherData(own, viewer)).toEqual({ ok: false, refusal: { reason: "proof-stale" } });
    expect(await noticeCounts()).toEqual({ lines: 0, emails: 0 });
  });
});
