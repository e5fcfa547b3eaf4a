import type { AccountId } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import { writeQuote } from "#app/modules/billing/checkout/quote.rules.ts";
import { reconcileCustomer } from "#app/modules/billing/sync/commands/reconcile-customer.server.ts";
import { startChange } from "#app/modules/billing/changes/commands/start-change.server.ts";
import { priceAfterCredit, startCheckout } from "#app/modules/billing/checkout/commands/start-checkout.server.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { findPlan, priceOf } from "#app/modules/catalogue/rules.ts";
import { attributeReferral } from "#app/modules/referrals/commands/attribute-referral.server.ts";
import { showReferrals } from "#app/modules/referrals/reads/show-referrals.server.ts";
import { small } from "./catalogue.ts";
import { offer, type Sold } from "./contracts.ts";
import type { BillingHarness } from "./billing-harness.ts";
import { checkoutFields } from "./checkout-fields.ts";

/** Stripe's own test cards that are accepted: each has its own fingerprint. */
export const cards = [
  "5555555555554444",
  "4000000000000341",
  "4000000000007726",
  "4000000000005126",
  "4242424242424242",
];

let people = 0;

/** Further customers of a billing harness's Stripe emulator. */
export function friendsOf(harness: BillingHarness) {
  const { app } = harness;
  return {
    async person(address?: string): Promise<AccountId> {
      people += 1;
      const id: AccountId = `acc_friend${people}`;
      await env.DB.prepare(
        `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
         values (?1, 'active', ?2, ?2, 'en', 'UTC', '', ?3)`,
      )
        .bind(id, address ?? `${id}@${id.replace("_", "-")}.example`, app.clock())
        .run();
      return id;
    },
    async codeOf(accountId: AccountId): Promise<string> {
      return (
        new URL((await showReferrals(app, accountId, { locale: "en", timeZone: "UTC" })).url ?? "").searchParams.get(
          "ref",
        ) ?? ""
      );
    },
    /** A new account, referred by the owner of a link. */
    async broughtBy(
      referrerId: AccountId,
      { address, ip }: { address?: string; ip?: string } = {},
    ): Promise<AccountId> {
      const friendId = await this.person(address);
      await attributeReferral(app, { friendId, code: await this.codeOf(referrerId), ip: ip ?? null });
      return friendId;
    },
    /** Buys a plan on the hosted page with a card, and comes back; returns what credit takes off. */
    async buy(accountId: AccountId, card = cards[0] ?? "", less: { creditMinor?: number; interval?: Interval } = {}) {
      const { creditMinor = 0, interval = "month" } = less;
      const plan = findPlan(app.product, small.id);
      const [account] = await findAccount(app.db, accountId);
      const price = plan && priceOf(app.product, plan, interval);
      if (!price || !account) throw new Error("There is nothing to buy");
      const { amountMinor } = priceAfterCredit(price, { creditMinor });
      const quote = await writeQuote(app.pepper, accountId, {
        ...price,
        amountMinor,
        quotedAt: app.clock(),
        prorationAt: null,
      });
      const input = { planId: plan.id, interval, quote, creditMinor };
      const begun = await startCheckout(app, account, input);
      if (!begun.ok) throw new Error(begun.refusal.reason);
      const body = new URLSearchParams(checkoutFields(card));
      const paid = await fetch(begun.value.url, { method: "POST", body, redirect: "manual" });
      if (paid.status !== 303) throw new Error(`Not paid: ${paid.status} ${await paid.text()}`);
      await reconcileCustomer(app, accountId);
      return begun.value.orderId;
    },
    /** Changes the running plan, which is charged immediately; returns the order of the change. */
    async change(accountId: AccountId, input: Sold): Promise<string> {
      const [account] = await findAccount(app.db, accountId);
      if (!account) throw new Error("There is nothing to change");
      const begun = await startChange(app, account, { ...input, quote: await offer(harness, input, accountId) });
      if (!begun.ok) throw new Error(begun.refusal.reason);
      await reconcileCustomer(app, accountId);
      const row = await env.DB.prepare(
        "select id from orders where account_id = ? and kind = 'change' order by created_at desc limit 1",
      )
        .bind(accountId)
        .first<{ id: string }>();
      return row?.id ?? "";
    },
    async referral(friendId: AccountId) {
      return env.DB.prepare("select * from referrals where friend_id = ?")
        .bind(friendId)
        .first<Record<string, string | number | null>>();
    },
    async ledger(accountId: AccountId) {
      const { results } = await env.DB.prepare(
        "select kind, why, amount_minor as amount from ledger_lines where account_id = ? order by rowid",
      )
        .bind(accountId)
        .all<{ kind: string; why: string; amount: number }>();
      return results.map(({ kind, why, amount }) => `${kind} ${why} ${amount}`);
    },
  };
}

export type Friends = ReturnType<typeof friendsOf>;
