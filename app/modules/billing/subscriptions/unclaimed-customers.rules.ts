/**
 * Decides what becomes of a customer whom somebody created in Stripe's dashboard and gave a plan of this site. Invariants: only the account
 * that has proven the customer's address gets it, as its only customer; a customer who pays for something else as well belongs to another
 * shop; what isn't adopted is listed for operators. Called from the reconciler.
 */
import type { AccountId } from "#app/core/id.ts";
import { hourMs } from "#app/core/time/time.ts";

/** Why a customer with a plan belongs to no account. */
export const unclaimedReasons = ["no-account", "account-closed", "other-customer", "other-shop"] as const;
export type UnclaimedReason = (typeof unclaimedReasons)[number];

/** How often each is looked at again: somebody may have signed up with the address since. */
export const unclaimedLookMs = hourMs;

type DashboardCustomer = {
  email: string | null;
  /** The account that our own customers name, on this site or another that shares the Stripe account. */
  isNamed: boolean;
  /** Every subscription that hasn't ended; null if it isn't for a plan of this site. */
  plans: (string | null)[];
};

type UnclaimedVerdict =
  | { kind: "ignored" }
  | { kind: "adopted"; accountId: AccountId }
  | { kind: "unclaimed"; reason: UnclaimedReason; planId: string; accountId: AccountId | null };

/** `account` is the one with the customer's address. */
export function decideUnclaimed(
  customer: DashboardCustomer | null,
  account: { id: AccountId; state: "active" | "closed" | "erased"; hasCustomer: boolean } | null,
): UnclaimedVerdict {
  const planId = customer?.plans.find((plan) => plan !== null) ?? null;
  if (!customer || customer.isNamed || planId === null) return { kind: "ignored" };
  const owner = account?.state === "erased" ? null : account;
  const unclaimed = (reason: UnclaimedReason) =>
    ({ kind: "unclaimed", reason, planId, accountId: owner?.id ?? null }) as const;
  if (customer.plans.includes(null)) return unclaimed("other-shop");
  if (owner === null) return unclaimed("no-account");
  if (owner.state === "closed") return unclaimed("account-closed");
  return owner.hasCustomer ? unclaimed("other-customer") : { kind: "adopted", accountId: owner.id };
}
