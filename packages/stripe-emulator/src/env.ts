/** Bindings of the Worker. */
export interface EmulatorEnv {
  STRIPE_ACCOUNT: DurableObjectNamespace;
  SITE_ORIGIN: string;
  /** Signs every webhook: the shop has the same value. */
  WEBHOOK_SECRET: string;
  /** Set during a secret roll: webhooks then carry two signatures, as Stripe's do. */
  WEBHOOK_SECRET_PREVIOUS?: string;
  /** `unpaid` unless set to `canceled` or `past_due`: Stripe's setting for a subscription whose retries have all failed. */
  AFTER_LAST_RETRY?: string;
  /** Metadata keys with a comma between them, under which the shop stores its orders' names. */
  ORDER_KEYS?: string;
}
