import type { PaymentProvider } from "./payment-provider.ts";
import type { ProviderSettings } from "./payment-provider.server.ts";

/** The Stripe integration, whose SDK is loaded by the first call: it is 120 kB gzip, and most pages make no Stripe call. */
export function loadPaymentProvider(settings: ProviderSettings): PaymentProvider {
  return onFirstCall(async () => (await import("./payment-provider.server.ts")).openPaymentProvider(settings));
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
        const real = await provider();
        return Reflect.apply(Reflect.get(real, name), real, args);
      };
    },
  });
}
