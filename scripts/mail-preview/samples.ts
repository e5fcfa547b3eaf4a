import { deviceEmailSamples } from "#app/features/devices/tools/emails.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { formatQuantity } from "#app/core/text/quantity.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import type { ReceiptFacts } from "#app/modules/email/receipt-facts.rules.ts";
import { monthlyPrice, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { waitlistSamples } from "#app/features/waitlist/tools/email-samples.ts";
import type { EmailSamples } from "../feature-tools.ts";
import { product } from "#app/product/config.ts";

const origin = "https://preview.example";
const url = `${origin}/settings`;
const offUrl = `${origin}/settings/notifications`;
const code = "40712836";
const verify = `${origin}/verify?request=req_0123456789abcdefghjkmnpqrs&code=${code}`;
const config: ProductConfig = product;
const paid = config.plans.filter(({ prices }) => prices !== null);
const [small = "", large = small] = paid.map(({ name }) => name);
const written = (amountMinor: number) => formatMoney({ amountMinor, currency: config.currency }, "en");
const monthlyMinor = monthlyPrice(paid[0] ?? { prices: null });
const amount = written(monthlyMinor);
const taxMinor = Math.round(monthlyMinor * (19 / 119));
const credit = written(config.referral.referrerCreditMinor);
const order = { what: `${product.name} ${small}`, amount, url: `${origin}/settings/orders` };
/** A month of the smaller plan with its tax, paid by a company. */
const itemised: ReceiptFacts = {
  kind: "invoice",
  corrects: null,
  number: "2026-000041",
  paid: "20 November 2026",
  lines: [{ what: `1 × ${order.what}`, period: { from: "20 Nov 2026", until: "20 Dec 2026" }, amount }],
  sums: [
    { what: "net", amount: written(monthlyMinor - taxMinor) },
    { what: "tax", name: "VAT", percent: "19%", amount: written(taxMinor) },
  ],
  renewsOn: "20 December 2026",
  total: amount,
  noTax: null,
  method: { name: "visa", last4: "4242" },
  seller: config.seller,
  buyer: {
    name: "Lindqvist Design AB",
    address: ["Storgatan 12", "111 51 Stockholm"],
    country: "SE",
    vatIds: ["SE556677889901"],
  },
};
const creditNote: ReceiptFacts = {
  ...itemised,
  kind: "credit-note",
  number: "CN-2026-000003",
  corrects: "2026-000041",
  paid: "22 November 2026",
  lines: itemised.lines.map((line) => ({ ...line, what: `Refund: ${line.what}` })),
};
const bought = { ...order, plan: small, receipt: itemised };
/** A change of plan that credit covered, without tax. */
const covered = {
  ...bought,
  amount: written(0),
  receipt: {
    ...itemised,
    lines: [
      { what: `Unused time on ${large}`, period: null, amount: written(300 - monthlyMinor) },
      { what: `Remaining time on ${order.what}`, period: { from: "20 Nov 2026", until: "20 Dec 2026" }, amount },
    ],
    sums: [
      { what: "total", amount: written(300) },
      { what: "credit", amount: written(-300) },
    ],
    total: written(0),
    noTax: { exemption: null },
    method: "none",
    buyer: { name: "mara@example.org", address: [], country: null, vatIds: [] },
  },
} satisfies Partial<Extract<EmailContent, { template: "receipt" }>>;
/** A team may charge no tax. */
const exempt = {
  ...bought,
  receipt: { ...itemised, sums: [], noTax: { exemption: "No VAT is charged under the scheme for small businesses." } },
};
const resent = { number: "2026-000041", paid: "20 November 2026" };
const wayOut = {
  withdrawUntil: "4 December 2026",
  withdrawUrl: `${origin}/withdraw?order=ord_0123456789abcdefghjkmnpqrs`,
};
const plan = { what: order.what, url: `${origin}/settings/${product.segment}/plan` };
/** A change to a plan paid by the month. */
const monthly = { isYearly: false, points: product.plans[0]?.points ?? [], lastDayOfData: null };
const next = { amount, nextCharge: "20 December 2026" };
/** A product may have no meters. */
const [meter = { label: "Things", limit: "devices", unit: "count" } as const] = config.meters;
const most = paid[0]?.limits[meter.limit] ?? 0;
const quantity = (value: number) => formatQuantity(value, meter.unit, "en");
const full = { what: meter.label, limit: quantity(most), url, offUrl };

/** Shown by `npm run mail:preview` and read by the tests. The compiler requires a sample of each template. */
export const samples: EmailSamples<EmailContent> = {
  code: [
    { template: "code", purpose: "sign-up", code, validMs: 600_000, url: verify },
    { template: "code", purpose: "sign-in", code, validMs: 600_000, url: verify },
    { template: "code", purpose: "change-email", code, validMs: 600_000, url: verify },
    { template: "code", purpose: "reauthentication", code, validMs: 600_000, url: verify },
  ],
  "has-account": [{ template: "has-account", code, validMs: 600_000, url: verify }],
  "no-account": [{ template: "no-account", url: `${origin}/signup` }],
  "address-wanted": [{ template: "address-wanted" }],
  "address-changed": [
    {
      template: "address-changed",
      to: "m•••@example.org",
      url: `${origin}/verify?revert=0123456789abcdefghjkmnpqrs0123456789abcdefghjkmnpqrs`,
      until: "27 November 2026, 14:05",
    },
  ],
  "address-held": [
    {
      template: "address-held",
      on: "20 November 2026",
      to: "m•••@example.org",
      url: `${origin}/verify?revert=0123456789abcdefghjkmnpqrs0123456789abcdefghjkmnpqrs`,
      until: "27 November 2026, 14:05",
    },
  ],
  "address-reverted": [
    { template: "address-reverted", to: "m•••@example.com", isCurrent: true },
    { template: "address-reverted", to: "m•••@example.com", isCurrent: false },
  ],
  "passkey-added": [{ template: "passkey-added", name: "Mara's laptop" }],
  "passkey-removed": [{ template: "passkey-removed", name: "Mara's laptop" }],
  "sessions-ended": [{ template: "sessions-ended", by: "Firefox on Linux in Germany", at: "20 November 2026, 14:05" }],
  "hundred-wrong-codes": [{ template: "hundred-wrong-codes", wrongCodes: 100, pauseMs: 86_400_000 }],
  "data-downloaded": [{ template: "data-downloaded", device: "Firefox on Linux" }],
  "account-closed": [
    { template: "account-closed", until: "4 December 2026, 14:05", plan: order.what, hasOpenWithdrawal: false, url },
    { template: "account-closed", until: "4 December 2026, 14:05", plan: null, hasOpenWithdrawal: true, url },
  ],
  restored: [{ template: "restored", plan: null, lastDayOfData: null, url }],
  "account-erased": [{ template: "account-erased" }],
  ...waitlistSamples,
  receipt: [
    { template: "receipt", ...bought, ...wayOut },
    { template: "receipt", ...covered, withdrawUntil: null, withdrawUrl: null },
    { template: "receipt", ...exempt, ...wayOut },
  ],
  "receipt-copy": [
    { template: "receipt-copy", ...bought, ...resent, backs: [], left: null, credits: [], ...wayOut },
    {
      template: "receipt-copy",
      ...bought,
      ...resent,
      left: written(0),
      withdrawUntil: null,
      withdrawUrl: null,
      backs: [
        { what: "friend-discount", number: "CN-2026-000002", on: "21 November 2026", amount: written(100) },
        { what: "refund", number: "CN-2026-000003", on: "22 November 2026", amount: written(200) },
        { what: "dispute-lost", number: "CN-2026-000004", on: "23 November 2026", amount: written(monthlyMinor - 300) },
      ],
      credits: [{ what: "credit", number: "CN-2026-000005", on: "23 November 2026", amount: credit }],
    },
  ],
  "payment-processing": [{ template: "payment-processing", ...order }],
  "payment-arrived": [{ template: "payment-arrived", ...bought, ...wayOut }],
  "payment-failed": [
    { template: "payment-failed", ...order, failure: "no-funds" },
    { template: "payment-failed", ...order, failure: null },
  ],
  "payment-action": [{ template: "payment-action", ...order }],
  refund: [
    { template: "refund", ...order, number: "2026-000041", planEnded: true, withdrawn: "20 November 2026", creditNote },
    { template: "refund", ...order, planEnded: false },
  ],
  "payment-mismatch": [
    {
      template: "payment-mismatch",
      ...order,
      asked: credit,
      isRefunded: true,
      isChange: false,
      endsOn: null,
      receipt: bought.receipt,
    },
    {
      template: "payment-mismatch",
      ...order,
      asked: credit,
      isRefunded: false,
      isChange: true,
      endsOn: null,
      receipt: bought.receipt,
    },
    {
      template: "payment-mismatch",
      ...order,
      asked: credit,
      isRefunded: false,
      isChange: true,
      endsOn: "December 24, 2026",
      receipt: bought.receipt,
    },
  ],
  "friend-discount": [{ template: "friend-discount", ...order, creditNote }],
  "friend-discount-review": [
    { template: "friend-discount-review", why: "payment-method", amount: order.amount, url: order.url },
    { template: "friend-discount-review", why: "domain", amount: order.amount, url: order.url },
    { template: "friend-discount-review", why: "provider", amount: order.amount, url: order.url },
  ],
  "friend-discount-refused": [
    { template: "friend-discount-refused", why: "known-mailbox", amount: order.amount, url: order.url },
    { template: "friend-discount-refused", why: "known-method", amount: order.amount, url: order.url },
    { template: "friend-discount-refused", why: "operator", amount: order.amount, url: order.url },
  ],
  "dispute-opened": [
    { template: "dispute-opened", ...order, pausesPlan: false },
    { template: "dispute-opened", ...order, pausesPlan: true },
  ],
  "dispute-won": [
    { template: "dispute-won", ...order, wasReturned: false },
    { template: "dispute-won", ...order, wasReturned: true },
  ],
  "dispute-lost": [
    { template: "dispute-lost", ...order, planEnded: true },
    { template: "dispute-lost", ...order, planEnded: false },
  ],
  "credit-note": [
    { template: "credit-note", ...order, why: "refund", creditNote },
    { template: "credit-note", ...order, why: "credit", creditNote },
    { template: "credit-note", ...order, why: "refund-returned", creditNote },
    { template: "credit-note", ...order, why: "dispute-won", creditNote },
  ],
  "withdrawal-acknowledged": [
    {
      template: "withdrawal-acknowledged",
      order: "2026-000041",
      by: { name: "Mara Example", email: "mara@example.org" },
      declared: "Friday, 20 November 2026, 14:05:12 CET",
      refundBy: "4 December 2026",
    },
    {
      template: "withdrawal-acknowledged",
      order: "2026-000041",
      by: null,
      declared: "Friday, 20 November 2026, 14:05:12 CET",
      refundBy: "4 December 2026",
    },
  ],
  "withdrawal-contested": [
    {
      template: "withdrawal-contested",
      order: "2026-000041",
      declared: "Friday, 20 November 2026, 14:05:12 CET",
      reason: "The 14-day withdrawal period ended on 4 November.",
      url: order.url,
    },
    {
      template: "withdrawal-contested",
      order: null,
      declared: "Friday, 20 November 2026, 14:05:12 CET",
      reason: "There is no order with this number.",
    },
  ],
  "withdrawal-unmatched": [{ template: "withdrawal-unmatched", declared: "Friday, 20 November 2026, 14:05:12 CET" }],
  "cancellation-received": [
    {
      template: "cancellation-received",
      declared: "Friday, 20 November 2026, 14:05:12 CET",
      kind: "ordinary",
      order: "2026-000041",
      endsOn: null,
    },
    {
      template: "cancellation-received",
      declared: "Friday, 20 November 2026, 14:05:12 CET",
      kind: "extraordinary",
      order: null,
      endsOn: "30 June 2027",
    },
  ],
  "cancellation-outcome": [
    {
      template: "cancellation-outcome",
      outcome: "planned",
      what: plan.what,
      declared: "20 November 2026",
      isSignedIn: false,
      day: "30 June 2027",
      url: plan.url,
    },
    {
      template: "cancellation-outcome",
      outcome: "planned",
      what: plan.what,
      declared: "20 November 2026",
      isSignedIn: true,
      day: null,
      url: plan.url,
    },
    {
      template: "cancellation-outcome",
      outcome: "already",
      what: plan.what,
      declared: "20 November 2026",
      isSignedIn: false,
      day: "20 December 2026",
      url: plan.url,
    },
    {
      template: "cancellation-outcome",
      outcome: "no-plan",
      what: null,
      declared: "20 November 2026",
      isSignedIn: false,
      day: null,
    },
  ],
  "cancellation-answered": [
    {
      template: "cancellation-answered",
      declared: "Friday, 20 November 2026, 14:05:12 CET",
      answer: "We found your contract by your name. It ends on 20 December 2026.",
    },
  ],
  "renewal-failed": [
    {
      template: "renewal-failed",
      ...plan,
      amount,
      nextTry: "22 November 2026",
      accessUntil: "4 December 2026",
      graceSpentDays: null,
      failure: "declined",
    },
    {
      template: "renewal-failed",
      ...plan,
      amount,
      nextTry: "11 December 2026",
      accessUntil: null,
      graceSpentDays: 180,
      failure: null,
    },
    {
      template: "renewal-failed",
      ...plan,
      amount,
      nextTry: null,
      accessUntil: null,
      graceSpentDays: null,
      failure: null,
    },
  ],
  "card-expiring": [
    {
      template: "card-expiring",
      ...plan,
      card: "Visa •••• 4242",
      expires: "November 2026",
      nextCharge: next.nextCharge,
    },
  ],
  "plan-locked": [{ template: "plan-locked", ...plan }],
  "plan-paused": [
    { template: "plan-paused", ...plan, cause: "trial-ended" },
    { template: "plan-paused", ...plan, cause: "requested" },
    { template: "plan-paused", ...plan, cause: "final-payment-failed" },
    { template: "plan-paused", ...plan, cause: "system" },
  ],
  "plan-duplicate": [
    {
      template: "plan-duplicate",
      ...plan,
      kept: `${product.name} ${large}`,
      refunded: amount,
      credited: amount,
      owed: null,
    },
    { template: "plan-duplicate", ...plan, kept: plan.what, refunded: null, credited: null, owed: null },
    { template: "plan-duplicate", ...plan, kept: plan.what, refunded: null, credited: null, owed: amount },
  ],
  "plan-unlocked": [
    { template: "plan-unlocked", ...plan, wasPaused: false },
    { template: "plan-unlocked", ...plan, wasPaused: true },
  ],
  "plan-changed": [
    {
      template: "plan-changed",
      from: `${product.name} ${small}`,
      to: `${product.name} ${large}`,
      ...monthly,
      isSmaller: false,
      ...next,
      url: plan.url,
    },
    {
      template: "plan-changed",
      from: `${product.name} ${large}`,
      to: `${product.name} ${small}`,
      ...monthly,
      isSmaller: true,
      ...next,
      url: plan.url,
    },
    {
      template: "plan-changed",
      from: plan.what,
      to: plan.what,
      ...monthly,
      isYearly: true,
      isSmaller: false,
      ...next,
      url: plan.url,
    },
  ],
  "downgrade-planned": [
    {
      template: "downgrade-planned",
      from: large,
      to: small,
      ...monthly,
      changes: next.nextCharge,
      url: plan.url,
    },
  ],
  "plan-ended": [
    { template: "plan-ended", ...plan, ended: next.nextCharge, lastDayOfData: null, why: "cancelled" },
    { template: "plan-ended", ...plan, ended: next.nextCharge, lastDayOfData: null, why: "unpaid" },
    { template: "plan-ended", ...plan, ended: next.nextCharge, lastDayOfData: null, why: null },
  ],
  "plan-cancelled": [
    {
      template: "plan-cancelled",
      ...plan,
      cancelled: "23 November 2026, 09:30",
      until: next.nextCharge,
      refundsRest: false,
      meanwhile: "active",
      isWithdrawn: false,
      lastDayOfData: null,
    },
    {
      template: "plan-cancelled",
      ...plan,
      cancelled: "23 November 2026, 09:30",
      until: next.nextCharge,
      refundsRest: false,
      meanwhile: "unpaid",
      isWithdrawn: false,
      lastDayOfData: null,
    },
    {
      template: "plan-cancelled",
      ...plan,
      cancelled: "23 November 2026, 09:30",
      until: next.nextCharge,
      refundsRest: true,
      meanwhile: "active",
      isWithdrawn: false,
      lastDayOfData: null,
    },
  ],
  "cancellation-undone": [{ template: "cancellation-undone", ...plan, ...next, isWithdrawn: false }],
  "renewal-notice": [
    { template: "renewal-notice", ...plan, ...next, hasMonthNotice: false, offUrl },
    { template: "renewal-notice", ...plan, ...next, hasMonthNotice: true, offUrl },
  ],
  "reward-earned": [{ template: "reward-earned", amount: credit, url: `${origin}/settings/referral`, offUrl }],
  "reward-reversed": [
    { template: "reward-reversed", cause: "money-back", amount: credit, url: `${origin}/settings/referral`, offUrl },
    { template: "reward-reversed", cause: "own-card", amount: credit, url: `${origin}/settings/referral`, offUrl },
  ],
  ...deviceEmailSamples,
  "usage-high": [{ template: "usage-high", ...full, used: quantity(most * 0.83) }],
  "usage-full": [{ template: "usage-full", ...full, used: quantity(most * 1.02) }],
};
