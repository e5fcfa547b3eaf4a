import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { sealFormerAddress } from "#app/modules/accounts/former-addresses.rules.ts";
import { sweepAccounts } from "#app/modules/accounts/commands/sweep-accounts.server.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { done, refused } from "#app/core/result.ts";
import { dayMs } from "#app/core/time/time.ts";
import { dashboardOf } from "#app/integrations/stripe/keys.ts";
import { large } from "#tests/support/billing/catalogue.ts";
import { askAsOperator, operatorToken } from "#tests/support/clients/operator-driver.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";

const order = "ord_0123456789abcdefghjkmnpqrs";
let app: TestApp;

beforeEach(async () => {
  app = testApp({ operatorToken });
  await emptyTables(
    "webhook_events",
    "ledger_lines",
    "friend_discounts",
    "referrals",
    "operator_log",
    "withdrawals",
    "history_events",
    "orders",
    "subscriptions",
    "customers",
    "devices",
    "former_addresses",
    "address_changes",
    "activities",
    "sessions",
    "entries",
    "accounts",
    "emails",
  );
  const account = env.DB.prepare(
    `insert into accounts (id, state, email, email_canonical, name, locale, time_zone, terms_version, created_at)
     values (?1, 'active', ?2, ?2, ?3, 'en', 'UTC', '', 0)`,
  );
  await env.DB.batch([
    account.bind("acc_mara", "mara@example.com", "Mara Lindqvist"),
    account.bind("acc_asa", "asa@example.com", "Åsa Lindqvist"),
    account.bind("acc_nils", "nils@example.com", null),
    env.DB.prepare("insert into customers (account_id, provider_id, created_at) values ('acc_mara', 'cus_mara1', 0)"),
    env.DB.prepare(
      `insert into subscriptions (id, account_id, state, plan_id, interval, amount_minor, currency, card_brand, card_last4,
         card_expires, started_at, period_ends_at, synced_at)
       values ('sub_mara1', 'acc_mara', 'active', ?, 'year', 6000, 'EUR', 'visa', '4242', '2027-01', 0, ?, 0)`,
    ).bind(large.id, Date.UTC(2027, 1, 3)),
    env.DB.prepare(
      `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, dispute, created_at,
         updated_at, number_year, number_in_year, paid_at, invoice_id, checkout_id)
       values (?, 'acc_mara', 'paid', 'new-plan', ?, 'year', 'EUR', 6000, 'needs-response', 0, 0, 2026, 41, 0, 'in_mara1', 'cs_test_mara1')`,
    ).bind(order, large.id),
    env.DB.prepare(
      "insert into webhook_events (id, state, type, customer_id, received_at) values ('evt_mara1', 'failed', 'any', 'cus_mara1', 0)",
    ),
    env.DB.prepare(
      `insert into ledger_lines (id, account_id, kind, amount_minor, currency, why, happened_at, provider_id)
       values ('given', 'acc_mara', 'earned', 500, 'EUR', 'given', 0, 'cbtxn_mara1')`,
    ),
    env.DB.prepare(
      `insert into devices (id, account_id, state, fingerprint_hash, name, platform, activated_at, last_seen_at)
       values ('dev_mara1', 'acc_mara', 'active', '', 'Attic iMac', 'macos', 0, 0)`,
    ),
  ]);
});

const find = (wanted: string) => askAsOperator(app, `/person?find=${encodeURIComponent(wanted)}`);

/** The account that was found; or all that match. */
async function found(wanted: string): Promise<unknown> {
  const { json } = await find(wanted);
  if (Array.isArray(json["matches"])) return json["matches"].map(({ id }: { id: string }) => id).toSorted();
  return (json["account"] as { id: string } | undefined)?.id ?? json["code"];
}

describe("a person is found", () => {
  test.each([
    "mara@example.com",
    "MARA@Example.com",
    "2026-000041",
    "#2026-41",
    order,
    "acc_mara",
    "dev_mara1",
    "cus_mara1",
    "sub_mara1",
    "in_mara1",
    "cs_test_mara1",
    "evt_mara1",
    "cbtxn_mara1",
    "mara lind",
    "Mara",
    "attic imac",
  ])("by %s", async (wanted) => {
    expect(await found(wanted)).toBe("acc_mara");
  });

  test.each(["pi_123", "ch_123", "re_123", "dp_123"])(
    "by %s, whose customer is looked up at Stripe",
    async (wanted) => {
      const findPayer = (answer: Awaited<ReturnType<NonNullable<TestApp["payments"]>["findPayer"]>>) => {
        if (!app.payments) throw new Error("no payments");
        app = testApp({ operatorToken, payments: { ...app.payments, findPayer: async () => answer } });
      };
      findPayer(done("cus_mara1"));
      expect(await found(wanted)).toBe("acc_mara");
      findPayer(refused({ reason: "provider-refused", code: "resource_missing" }));
      expect(await found(wanted)).toBe("no-such-person");
      findPayer(refused({ reason: "provider-unreachable", isFinal: false }));
      expect(await found(wanted)).toBe("stripe-unreachable");
    },
  );

  test("by a name, several if it matches more than one, with letters whose case SQLite ignores", async () => {
    expect(await found("lindqvist")).toEqual(["acc_asa", "acc_mara"]);
    expect(await found("åsa")).toBe("acc_asa");
    for (const wanted of ["%%%", "___", "Nobody", "cus_none", "2026-000042"]) {
      expect([wanted, await found(wanted)]).toEqual([wanted, "no-such-person"]);
    }
    expect((await find("ab")).json["errors"]).toEqual([{ field: "find", problem: "find-too-short" }]);
  });

  test("by a former address, also from before these were searchable, unless another account has it now", async () => {
    const former = await sealFormerAddress(app, { id: "acc_mara", email: "old@example.com" });
    await env.DB.prepare("insert into former_addresses (id, account_id, sealed, left_at) values (?, ?, ?, 0)")
      .bind(former.id, "acc_mara", former.sealed)
      .run();
    await env.DB.exec(
      "insert into former_addresses (id, account_id, sealed, left_at) values ('adr_x', 'acc_nils', 'x', 0)",
    );
    expect(await found("old@example.com")).toBe("no-such-person");
    await Promise.all([sweepAccounts(app), sweepAccounts(app)]);
    expect(await found("OLD@example.com")).toBe("acc_mara");
    await env.DB.exec(
      "update accounts set email = 'old@example.com', email_canonical = 'old@example.com' where id = 'acc_nils'",
    );
    expect(await found("old@example.com")).toBe("acc_nils");
  });

  test("the log contains the account, and not the search term", async () => {
    await find("lindqvist");
    await find("mara@example.com");
    const { results } = await env.DB.prepare("select subject, outcome from operator_log order by rowid").all();
    expect(results).toEqual([
      { subject: null, outcome: "done" },
      { subject: "acc_mara", outcome: "done" },
    ]);
  });
});

describe("an account's summary", () => {
  test("contains plan, until when it is paid, card, the last sign-in, and what needs attention", async () => {
    await env.DB.batch([
      env.DB.prepare(
        `insert into activities (id, account_id, what, result, happened_at) values ('act_1', 'acc_mara', 'signed-in', 'done', ?),
           ('act_2', 'acc_mara', 'signed-in', 'refused', ?)`,
      ).bind(Date.UTC(2026, 10, 19, 8, 30), Date.UTC(2026, 10, 20)),
      env.DB.prepare(
        `insert into withdrawals (id, order_id, state, name, order_typed, email, declared_at)
         values ('wdr_1', ?, 'declared', 'Mara', '1', 'mara@example.com', ?)`,
      ).bind(order, app.clock() - dayMs),
      env.DB.prepare(
        "insert into emails (id, state, template, created_at, recipient_id) values (?, 'failed', 'receipt', 0, 'acc_mara')",
      ).bind(`mail_${order}.paid`),
    ]);
    const { json } = await find("mara@example.com");
    expect(json["summary"]).toEqual({
      who: "Mara Lindqvist, mara@example.com",
      plan: `${large.name}, ${formatMoney({ amountMinor: 6000, currency: "EUR" }, "en")} a year, active`,
      paidUntil: "2027-02-03, then renews",
      card: "visa 4242, expires 2027-01",
      lastSignIn: "2026-11-19 08:30 UTC",
      attention: [
        "withdrawal from 2026-000041: refund due by 2026-12-03",
        "order 2026-000041: dispute needs-response",
        "1 failed emails: receipt",
      ],
    });
    expect((await find("nils@example.com")).json["summary"]).toMatchObject({ plan: "no paid plan", attention: [] });
  });

  test("lists pending decisions about the account, with their ids", async () => {
    const { id: orderId } = (await env.DB.prepare("select id from orders").first<{ id: string }>()) ?? { id: "" };
    await env.DB.batch([
      env.DB.prepare("update orders set dispute_due_at = ?").bind(Date.UTC(2026, 10, 27)),
      env.DB.prepare(
        `insert into referrals (id, referrer_id, friend_id, state, signed_up_at, waits_until) values
           ('ref_mara', 'acc_asa', 'acc_mara', 'signed-up', 0, null), ('ref_nils', 'acc_mara', 'acc_nils', 'under-review', 0, ?)`,
      ).bind(Date.UTC(2026, 10, 30)),
      env.DB.prepare(
        `insert into friend_discounts (referral_id, friend_id, order_id, state, amount_minor, currency, created_at)
         values ('ref_mara', 'acc_mara', ?, 'under-review', 500, 'EUR', 0)`,
      ).bind(orderId),
      env.DB.prepare(
        `insert into entries (id, gate, state, review, email, email_canonical, confirm_hash, entry_hash, share_code, created_at, confirm_expires_at)
         values ('ent_mara', 'signup', 'waiting', 'under-review', 'mara@example.com', 'mara@example.com', 'a', 'b', 'c', 0, 0)`,
      ),
    ]);
    const attentionOf = async (who: string) => {
      const { json } = await find(who);
      return (json["summary"] as { attention: string[] }).attention;
    };
    expect(await attentionOf("mara@example.com")).toEqual([
      "order 2026-000041: dispute needs-response by 2026-11-27",
      "place on the waitlist under review: ent_mara",
      `friend discount of ${formatMoney({ amountMinor: 500, currency: "EUR" }, "en")} under review: ref_mara`,
      "referral of a friend under review: ref_nils, continues automatically on 2026-11-30",
    ]);
    expect(await attentionOf("nils@example.com")).toEqual([
      "referral of this customer under review: ref_nils, continues automatically on 2026-11-30",
    ]);
    expect((await find("mara@example.com")).json["referrals"]).toMatchObject({
      brought: [{ id: "ref_nils", friend: "nils@example.com", state: "under-review" }],
      broughtBy: [{ referrer: "asa@example.com" }],
      discounts: [{ id: "ref_mara", state: "under-review", amountMinor: 500 }],
    });
  });

  test("contains the link to Stripe's dashboard, in test mode for a test key, and none to the emulator", async () => {
    expect((await find("mara@example.com")).json["links"]).toEqual([]);
    for (const [key, beginning] of [
      ["sk_live_x", "https://dashboard.stripe.com/"],
      ["rk_test_x", "https://dashboard.stripe.com/test/"],
    ] as const) {
      app = testApp({ operatorToken, stripeDashboard: dashboardOf(key, "") });
      expect((await find("mara@example.com")).json["links"]).toEqual([
        `${beginning}customers/cus_mara1`,
        `${beginning}subscriptions/sub_mara1`,
      ]);
    }
    expect(dashboardOf("sk_test_x", "http://localhost:8788")).toBeNull();
    expect(dashboardOf("", "")).toBeNull();
  });
});
