import { Stripe } from "stripe";

/** An event of the provider is only a hint: what it is about, and nothing that anybody may believe. */
export type ProviderEvent = { id: string; type: string; customerId: string | null };

/** Stripe's own tolerance for old signatures; the SDK accepts any from the future, we don't. */
const toleranceSeconds = 300;

/** The event, when one of our secrets signed it within the tolerance; null for anything else. */
export async function readEvent(
  stripe: Stripe,
  secrets: string,
  body: string,
  signature: string,
  nowMs: number,
): Promise<ProviderEvent | null> {
  const signedAt = Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1] ?? Number.NaN);
  if (!(signedAt <= nowMs / 1000 + toleranceSeconds)) return null;
  for (const secret of secrets.split(",")) {
    try {
      const event = await stripe.webhooks.constructEventAsync(
        body,
        signature,
        secret.trim(),
        toleranceSeconds,
        Stripe.createSubtleCryptoProvider(),
      );
      return { id: event.id, type: event.type, customerId: customerOf(event.data.object) };
    } catch {
      // Another secret may fit: during a roll there are two.
    }
  }
  return null;
}

function customerOf(object: Stripe.Event.Data.Object): string | null {
  if ("object" in object && object.object === "customer" && "id" in object) return String(object.id);
  if (!("customer" in object)) return null;
  const { customer } = object;
  if (typeof customer === "string") return customer;
  return typeof customer === "object" && customer !== null && "id" in customer ? String(customer.id) : null;
}
