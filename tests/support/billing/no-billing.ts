import type { Billing } from "#app/app.ts";

/** What the payment provider says of a customer who never bought anything. */
export const noBilling: Billing = {
  isDeleted: false,
  email: null,
  invoiceFooter: null,
  creditMinor: 0,
  creditCurrency: null,
  subscriptions: [],
  invoices: [],
  checkouts: [],
  payments: [],
  charges: [],
  scheduledChanges: [],
  scheduleCards: [],
};
