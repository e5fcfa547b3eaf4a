import type { PaymentIntentId } from "#app/core/stripe/ids.ts";
import { callStripe } from "../call-stripe.ts";
import { idOf, ms } from "../fields.ts";
import type { PaymentProvider, ProviderFraudWarning } from "../payment-provider.ts";
import type { Connection } from "./checkout.ts";

export function fraudWarnings({ stripe, within }: Connection) {
  return {
    findFraudWarning: (payment_intent: PaymentIntentId) =>
      callStripe(async (): Promise<ProviderFraudWarning | null> => {
        const { data } = await stripe.radar.earlyFraudWarnings.list({ payment_intent, limit: 1 }, within());
        const [warning] = data;
        if (!warning) return null;
        const payment = { type: "payment_intent", payment_intent } as const;
        const [paid] = (await stripe.invoicePayments.list({ payment, limit: 1 }, within())).data;
        return {
          fraudType: warning.fraud_type,
          warnedAt: ms(warning.created),
          invoiceId: paid ? idOf<"invoice">(paid.invoice) : null,
        };
      }),
  } satisfies Partial<PaymentProvider>;
}
