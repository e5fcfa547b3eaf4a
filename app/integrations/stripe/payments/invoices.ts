import { type OrderId, readId } from "#app/core/id.ts";
import type { InvoiceId, PaymentIntentId, PriceId, SubscriptionId } from "#app/core/stripe/ids.ts";
import type Stripe from "stripe";
import { type BillingReason, type InvoiceState, invoiceStates } from "#app/core/stripe/states.ts";
import { sumMinor } from "#app/core/money/money.ts";
import { roundTax } from "#app/core/money/round-amount.ts";
import { balanceChange } from "#app/core/money/net-amount.ts";
import { type ProviderTaxes, readTaxes } from "./taxes.ts";
import { idOf, maybeMs, ms, readKnownValue } from "#app/integrations/stripe/fields.ts";

export type InvoiceLine = {
  description: string;
  quantity: number;
  priceId: PriceId | null;
  amountMinor: number;
  periodStartsAt: number;
  periodEndsAt: number;
};

/** An order's id and, once it is paid, its number: used to find it in Stripe's dashboard. */
export type InvoiceLabel = { orderId: OrderId | null; orderNumber: string | null };

export type ProviderInvoice = {
  id: InvoiceId;
  /** Stripe's own number, which it gives when the invoice is finalised. */
  number: string | null;
  state: InvoiceState;
  billingReason: BillingReason;
  /** The amount due after discount and credit, including tax. */
  amountMinor: number;
  taxMinor: number;
  taxes: ProviderTaxes | null;
  /** With what credit notes of Stripe's took off before it was paid. */
  discountMinor: number;
  /** Credit that was used. Negative if credit was added. */
  creditMinor: number;
  /** Carried over from an earlier charge that was too small to charge alone. Negative if an amount is carried to the next one. */
  carriedMinor: number;
  /** After discounts and Stripe's credit notes, before the customer's balance. */
  totalMinor: number;
  currency: string;
  createdAt: number;
  /** When it was finalised, an hour after its creation for a renewal; a draft's creation. */
  issuedAt: number;
  /** When Stripe finalises a draft automatically, an hour after creating it. Null if it isn't a draft, or stays one. */
  goesOutAt: number | null;
  paidAt: number | null;
  attempts: number;
  /** When Stripe next retries collecting it automatically. */
  nextTryAt: number | null;
  paymentIds: PaymentIntentId[];
  /** Our names for its order, as far as its metadata has them. */
  label: InvoiceLabel;
  subscriptionId: SubscriptionId | null;
  receiptUrl: string | null;
  /** `country` is its code (ISO 3166). */
  billedTo: { name: string | null; address: string[]; country: string | null; vatIds: string[] };
  lines: InvoiceLine[];
};

export function readInvoice(invoice: Stripe.Invoice): ProviderInvoice {
  const sum = (parts: { amount: number }[] | null | undefined) =>
    (parts ?? []).reduce((all, part) => all + part.amount, 0);
  const taxes = loweredTaxes(invoice);
  return {
    id: idOf(invoice),
    number: invoice.number,
    state: invoiceState(invoice.status),
    billingReason: billingReasonOf(invoice),
    ...amountsOf(invoice),
    taxMinor: taxes ? sumMinor(taxes.parts) : sum(invoice.total_taxes),
    taxes,
    discountMinor: sum(invoice.total_discount_amounts) + creditedMinor(invoice),
    totalMinor: invoice.total - creditedMinor(invoice),
    currency: invoice.currency.toUpperCase(),
    createdAt: ms(invoice.created),
    issuedAt: ms(invoice.status_transitions.finalized_at ?? invoice.created),
    goesOutAt: maybeMs(invoice.automatically_finalizes_at),
    paidAt: maybeMs(invoice.status_transitions.paid_at),
    attempts: invoice.attempt_count,
    nextTryAt: maybeMs(invoice.next_payment_attempt),
    paymentIds: (invoice.payments?.data ?? []).flatMap(({ payment }) => idOf(payment.payment_intent) ?? []),
    label: { orderId: readId("ord", invoice.metadata?.order), orderNumber: invoice.metadata?.number ?? null },
    subscriptionId: idOf(invoice.parent?.subscription_details?.subscription),
    receiptUrl: invoice.hosted_invoice_url ?? null,
    billedTo: {
      name: invoice.customer_name,
      address: addressLines(invoice.customer_address),
      country: invoice.customer_address?.country ?? null,
      vatIds: (invoice.customer_tax_ids ?? []).flatMap((taxId) => taxId.value ?? []),
    },
    lines: invoice.lines.data.map((line) => ({
      description: line.description ?? "",
      quantity: line.quantity ?? 1,
      priceId: idOf(line.pricing?.price_details?.price),
      amountMinor: line.amount,
      periodStartsAt: ms(line.period.start),
      periodEndsAt: ms(line.period.end),
    })),
  };
}

/**
 * The amount due, and what moved on the balance. Stripe may post credit with a checkout session before there is an invoice, and the
 * invoice's balances don't include it then. The part of a first invoice's total that neither they nor the payment explain was paid by
 * credit.
 */
function amountsOf(invoice: Stripe.Invoice): Pick<ProviderInvoice, "amountMinor" | "creditMinor" | "carriedMinor"> {
  const creditChange = balanceChange(-invoice.starting_balance, -endingBalance(invoice));
  if (invoice.billing_reason !== "subscription_create") return { amountMinor: invoice.amount_due, ...creditChange };
  const amountMinor = Math.min(invoice.amount_due, collected(invoice));
  return {
    ...creditChange,
    amountMinor,
    creditMinor: invoice.total - creditedMinor(invoice) + creditChange.carriedMinor - amountMinor,
  };
}

/** The taxes of what is left after Stripe's credit notes, in proportion. */
function loweredTaxes(invoice: Stripe.Invoice): ProviderTaxes | null {
  const taxes = readTaxes(invoice);
  const takenOffMinor = creditedMinor(invoice);
  if (!taxes || takenOffMinor === 0) return taxes;
  const totalMinor = invoice.total - takenOffMinor;
  const lower = (amountMinor: number) =>
    roundTax((amountMinor * totalMinor) / invoice.total, invoice.currency.toUpperCase());
  const parts = taxes.parts.map((part) => ({ ...part, amountMinor: lower(part.amountMinor) }));
  return { netMinor: totalMinor - sumMinor(parts), parts };
}

/** What the team took off an open invoice by a credit note of Stripe's. It lowers what is due, and neither the total nor its taxes. */
function creditedMinor(invoice: Stripe.Invoice): number {
  return invoice.pre_payment_credit_notes_amount;
}

/** What a paid invoice collected, by its payments. Infinity if that is unknown: for any other invoice, and for one without payments. */
function collected({ status, payments }: Stripe.Invoice): number {
  const paid = (payments?.data ?? []).filter((payment) => payment.status === "paid");
  if (status !== "paid" || paid.length === 0 || payments?.has_more === true) return Infinity;
  return paid.reduce((sum, { amount_paid: amount }) => sum + (amount ?? 0), 0);
}

/** Stripe's balance is what a customer owes, so credit is below zero; a draft or a preview has no ending balance. */
export function endingBalance({ ending_balance, starting_balance, total, amount_due }: Stripe.Invoice): number {
  return ending_balance ?? starting_balance + total - amount_due;
}

/** A written-off invoice isn't paid. If it is paid later anyway, Stripe reports it as paid. */
function invoiceState(status: Stripe.Invoice.Status | null): InvoiceState {
  return status === null || status === "uncollectible" ? "void" : readKnownValue(invoiceStates, status);
}

/**
 * A scheduled change to another interval may arrive as `subscription_update`, like an immediate one. It still counts as a renewal: a whole
 * period at its price, without proration.
 */
function billingReasonOf({ billing_reason: reason, lines }: Stripe.Invoice): BillingReason {
  const isProrated = lines.data.some(
    ({ parent }) =>
      (parent?.subscription_item_details?.proration ?? false) || (parent?.invoice_item_details?.proration ?? false),
  );
  const isPhase = reason === "subscription_update" && lines.data.length > 0 && !isProrated;
  return isPhase ? "renewal" : ((reason && byStripesReason[reason]) ?? "change");
}

const byStripesReason: Partial<Record<Stripe.Invoice.BillingReason, BillingReason>> = {
  subscription_create: "new-plan",
  subscription_cycle: "renewal",
  subscription_update: "change",
};

function addressLines(address: Stripe.Address | null): string[] {
  if (!address) return [];
  const town = [address.postal_code, address.city].filter(Boolean).join(" ");
  return [address.line1, address.line2, town, address.state].filter(
    (line): line is string => typeof line === "string" && line !== "",
  );
}
