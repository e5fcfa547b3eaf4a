import type { CustomerId } from "#app/core/stripe/ids.ts";
import type Stripe from "stripe";
import type { Connection } from "./checkout.ts";
import { idOf } from "#app/integrations/stripe/fields.ts";

/**
 * The customer of a payment or a charge, or of a refund's or a dispute's charge. Null if it has none. Stripe has no call that takes any id,
 * so the prefix of the id that an operator entered decides which call to make.
 */
export async function findPayer({ stripe, within }: Connection, id: string): Promise<CustomerId | null> {
  const withCharge = { expand: ["charge"] };
  switch (id.slice(0, id.indexOf("_"))) {
    case "ch":
    case "py":
      return idOf((await stripe.charges.retrieve(id, {}, within())).customer);
    case "re":
    case "pyr":
      return payerOf((await stripe.refunds.retrieve(id, withCharge, within())).charge);
    // Disputes from earlier years have the second prefix.
    case "du":
    case "dp":
      return payerOf((await stripe.disputes.retrieve(id, withCharge, within())).charge);
    default:
      return idOf((await stripe.paymentIntents.retrieve(id, {}, within())).customer);
  }
}

function payerOf(charge: Stripe.Charge | string | null): CustomerId | null {
  return typeof charge === "object" ? idOf(charge?.customer ?? null) : null;
}
