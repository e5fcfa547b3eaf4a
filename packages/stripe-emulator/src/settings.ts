/** What whoever starts the emulator chooses. */
export interface Settings {
  /** The shop's address, for links to it. */
  siteOrigin: string;
  /** Signs every webhook. */
  webhookSecret: string;
  /** Set during a secret roll: webhooks then carry two signatures, as Stripe's do. */
  webhookSecretPrevious: string;
  /** `canceled` or `past_due`; `unpaid` otherwise: Stripe's setting for a subscription whose retries have all failed. */
  afterLastRetry: string;
  /** The metadata keys under which the shop stores the names of its orders on Stripe's objects, so that control calls take them. */
  orderKeys: readonly string[];
}

export const defaultSettings: Settings = {
  siteOrigin: "http://localhost:3000",
  webhookSecret: "local-stripe-webhook-secret",
  webhookSecretPrevious: "",
  afterLastRetry: "unpaid",
  orderKeys: [],
};

/** `order,number`, as options and variables have it. */
export const readOrderKeys = (text: string): string[] =>
  text
    .split(",")
    .map((key) => key.trim())
    .filter((key) => key !== "");
