import type { AccountId } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { beginErasures } from "#app/modules/accounts/everyone.queries.server.ts";
import { reauthenticationMs, type Viewer } from "#app/modules/accounts/rules.ts";
import { findViewer } from "#app/modules/accounts/viewer.queries.server.ts";
import { done } from "#app/core/result.ts";
import { closeAccount } from "#app/modules/closing/commands/close-account.server.ts";
import { restoreAccount } from "#app/modules/closing/commands/restore-account.server.ts";
import { restoreMs } from "#app/modules/closing/rules.ts";
import { deleteDueAccounts } from "#app/modules/closing/commands/delete-due-accounts.server.ts";
import { writeQuote } from "#app/modules/billing/checkout/quote.rules.ts";
import { type Choice, startCheckout } from "#app/modules/billing/checkout/commands/start-checkout.server.ts";
import { attributeReferral } from "#app/modules/referrals/commands/attribute-referral.server.ts";
import { findBuyer } from "#app/workflows/find-buyer.server.ts";
import { showReferrals } from "#app/modules/referrals/reads/show-referrals.server.ts";
import { product } from "#app/product/config.ts";
import { minor, small } from "#tests/support/billing/catalogue.ts";
import { noBilling } from "#tests/support/billing/no-billing.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";

let app: TestApp;
let people = 0;

beforeEach(() => {
  app = testApp({ payments: null });
});

type Person = { viewer: Viewer; address: string };

async function aPerson(address = `leaver-${(people += 1)}@example.com`): Promise<Person> {
  people += 1;
  const id = `acc_leaver_${people}` as const;
  await env.DB.prepare(
    `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
     values (?1, 'active', ?2, ?2, 'en', 'Europe/Berlin', '', 0)`,
  )
    .bind(id, address)
    .run();
  return { viewer: await aSession(id), address };
}

async function aSession(accountId: AccountId): Promise<Viewer> {
  people += 1;
  await env.DB.prepare(
    `insert into sessions (id, account_id, state, token_hash, device, created_at, proven_at, last_used_at, expires_at)
     values (?1, ?2, 'active', ?1, 'Firefox on Linux', ?3, ?3, ?3, ?3 + 7776000000)`,
  )
    .bind(`ses_${people}`, accountId, app.clock())
    .run();
  return seen(`ses_${people}`);
}

async function seen(tokenHash: string): Promise<Viewer> {
  const viewer = await findViewer(app.db, tokenHash, app.clock());
  if (!viewer) throw new Error(`Nobody is signed in by ${tokenHash}`);
  return viewer;
}

const again = (viewer: Viewer) => seen(viewer.session.id);

async function accountOf({ viewer }: Person) {
  return env.DB.prepare("select state, restorable_until as leavingUntil, email from accounts where id = ?")
    .bind(viewer.account.id)
    .first<{ state: string; leavingUntil: number | null; email: string }>();
}

async function noticesOf({ viewer }: Person): Promise<string[]> {
  const id = viewer.account.id;
  const { results } = await env.DB.prepare(
    `select what from activities where account_id = ?1
     union all select 'mail ' || template from emails where recipient_id = ?1`,
  )
    .bind(id)
    .all<{ what: string }>();
  return results.map(({ what }) => what).toSorted();
}

describe("closing an account", () => {
  test("allows a restore for fourteen days, exact to the millisecond, ends the other sessions, and is logged and emailed", async () => {
    const person = await aPerson();
    const other = await aSession(person.viewer.account.id);
    const until = app.clock() + 14 * 24 * 3_600_000;
    expect(await closeAccount(app, person.viewer)).toEqual({ ok: true, value: { until } });
    expect(await accountOf(person)).toMatchObject({ state: "closed", leavingUntil: until });
    await expect(again(other)).rejects.toThrow("Nobody is signed in");
    expect((await again(person.viewer)).account.state).toBe("closed");
    expect(await noticesOf(person)).toEqual(["account-closed", "mail account-closed"]);
    await app.settled();
    expect(app.emails.at(-1)).toMatchObject({
      to: person.address,
      subject: expect.stringMatching(subjectOf("account-closed")),
    });
    expect(app.emails.at(-1)?.text).toContain("December\u00a04, 2026, 1:00\u00a0PM");
  });

  test("takes effect once when requested forty times at the same time", async () => {
    const person = await aPerson();
    const answers = await Promise.all(Array.from({ length: 40 }, () => closeAccount(app, person.viewer)));
    const until = app.clock() + restoreMs;
    expect(answers).toEqual(Array.from({ length: 40 }, () => ({ ok: true, value: { until } })));
    expect(await noticesOf(person)).toEqual(["account-closed", "mail account-closed"]);
  });

  test("has no effect a second time, later: newer sessions and dates stay", async () => {
    const person = await aPerson();
    await closeAccount(app, person.viewer);
    const before = await accountOf(person);
    const since = await aSession(person.viewer.account.id);
    app.pass(1000);
    await closeAccount(app, person.viewer);
    expect((await again(since)).account.state).toBe("closed");
    expect(await accountOf(person)).toEqual(before);
  });

  test("is answered like the first time for the same session, and refused for another", async () => {
    const person = await aPerson();
    const first = await closeAccount(app, person.viewer);
    app.pass(1000);
    expect(await closeAccount(app, await again(person.viewer))).toEqual(first);
    expect(await noticesOf(person)).toEqual(["account-closed", "mail account-closed"]);
    const since = await aSession(person.viewer.account.id);
    expect(await closeAccount(app, since)).toEqual({ ok: false, refusal: { reason: "account-closed" } });
  });

  test("requires a re-authentication, and changes nothing before it", async () => {
    const person = await aPerson();
    app.pass(reauthenticationMs);
    expect(await closeAccount(app, await again(person.viewer))).toEqual({
      ok: false,
      refusal: { reason: "proof-stale" },
    });
    expect(await accountOf(person)).toMatchObject({ state: "active", leavingUntil: null });
  });

  test("is refused if billing can't be ended, because there is a customer and the provider can't be reached", async () => {
    const person = await aPerson();
    await env.DB.prepare("insert into customers (account_id, provider_id, created_at) values (?1, ?1, 0)")
      .bind(person.viewer.account.id)
      .run();
    expect(await closeAccount(app, person.viewer)).toEqual({ ok: false, refusal: { reason: "not-on-sale" } });
    expect(await accountOf(person)).toMatchObject({ state: "active" });
  });

  test.each([
    [
      "a payment in process",
      `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at)
       values (?1, ?1, 'processing', 'new-plan', '${small.id}', 'month', 'EUR', 600, 0, 0)`,
    ],
    [
      "a plan that still runs after everything was ended: it was paid at the same moment",
      `insert into subscriptions (id, account_id, state, plan_id, interval, amount_minor, currency, started_at, period_ends_at, synced_at)
       values (?1, ?1, 'active', '${small.id}', 'month', 600, 'EUR', 0, 1, 0)`,
    ],
  ])("is refused by %s", async (_name, insert) => {
    const person = await aPerson();
    const { id } = person.viewer.account;
    await env.DB.batch([
      env.DB.prepare("insert into customers (account_id, provider_id, created_at) values (?1, ?1, 0)").bind(id),
      env.DB.prepare(insert).bind(id),
    ]);
    const calls: Partial<NonNullable<TestApp["payments"]>> = { fetchBilling: async () => done(noBilling) };
    const left = await closeAccount({ ...app, payments: calls as TestApp["payments"] }, person.viewer);
    expect(left).toEqual({ ok: false, refusal: { reason: "payment-in-process" } });
    expect(await accountOf(person)).toMatchObject({ state: "active" });
  });

  test("disables the account's referral link", async () => {
    const person = await aPerson();
    const friend = await aPerson();
    const code =
      new URL((await showReferrals(app, person.viewer.account.id, person.viewer.account)).url ?? "").searchParams.get(
        "ref",
      ) ?? "";
    await closeAccount(app, person.viewer);
    expect(await attributeReferral(app, { friendId: friend.viewer.account.id, code, ip: null })).toBe("ignored");
  });
});

describe("a checkout that was being opened when its owner closed the account", () => {
  const price = { amountMinor: minor(small), currency: product.currency };
  const choice = async ({ viewer }: Person): Promise<Choice> => ({
    planId: small.id,
    interval: "month",
    quote: await writeQuote(app.pepper, viewer.account.id, { ...price, quotedAt: app.clock(), prorationAt: null }),
    creditMinor: 0,
  });

  /** The payment provider as far as opening a checkout needs it; `meanwhile` happens while it answers. */
  function providerWith(meanwhile: () => Promise<unknown>) {
    const expired: string[] = [];
    const calls: Partial<NonNullable<TestApp["payments"]>> = {
      createCustomer: async ({ accountId }) => done(`cus_${accountId}` as const),
      expireOtherCheckouts: async () => done(null),
      openCheckout: async ({ orderId }) => {
        await meanwhile();
        const checkout = {
          id: `cs_${orderId}`,
          url: "https://pay.example",
          state: "open",
          isPaid: false,
          createdAt: 0,
        } as const;
        return done({ ...checkout, invoiceId: null, subscriptionId: null, orderId, expiresAt: app.clock() + 1000 });
      },
      expireCheckout: async (id) => {
        expired.push(id);
        return done("ended");
      },
    };
    return { payments: calls as TestApp["payments"], expired };
  }

  const closesNow = ({ viewer }: Person) =>
    env.DB.prepare("update accounts set state = 'closed', restorable_until = 1 where id = ?")
      .bind(viewer.account.id)
      .run();

  async function ordersOf({ viewer }: Person) {
    const { results } = await env.DB.prepare("select state, checkout_id as checkoutId from orders where account_id = ?")
      .bind(viewer.account.id)
      .all();
    return results;
  }

  test("isn't opened", async () => {
    const person = await aPerson();
    await closesNow(person);
    const { payments } = providerWith(async () => null);
    // The request still holds the account as it was.
    expect(await startCheckout({ ...app, payments }, person.viewer.account, await choice(person))).toEqual({
      ok: false,
      refusal: { reason: "account-closed" },
    });
    expect(await ordersOf(person)).toEqual([]);
  });

  test("is closed again before it can be paid", async () => {
    const person = await aPerson();
    const { payments, expired } = providerWith(() => closesNow(person));
    expect(await startCheckout({ ...app, payments }, person.viewer.account, await choice(person))).toMatchObject({
      ok: false,
    });
    expect(await ordersOf(person)).toMatchObject([{ state: "draft", checkoutId: null }]);
    expect(expired).toHaveLength(1);
  });
});

describe("restoring an account", () => {
  test("is possible once, until the last millisecond, and is logged and emailed", async () => {
    const person = await aPerson();
    await closeAccount(app, person.viewer);
    app.pass(restoreMs - 1);
    const viewer = await aSession(person.viewer.account.id);
    const answers = await Promise.all(Array.from({ length: 40 }, () => restoreAccount(app, viewer)));
    expect(answers).toEqual(Array.from({ length: 40 }, () => ({ ok: true, value: null })));
    expect(await accountOf(person)).toMatchObject({ state: "active", leavingUntil: null });
    expect(await noticesOf(person)).toEqual(["account-closed", "mail account-closed", "mail restored", "restored"]);
    await deleteDueAccounts(app);
    app.pass(1);
    await deleteDueAccounts(app);
    expect(await accountOf(person)).toMatchObject({ state: "active", email: person.address });
    expect(await restoreAccount(app, await again(viewer))).toEqual({ ok: true, value: null });
    expect(await noticesOf(person)).toEqual(["account-closed", "mail account-closed", "mail restored", "restored"]);
  });

  test("is refused if it isn't closed, also after a session before this one restored it", async () => {
    const person = await aPerson();
    expect(await restoreAccount(app, person.viewer)).toEqual({ ok: false, refusal: { reason: "not-closed" } });
    await closeAccount(app, person.viewer);
    await restoreAccount(app, await again(person.viewer));
    app.pass(1000);
    const later = await aSession(person.viewer.account.id);
    expect(await restoreAccount(app, later)).toEqual({ ok: false, refusal: { reason: "not-closed" } });
  });

  test("is refused one millisecond after, whether or not the cron job has run", async () => {
    const person = await aPerson();
    await closeAccount(app, person.viewer);
    app.pass(restoreMs - 1);
    await deleteDueAccounts(app);
    expect(await accountOf(person)).toMatchObject({ state: "closed" });
    app.pass(1);
    const viewer = await aSession(person.viewer.account.id);
    expect(await restoreAccount(app, viewer)).toEqual({ ok: false, refusal: { reason: "restore-too-late" } });
    await deleteDueAccounts(app);
    expect(await restoreAccount(app, viewer)).toEqual({ ok: false, refusal: { reason: "restore-too-late" } });
    expect(await accountOf(person)).toMatchObject({ state: "erased" });
  });

  test("wins over the cron job or loses to it in the last millisecond, but never both", async () => {
    for (let round = 0; round < 8; round += 1) {
      const person = await aPerson();
      await closeAccount(app, person.viewer);
      const viewer = await again(person.viewer);
      const edge = app.clock() + restoreMs;
      // The owner's request starts just before the deadline and the cron run just after it; which reaches the table
      // first depends on how much the request reads before.
      const owner = { ...app, clock: () => edge - 1 };
      const sweep = { ...app, clock: () => edge };
      const restore = async () => {
        for (let reads = 0; reads < round % 4; reads += 1) await again(viewer);
        await restoreAccount(owner, viewer);
      };
      await Promise.all([restore(), deleteDueAccounts(sweep)]);
      const after = await accountOf(person);
      const notices = await noticesOf(person);
      expect([after?.state, after?.email === person.address, notices.includes("mail restored")]).toEqual(
        after?.state === "active" ? ["active", true, true] : ["erased", false, false],
      );
    }
  });

  test("is refused once the erasure has begun, even if that can't continue and the clock is behind", async () => {
    const person = await aPerson();
    await closeAccount(app, person.viewer);
    const edge = app.clock() + restoreMs;
    await beginErasures(app.db, edge, 10, sql`false`);
    const owner = { ...app, clock: () => edge - 1 };
    const viewer = await again(person.viewer);
    expect(await restoreAccount(owner, viewer)).toEqual({ ok: false, refusal: { reason: "restore-too-late" } });
  });
});

describe("a new account with an erased account's address", () => {
  test("inherits nothing, and earns no referral discount a second time", async () => {
    const referrer = await aPerson();
    const code =
      new URL(
        (await showReferrals(app, referrer.viewer.account.id, referrer.viewer.account)).url ?? "",
      ).searchParams.get("ref") ?? "";
    const person = await aPerson();
    await attributeReferral(app, { friendId: person.viewer.account.id, code, ip: null });
    const before = await findBuyer(app, person.viewer.account.id);
    expect(before.friend).not.toBeNull();
    await closeAccount(app, person.viewer);
    app.pass(restoreMs);
    await deleteDueAccounts(app);

    const newPerson = await aPerson(person.address);
    expect(newPerson.viewer.account.id).not.toBe(person.viewer.account.id);
    await attributeReferral(app, { friendId: newPerson.viewer.account.id, code, ip: null });
    expect((await findBuyer(app, newPerson.viewer.account.id)).friend).toBeNull();
    const stranger = await aPerson();
    await attributeReferral(app, { friendId: stranger.viewer.account.id, code, ip: null });
    expect((await findBuyer(app, stranger.viewer.account.id)).friend).not.toBeNull();
  });
});
