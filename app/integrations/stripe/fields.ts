import { invariant } from "#app/core/invariant.ts";
import { type IdOf, stripeId } from "#app/core/stripe/ids.ts";
import type Stripe from "stripe";
import { type Interval, intervals } from "#app/core/time/interval.ts";

/** What a price is for. */
export type Sold = { planId: string; interval: Interval };

export function soldBy({ metadata, recurring }: Stripe.Price): Sold | null {
  const interval = intervals.find((known) => known === recurring?.interval);
  return metadata.plan && interval ? { planId: metadata.plan, interval } : null;
}

/** An unknown value is a bug worth reporting: Stripe has added one that our tables don't have. */
export function readKnownValue<Word extends string>(values: readonly Word[], value: string): Word {
  const known = values.find((candidate) => candidate === value);
  invariant(known, `Stripe sent the unknown value "${value}"`);
  return known;
}

/** The id of an object, or of one that a field refers to, by id or expanded. */
export function idOf<Name extends string>(object: { id: string; object: Name }): IdOf<Name>;
export function idOf<Name extends string>(
  reference: string | { id: string; object: Name } | null | undefined,
): IdOf<Name> | null;
export function idOf<Name extends string>(
  reference: string | { id: string; object: Name } | null | undefined,
): IdOf<Name> | null {
  if (!reference) return null;
  return stripeId<Name>(typeof reference === "string" ? reference : reference.id);
}

export function ms(seconds: number): number {
  return seconds * 1000;
}

export function maybeMs(seconds: number | null | undefined): number | null {
  return seconds ? seconds * 1000 : null;
}
