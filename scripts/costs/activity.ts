/** What a customer is assumed to do in a month. Each assumption is an option of the command: `--visits 40`. */
export const assumptions = {
  visits: { value: 10, what: "visits of the home page a customer, those of people who don't sign up among them" },
  pages: { value: 6, what: "pages of the account that a customer opens" },
  "sign-ins": { value: 0.5, what: "sign-ins of a customer, each with an email" },
  "new-share": { value: 0.05, what: "share of the customers who signed up in the month" },
  "paying-share": { value: 0.5, what: "share of the customers who pay monthly" },
  devices: { value: 1.5, what: "devices of a paying customer" },
  checks: { value: 30, what: "times that a device asks what its owner may use" },
  reports: { value: 30, what: "reports of usage of a device" },
  events: { value: 8, what: "events of Stripe about a paying customer" },
  notices: { value: 1.2, what: "receipts and other emails of a paying customer" },
  kilobytes: { value: 20, what: "kB in the database of a customer, which grow with their orders" },
  price: { value: 6, what: "what a paying customer pays, in the currency of Stripe's fees" },
  "fee-percent": {
    value: 2.2,
    what: "Stripe's fees in percent: cards 1.5 and Billing 0.7 in the EEA (https://stripe.com/pricing)",
  },
  "fee-fixed": { value: 0.25, what: "Stripe's fixed fee of a payment" },
} as const satisfies Record<string, { value: number; what: string }>;

export type Activity = Record<keyof typeof assumptions, number>;

export const assumedActivity = Object.fromEntries(
  Object.entries(assumptions).map(([name, { value }]) => [name, value]),
) as Activity;
