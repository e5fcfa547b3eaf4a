import Stripe from "stripe";
import { handledEventTypes } from "#app/integrations/stripe/events.ts";
import { stripeApiVersion } from "#app/integrations/stripe/version.ts";
import { about, change, createOnce, say, type SetUp } from "./changes.ts";

export const API_VERSION = stripeApiVersion;

/** Sorted, as they are compared with an endpoint's. */
export const WEBHOOK_EVENTS = [...handledEventTypes].sort();

/** An endpoint that was just created: Stripe says its secret only once. `replaces` is the id of one to remove when it is stored. */
export type NewEndpoint = { id: string; secret: string; replaces: string | null };

/**
 * Sets up where Stripe sends its events. Returns the endpoint if it was just created. With `needsSecret`, an endpoint whose secret the
 * Worker doesn't have, or has to get with another key, is replaced. The emulator signs with the site's configured one.
 */
export function setUpWebhook(setUp: SetUp, origin: string, needsSecret = false): Promise<NewEndpoint | null> {
  const { webhookEndpoints } = setUp.stripe;
  const url = `${origin}/webhooks/stripe`;
  const label = `webhook endpoint ${url}`;
  return about(label, async () => {
    const [existing, ...more] = await listEndpoints(setUp.stripe, url);
    if (existing === undefined) return createEndpoint(setUp, url, label);
    if (needsSecret && more.length === 0) {
      return createEndpoint(setUp, url, `${label}, in place of ${existing.id}`, existing.id);
    }
    const isSame =
      existing.status === "enabled" && [...existing.enabled_events].sort().join() === WEBHOOK_EVENTS.join();
    if (isSame) say(setUp, "unchanged", label);
    else {
      const wanted = { enabled_events: WEBHOOK_EVENTS, disabled: false };
      await change(setUp, "updated", label, () => webhookEndpoints.update(existing.id, wanted));
    }
    if (existing.api_version !== API_VERSION) {
      say(
        setUp,
        "attention",
        `${label} has API version ${existing.api_version ?? "of the account"}, which can't be changed:`,
      );
      setUp.log(`           delete it in Stripe and run this again for ${API_VERSION}; it gets a new signing secret`);
    }
    if (more.length > 0) {
      const ids = [existing, ...more].map(({ id }) => id).join(", ");
      say(setUp, "attention", `${label} is there ${more.length + 1} times (${ids}): delete all but one in Stripe,`);
      const next = needsSecret
        ? "run this again: until then nothing is stored in the Worker"
        : "set the signing secret of the one that stays as STRIPE_WEBHOOK_SECRET";
      setUp.log(`           and ${next}`);
    }
    return null;
  });
}

/** Call once the Worker has the secret of the new endpoint: until then it takes events of this one, if it took any. */
export function removeReplaced({ stripe }: SetUp, id: string): Promise<void> {
  return about(`webhook endpoint ${id}`, async () => {
    await stripe.webhookEndpoints.del(id).catch((error: unknown) => {
      // A concurrent run was faster.
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    });
  });
}

/** Oldest first, since the site has that one's secret. */
export async function listEndpoints(stripe: Stripe, url: string): Promise<Stripe.WebhookEndpoint[]> {
  const found: Stripe.WebhookEndpoint[] = [];
  for await (const endpoint of stripe.webhookEndpoints.list({ limit: 100 })) {
    if (endpoint.url === url) found.unshift(endpoint);
  }
  return found;
}

async function createEndpoint(
  setUp: SetUp,
  url: string,
  label: string,
  replaces: string | null = null,
): Promise<NewEndpoint | null> {
  const { stripe } = setUp;
  const wanted = {
    url,
    enabled_events: WEBHOOK_EVENTS,
    api_version: API_VERSION,
    description: "Foyer",
  } satisfies Stripe.WebhookEndpointCreateParams;
  const made = await change(setUp, "created", label, () =>
    createOnce(
      wanted,
      replaces ?? "",
      (endpoint, options) => stripe.webhookEndpoints.create(endpoint, options),
      async ({ id }) => (await listEndpoints(stripe, url)).some((endpoint) => endpoint.id === id),
    ),
  );
  return made?.secret ? { id: made.id, secret: made.secret, replaces } : null;
}
