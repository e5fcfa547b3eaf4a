import { Stripe } from "stripe";

/** An event of the provider is only a hint: what it is about, and nothing that anybody may believe. */
export type ProviderEvent = { id: string; type: string; customerId: string | null; paymentId: string | null };

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
      const { object } = event.data;
      return {
        id: event.id,
        type: event.type,
        customerId: customerOf(object),
        paymentId: namedIn(object, "payment_intent"),
      };
    } catch {
      // Another secret may fit: during a roll there are two.
    }
  }
  return null;
}

function customerOf(object: Stripe.Event.Data.Object): string | null {
  const isCustomer = "object" in object && object.object === "customer" && "id" in object;
  return isCustomer ? String(object.id) : namedIn(object, "customer");
}

/** What an object refers to by a field, be it by its id or whole. */
function namedIn(object: Stripe.Event.Data.Object, field: string): string | null {
  const named: unknown = Reflect.get(object, field);
  if (typeof named === "string") return named;
  return typeof named === "object" && named !== null && "id" in named ? String(named.id) : null;
}
