import type Stripe from "stripe";

export declare const WEBHOOK_EVENTS: string[];

export declare function setUpStripe(options: {
  stripe: Stripe;
  product: string;
  plans: readonly { id: string; name: string; prices: Readonly<Record<string, { amountMinor: number }>> | null }[];
  currency: string;
  webhookUrl: string;
  log: (line: string) => void;
}): Promise<void>;
