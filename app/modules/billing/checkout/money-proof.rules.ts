/**
 * Decides which actions on money need re-authentication. Invariants: charging a stored payment method now, or opening the page where
 * payment methods and billing details are changed, needs a proof younger than `reauthenticationMs`; ending, keeping or paying what was
 * agreed never does. Called from the plan's forms and the confirmation of a choice.
 */
import { isReauthenticated, type Session } from "#app/modules/accounts/rules.ts";

type Proof = "reauthentication" | "any-session";

export const moneyActions = {
  /** Paid on Stripe's page, where the buyer enters or confirms the payment method. */
  "first-payment": "any-session",
  /** Charges the stored payment method without another confirmation. */
  "change-charged-now": "reauthentication",
  /** Nothing is charged before the next period, and it can be undone until then. */
  "change-of-next-period": "any-session",
  /** Needs not even a session: § 312k BGB wants a way without signing in, which is `/cancel`. */
  cancel: "any-session",
  resume: "any-session",
  "undo-change": "any-session",
  /** Collects what is already owed, at most `manualRetriesPerDayMax` times a day. */
  retry: "any-session",
  /** Shows billing details, and changes what is charged from now on. */
  "open-portal": "reauthentication",
  /** The law requires that withdrawing needs no account. */
  withdraw: "any-session",
} as const satisfies Record<string, Proof>;

export type MoneyAction = keyof typeof moneyActions;
export type StaleProofRefusal = { reason: "proof-stale" };

export function checkProof(
  action: MoneyAction,
  session: Pick<Session, "provenAt">,
  now: number,
): StaleProofRefusal | null {
  return moneyActions[action] === "any-session" || isReauthenticated(session, now) ? null : { reason: "proof-stale" };
}
