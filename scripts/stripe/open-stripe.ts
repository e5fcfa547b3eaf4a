import Stripe from "stripe";
import type { Settings } from "./settings.ts";
import { API_VERSION } from "./webhook.ts";

/** Stripe, or the emulator at STRIPE_API_BASE. */
export function openStripe({ key, apiBase }: Pick<Settings, "key" | "apiBase">, maxNetworkRetries = 2): Stripe {
  const base = apiBase === "" ? null : new URL(apiBase);
  return new Stripe(key, {
    apiVersion: API_VERSION,
    telemetry: false,
    maxNetworkRetries,
    ...(base && {
      host: base.hostname,
      port: base.port || undefined,
      protocol: base.protocol === "http:" ? "http" : "https",
    }),
  });
}
