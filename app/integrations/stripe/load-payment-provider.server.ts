import { isDemoId } from "#app/core/stripe/demo-ids.ts";
import type { ProviderRefusal } from "#app/core/stripe/provider-refusal.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import type { PaymentProvider } from "./payment-provider.ts";
import type { ProviderSettings } from "./payment-provider.server.ts";

/** The Stripe integration, whose SDK is loaded by the first call: it is 120 kB gzip, and most pages make no Stripe call. */
export function loadPaymentProvider(settings: ProviderSettings): PaymentProvider {
  return onFirstCall(async () => (await import("./payment-provider.server.ts")).openPaymentProvider(settings));
}

/** Stripe isn't asked about what it can't have. As its own answer would be: the object is missing, so deleting it does nothing. */
function answerAboutDemo(name: string | symbol): Result<null, ProviderRefusal> {
  return name === "deleteCustomer" ? done(null) : refused({ reason: "provider-refused", code: "resource_missing" });
}

/** In an argument or a field of one. */
function hasDemoId(argument: unknown): boolean {
  return typeof argument === "object" && argument !== null
    ? Object.values(argument).some(isDemoId)
    : isDemoId(argument);
}

function onFirstCall(load: () => Promise<PaymentProvider>): PaymentProvider {
  let loaded: Promise<PaymentProvider> | undefined;
  const provider = () => (loaded ??= load());
  const withOwnDeadline = () => onFirstCall(async () => (await provider()).withOwnDeadline());
  return new Proxy({ withOwnDeadline } as PaymentProvider, {
    get(target, name) {
      // Must not look like a promise when awaited.
      if (name === "then" || name in target) return Reflect.get(target, name);
      return async (...args: unknown[]) => {
        // The replacement of a demo customer is a customer at Stripe.
        if (name !== "createCustomer" && args.some(hasDemoId)) return answerAboutDemo(name);
        const real = await provider();
        return Reflect.apply(Reflect.get(real, name), real, args);
      };
    },
  });
}
