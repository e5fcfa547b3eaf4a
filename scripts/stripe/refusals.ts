import Stripe from "stripe";
import { messageOfWrangler } from "../deploy/wrangler.ts";

/** What was being set up when Stripe refused it. */
export class SetUpError extends Error {
  constructor(thing: string, cause: unknown) {
    super(thing, { cause });
  }
}

/** The signing secret of a new endpoint couldn't be stored in the Worker. */
export class StoreError extends Error {
  constructor(endpointId: string, isRemoved: boolean, cause: unknown) {
    const next = isRemoved
      ? "The endpoint was removed again. Run this again: it makes another and stores its secret."
      : `Delete the endpoint ${endpointId} in Stripe's dashboard, then run this again: it makes another and stores its secret.`;
    const why = messageOfWrangler(cause).replace(/\.?$/, ".");
    super(`Stopped at storing the webhook endpoint's signing secret in the Worker: ${why}\n${next}`, { cause });
  }
}

/** What would be set up belongs to another product. */
export class OtherProductError extends Error {
  constructor(product: string, others: { owner: string; thing: string }[]) {
    const thingsOf = (owner: string) => others.flatMap((one) => (one.owner === owner ? [one.thing] : []));
    const owners = [...new Set(others.map(({ owner }) => owner))];
    const named = owners.map((owner) => `${owner}'s ${thingsOf(owner).join(", ")}`);
    super(
      `This Stripe account has ${named.join(" and ")}, and this clone's product is ${product}: take another account, or a sandbox of its own. If the product has a new name, say -- --renamed. Nothing was changed.`,
    );
  }
}

/** A price has a lookup key of this config's, and isn't Foyer's. */
export class ForeignPriceError extends Error {
  constructor(prices: string[]) {
    super(
      `This Stripe account sells something else with the lookup key of a plan: ${prices.join(", ")}. Change that key there, or take another account, or a sandbox of its own. Nothing was changed.`,
    );
  }
}

/** The key that the Worker was to get isn't one for this account. */
export class WorkerKeyError extends Error {
  constructor(why: string) {
    super(`The key in WORKER_STRIPE_SECRET_KEY ${why.replace(/\.?$/, ".")} The Worker's secrets are as they were.`);
  }
}

/** Whether the error's own message says what went wrong. */
export function isSaid(error: unknown): error is Error {
  return [SetUpError, StoreError, OtherProductError, ForeignPriceError, WorkerKeyError].some(
    (kind) => error instanceof kind,
  );
}

/** What went wrong and what to do, in a sentence or two; with the request's reference if there is one. */
export function messageOf(error: unknown, where: string): string {
  if (!isSaid(error)) throw error;
  if (!(error instanceof SetUpError)) return error.message;
  const { cause, message: thing } = error;
  if (!(cause instanceof Stripe.errors.StripeError)) throw cause;
  const reference = cause.requestId ? ` (request ${cause.requestId})` : "";
  const isUnreached = cause instanceof Stripe.errors.StripeConnectionError;
  return `${isUnreached ? "Stopped" : "Stripe refused"} at ${thing}: ${sentence(cause, where)}${reference}\nRun this again: what is done stays, and it continues from there.`;
}

function sentence(error: Stripe.errors.StripeError, where: string): string {
  const { errors } = Stripe;
  if (error instanceof errors.StripeAuthenticationError)
    return `it doesn't know the key in STRIPE_SECRET_KEY. ${error.message}`;
  if (error instanceof errors.StripePermissionError)
    return `the key may not do this. A restricted key needs write access to products, prices, webhook endpoints and the customer portal. ${error.message}`;
  if (error instanceof errors.StripeConnectionError) {
    const isLocal = where.startsWith("http:");
    return `${where} can't be reached. ${isLocal ? "It runs while npm start does." : error.message}`;
  }
  if (error instanceof errors.StripeRateLimitError) return `too many requests at once. Wait a minute. ${error.message}`;
  if (error instanceof errors.StripeIdempotencyError)
    return `another run with other values is under way, or was within the last 24 hours. ${error.message}`;
  if (error instanceof errors.StripeInvalidRequestError)
    return `${error.message}${error.param ? ` It is about ${error.param}.` : ""}`;
  return `something broke there, not here. ${error.message}`;
}
