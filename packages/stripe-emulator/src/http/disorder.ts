import type { Store } from "../store.ts";

export const FAULT_KINDS = ["slow", "500", "429", "lock_timeout", "409", "reset", "html", "empty", "other"] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Stripe documents both ways to post credit. */
export const CREDIT_AT_CHECKOUT = ["invoice", "session"] as const;
type CreditAtCheckout = (typeof CREDIT_AT_CHECKOUT)[number];

/** The faults that this Stripe is configured to have. An empty object has none. */
export interface Disorder {
  /** Number of extra deliveries of every event. */
  duplicate?: number;
  /** Deliver what is due in the wrong order. */
  shuffle?: boolean;
  delayMs?: number;
  /** Don't deliver the next n events that an endpoint subscribes to, or events of these types at all. */
  drop?: number | string[];
  apiFault?: { kind: FaultKind; next: number };
  /** API calls allowed per second of real time, like the 25 of Stripe's test mode. */
  rateLimit?: number;
  /** When credit at checkout is posted: with the session, or (the default) with its invoice. */
  creditAtCheckout?: CreditAtCheckout;
}

export const disorderOf = (store: Store): Disorder => JSON.parse(store.note("disorder") ?? "{}");

export const setDisorder = (store: Store, disorder: Disorder): void =>
  store.writeNote("disorder", JSON.stringify(disorder));

/** Whether this event is lost. Uses up one of the counted losses. */
export function isLost(store: Store, type: string, disorder: Disorder): boolean {
  const { drop } = disorder;
  if (typeof drop !== "number") return drop?.includes(type) ?? false;
  if (drop <= 0) return false;
  const { drop: _, ...rest } = disorder;
  setDisorder(store, drop === 1 ? rest : { ...rest, drop: drop - 1 });
  return true;
}

/** The fault that applies to this API call, if any. The call uses it up. */
export function takeFault(store: Store): FaultKind | null {
  const disorder = disorderOf(store);
  const { apiFault } = disorder;
  if (apiFault === undefined || apiFault.next <= 0) return null;
  const { apiFault: _, ...rest } = disorder;
  setDisorder(store, apiFault.next === 1 ? rest : { ...rest, apiFault: { ...apiFault, next: apiFault.next - 1 } });
  return apiFault.kind;
}
