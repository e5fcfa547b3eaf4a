import type { AccountId } from "#app/core/id.ts";
import { product } from "#app/product/config.ts";
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import type { App } from "#app/app.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { dayMs } from "#app/core/time/time.ts";
import { attributeReferral } from "#app/modules/referrals/commands/attribute-referral.server.ts";
import { findTouch } from "#app/modules/referrals/reads/find-touch.server.ts";
import { recordVisit } from "#app/modules/referrals/commands/record-visit.server.ts";
import { showReferrals } from "#app/modules/referrals/reads/show-referrals.server.ts";
import { sweepReferrals } from "#app/modules/referrals/commands/sweep-referrals.server.ts";
import { confirmEntry } from "../../commands/confirm-entry.server.ts";
import { joinWaitlist } from "../../commands/join-waitlist.server.ts";
import { ownNetwork } from "../waitlist-driver.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

let app: TestApp;
let people = 0;

beforeEach(() => {
  people += 1;
  // Its own point in time: quotas of an address are not shared with other tests.
  app = testApp({ gate: { kind: "signup" } });
  app.pass(people * 400 * dayMs);
});

const address = (name: string) => `${name}${people}@example.com`;

/** An account, as a sign-up makes it, including what follows from a sign-up. */
async function signUp(name: string, { isAttributed = true } = {}): Promise<AccountId> {
  const id = `acc_${name}_${people}` as const;
  await env.DB.batch([
    env.DB.prepare(
      `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
       values (?1, 'active', ?2, ?2, 'en', 'UTC', '', ?3)`,
    ).bind(id, address(name), app.clock()),
    env.DB.prepare(
      `insert into codes (id, address, address_typed, browser_hash, purpose, state, code_hash, carried, created_at, expires_at)
       values (?1, ?2, ?2, 'browser', 'sign-up', 'used', '', '{}', ?3, ?3)`,
    ).bind(`req_${name}_${people}`, address(name), app.clock()),
  ]);
  if (isAttributed) await attributeReferral(app, { friendId: id, code: null, ip: null });
  return id;
}

async function codeOf(accountId: AccountId): Promise<string> {
  const { url } = await showReferrals(app, accountId, { locale: "en", timeZone: "UTC" });
  return new URL(url ?? "").searchParams.get("ref") ?? "";
}

/** A browser that opened a referral link. */
async function visitBy(code: string): Promise<Request> {
  const noted = await recordVisit(app, new Request("https://site.example/"), code);
  await app.settled();
  return new Request("https://site.example/waitlist", { headers: { Cookie: noted.cookie?.split(";")[0] ?? "" } });
}

/** Joins from a browser; confirmed unless it says otherwise. */
async function join(name: string, request: Request, { ref = null as string | null, isConfirmed = true } = {}) {
  const touch = await findTouch(app, request);
  const input = { address: parseEmailAddress(address(name)) ?? fail(), ref, touch, ip: ownNetwork() };
  expect((await joinWaitlist(app, input)).ok).toBe(true);
  await app.settled();
  if (isConfirmed) await confirm(name);
}

async function confirm(name: string) {
  const email = app.emails.findLast(({ to }) => to === address(name));
  const token = /\/waitlist\?confirm=([0-9a-z]+)/.exec(email?.text ?? "")?.[1] ?? "";
  expect((await confirmEntry(app, token)).ok).toBe(true);
}

function fail(): never {
  throw new Error("not an address");
}

async function shareCode(name: string): Promise<string> {
  const row = await env.DB.prepare("select share_code as code from entries where email_canonical = ?")
    .bind(address(name))
    .first<{ code: string }>();
  return row?.code ?? "";
}

async function referrerOf(friendId: AccountId): Promise<string | null> {
  const row = await env.DB.prepare("select referrer_id as id from referrals where friend_id = ?")
    .bind(friendId)
    .first<{ id: string }>();
  return row?.id ?? null;
}

const stranger = () => new Request("https://site.example/waitlist");

test("a visitor who opened a referral link and joined the waitlist is that referrer's friend a year later, from any browser", async () => {
  const mara = await signUp("mara");
  await join("nils", await visitBy(await codeOf(mara)));
  app.pass(366 * dayMs);
  expect(await referrerOf(await signUp("nils"))).toBe(mara);
});

test("a visitor referred by a waitlist entry is its owner's friend a year later", async () => {
  await join("mara", stranger());
  await join("nils", stranger(), { ref: await shareCode("mara") });
  app.pass(366 * dayMs);
  const mara = await signUp("mara");
  expect(await referrerOf(await signUp("nils"))).toBe(mara);
});

test("a friend who signs up before the referrer is attributed a minute after the referrer signs up, with all payments so far", async () => {
  await join("mara", stranger());
  await join("nils", stranger(), { ref: await shareCode("mara") });
  const nils = await signUp("nils");
  expect(await referrerOf(nils)).toBeNull();
  await env.DB.prepare(
    `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, number_year, number_in_year,
       created_at, paid_at, updated_at) values (?1, ?2, 'paid', 'new-plan', 'golden', 'month', '${product.currency}', 600, 1, ?3, 0, ?4, ?4)`,
  )
    .bind(`ord_queue${people}`, nils, people, app.clock())
    .run();
  app.pass(100 * dayMs);
  const mara = await signUp("mara");
  // The sign-up itself doesn't wait for others.
  expect(await referrerOf(nils)).toBeNull();
  await sweepReferrals({ ...app, payments: null });
  // Only the provider knows which card paid: until it is asked, the cron job retries.
  expect(await env.DB.prepare("select state from referrals where friend_id = ?").bind(nils).first()).toEqual({
    state: "signed-up",
  });
  await env.DB.prepare(
    `insert into friend_discounts (referral_id, friend_id, order_id, state, amount_minor, currency, created_at, paid_at)
     select id, friend_id, ?2, 'paid', 0, '${product.currency}', ?3, ?3 from referrals where friend_id = ?1`,
  )
    .bind(nils, `ord_queue${people}`, app.clock())
    .run();
  await sweepReferrals({ ...app, payments: null });
  const row = await env.DB.prepare("select referrer_id as id, state from referrals where friend_id = ?")
    .bind(nils)
    .first();
  // A payment this old is no longer waited for.
  expect(row).toEqual({ id: mara, state: "approved" });
});

test("the first referral counts: a link opened before joining the waitlist, not the one used at sign-up", async () => {
  const [olga, pia] = [await signUp("olga"), await signUp("pia")];
  await join("mara", stranger());
  const mara = await signUp("mara");
  const opened = await visitBy(await codeOf(olga));
  app.pass(dayMs);
  await join("nils", opened, { ref: await shareCode("mara") });
  await join("rosa", stranger(), { ref: await shareCode("mara") });
  app.pass(dayMs);
  const code = await codeOf(pia);
  for (const [name, referrer] of [
    ["nils", olga],
    ["rosa", mara],
  ] as const) {
    const friendId = await signUp(name, { isAttributed: false });
    await attributeReferral(app, { friendId, code, ip: null });
    expect([name, await referrerOf(friendId)]).toEqual([name, referrer]);
  }
});

test("no visitor can link a referral to another person's entry, or to an unconfirmed address", async () => {
  const olga = await signUp("olga");
  await join("nils", stranger());
  const opened = await visitBy(await codeOf(olga));
  await join("nils", opened, { isConfirmed: false });
  await join("rosa", opened, { isConfirmed: false });
  expect(await referrerOf(await signUp("nils"))).toBeNull();
  expect(await referrerOf(await signUp("rosa"))).toBeNull();
});

test("an account that existed before it joined the waitlist has no referrer", async () => {
  await join("mara", stranger());
  await signUp("mara");
  const nils = await signUp("nils");
  app.pass(dayMs);
  await join("nils", stranger(), { ref: await shareCode("mara") });
  await attributeReferral(app, { friendId: nils, code: null, ip: null });
  expect(await referrerOf(nils)).toBeNull();
});

test("the cron job completes what a killed Worker left undone, for the friend and for the friends of that friend", async () => {
  await join("mara", stranger());
  await join("nils", stranger(), { ref: await shareCode("mara") });
  await join("rosa", stranger(), { ref: await shareCode("mara") });
  const nils = await signUp("nils", { isAttributed: false });
  const mara = await signUp("mara", { isAttributed: false });
  const rosa = await signUp("rosa", { isAttributed: false });
  const sweeping: App = { ...app, payments: null };
  await sweepReferrals(sweeping);
  expect([await referrerOf(nils), await referrerOf(rosa)]).toEqual([mara, mara]);
});

test("an attribution that fails is reported, and delays no other", async () => {
  await join("mara", stranger());
  for (const name of ["nils", "rosa"]) await join(name, stranger(), { ref: await shareCode("mara") });
  const [nils, rosa] = [await signUp("nils", { isAttributed: false }), await signUp("rosa", { isAttributed: false })];
  // Their own codes are swept after a day: they are found by the referrer's.
  await env.DB.prepare("delete from codes").run();
  const mara = await signUp("mara");
  await env.DB.prepare(
    `create trigger broken before insert on referrals when new.friend_id = '${nils}' begin select raise(abort, 'broken'); end`,
  ).run();
  const reported: unknown[] = [];
  await sweepReferrals({ ...app, payments: null, report: (error) => reported.push(error) });
  await env.DB.prepare("drop trigger broken").run();
  expect(reported.length).toBeGreaterThan(0);
  expect([await referrerOf(nils), await referrerOf(rosa)]).toEqual([null, mara]);
});

test.each([
  ["is removed", "delete from entries"],
  ["starts again", "update entries set id = id || '-anew'"],
])("the referral stored with an entry is deleted when the entry %s, and by no other change", async (_, change) => {
  const olga = await signUp("olga");
  const opened = await visitBy(await codeOf(olga));
  await join("nils", opened);
  const touches = () => env.DB.prepare("select count(*) as n from referral_touches").first<number>("n");
  await env.DB.prepare("update entries set id = id, looks = null").run();
  expect(await touches()).toBeGreaterThan(0);
  await env.DB.prepare(change).run();
  expect(await touches()).toBe(0);
});
