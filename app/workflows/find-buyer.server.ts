import type { AccountId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import { type Base, gatekeeperOf, type Site } from "#app/app.ts";
import { gateGuards, gateWord, type Gate } from "#app/modules/catalogue/gate.rules.ts";
import { listUnsoldPrices, readUnsoldPrices } from "#app/modules/catalogue/unsold-prices.queries.server.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { findRenewedUntil } from "#app/modules/billing/orders/changes.queries.server.ts";
import {
  findOpenChoice,
  findPaidOrder,
  findUnconfirmed,
  readOrder,
} from "#app/modules/billing/orders/queries.server.ts";
import { runningSubscription, type Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import { findCustomer, listSubscriptions } from "#app/modules/billing/subscriptions/queries.server.ts";
import { sumUnposted } from "#app/modules/billing/credit/queries.server.ts";
import type { ReferralState } from "#app/modules/referrals/rules.ts";
import { findReferralOf } from "#app/modules/referrals/queries.server.ts";
import { listDeclared } from "#app/modules/billing/withdrawals/withdrawals.queries.server.ts";
import { isPlanWithdrawn } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";

export type Buyer = {
  running: Subscription | null;
  open: Order | null;
  /** An order that may have been paid, possibly a renewal, while Stripe doesn't answer: nothing else can be bought until that is known. */
  unconfirmed: Order | null;
  /** The referral of an account that hasn't paid yet. Null if there is none, or if it's no longer valid. */
  friend: { state: ReferralState; signedUpAt: number } | null;
  creditMinor: number;
  /** The gate for this account: none if it is invited, or has the gated plan or lost it because a payment failed. */
  gate: Gate;
  /** The account waits at that gate. */
  isWaiting: boolean;
  /** The owner has withdrawn from the running plan, which ends when that is refunded. */
  isWithdrawn: boolean;
  /** Lookup keys of the prices that aren't on sale. */
  unsold: ReadonlySet<string>;
  /** The end of the newest period that a renewal paid for. */
  renewedUntil: number | null;
};

/** The state of an account that is about to buy, in one round trip. */
export async function findBuyer(app: Base & Site, accountId: AccountId): Promise<Buyer> {
  const keeper = gatekeeperOf(app);
  const { subscriptions, referrals, paid, customers, choices, doubtful, unposted, passes, declared, renewed, unsold } =
    await batchNamed(app.db, {
      subscriptions: listSubscriptions(app.db, accountId),
      referrals: findReferralOf(app.db, accountId),
      paid: findPaidOrder(app.db, accountId),
      customers: findCustomer(app.db, accountId),
      choices: findOpenChoice(app.db, accountId),
      doubtful: findUnconfirmed(app.db, accountId),
      unposted: sumUnposted(app.db, accountId),
      passes: keeper ? [keeper.listPasses(app.db, accountId, app.clock())] : [],
      declared: listDeclared(app.db, accountId),
      renewed: findRenewedUntil(app.db, accountId),
      unsold: listUnsoldPrices(app.db),
    });
  const running = runningSubscription(subscriptions);
  // Subscribers of the gated plan have passed the gate, even while it is paused or after it ended because a payment failed.
  const isInside = subscriptions.some(
    ({ id, planId, endCause }) => gateGuards(app.gate, planId) && (id === running?.id || endCause === "payment-failed"),
  );
  const own = passes.flat().filter(({ gate }) => gate === gateWord(app.gate));
  const isInvited = isInside || own.some((pass) => pass.isInvited);
  const [referral] = referrals;
  const creditMinor = customers[0]?.creditMinor ?? 0;
  const isNew = referral !== undefined && paid.length === 0;
  return {
    running,
    open: choices.map(readOrder)[0] ?? null,
    unconfirmed: doubtful.map(readOrder)[0] ?? null,
    friend: isNew && referral.state !== "void" ? referral : null,
    // The ledger's credit of a first-time buyer reduces the first payment: it is transferred to Stripe before that. A deduction never
    // becomes a debt, while a debt at Stripe is charged.
    creditMinor: Math.max(Math.min(creditMinor, 0), creditMinor + (unposted[0]?.amountMinor ?? 0)),
    gate: isInvited ? { kind: "none" } : app.gate,
    isWaiting: !isInvited && own.length > 0,
    isWithdrawn: isPlanWithdrawn(declared, running),
    unsold: readUnsoldPrices(unsold),
    renewedUntil: renewed[0]?.until ?? null,
  };
}
