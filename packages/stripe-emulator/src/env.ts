/** Bindings of this Worker. Written by hand: `wrangler types` describes the site's own configuration only. */
export interface EmulatorEnv {
  STRIPE_ACCOUNT: DurableObjectNamespace;
  SITE_ORIGIN: string;
  /** Signs every webhook. The site's STRIPE_WEBHOOK_SECRET has the same value. */
  WEBHOOK_SECRET: string;
  /** Set during a secret roll: webhooks then carry two signatures, as Stripe's do. */
  WEBHOOK_SECRET_PREVIOUS?: string;
  /** `unpaid` unless set to `canceled` or `past_due`: Stripe's setting for a subscription whose retries have all failed. */
  AFTER_LAST_RETRY?: string;
}
