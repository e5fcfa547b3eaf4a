/**
 * The phases of a schedule as they are sent back. Stripe: "Any parameters that were previously set are unset for the existing phase", and
 * a change of the current phase is a change of the subscription. https://docs.stripe.com/billing/subscriptions/subscription-schedules
 */
import type Stripe from "stripe";
import { idOf } from "#app/integrations/stripe/fields.ts";

type Phase = Stripe.SubscriptionSchedule.Phase;
type PhaseInput = Stripe.SubscriptionScheduleUpdateParams.Phase;

/**
 * The current phase with all of its settings, except those that only Stripe writes and those that took effect when the phase began
 * (`add_invoice_items`, `billing_cycle_anchor`): sent again, they might take effect again.
 */
export function phaseInputOf(phase: Phase, subscription: Stripe.Subscription): PhaseInput {
  const { application_fee_percent, billing_thresholds, collection_method, description, metadata, trial_end } = phase;
  const { automatic_tax, default_tax_rates, invoice_settings, transfer_data } = phase;
  const receiver = idOf(phase.on_behalf_of);
  // A card chosen since the phase began is the subscription's own, or the customer's.
  const card = phase.default_payment_method === null ? null : idOf(subscription.default_payment_method);
  return {
    items: phase.items.map(itemInputOf),
    start_date: phase.start_date,
    proration_behavior: phase.proration_behavior,
    ...discountInputsOf(subscription),
    ...(application_fee_percent !== null && { application_fee_percent }),
    ...(automatic_tax && { automatic_tax: taxInputOf(automatic_tax) }),
    ...(billing_thresholds && { billing_thresholds: present(billing_thresholds) }),
    ...(collection_method !== null && { collection_method }),
    ...(card !== null && { default_payment_method: card }),
    ...(default_tax_rates &&
      default_tax_rates.length > 0 && { default_tax_rates: default_tax_rates.map(({ id }) => id) }),
    ...(description !== null && { description }),
    ...(invoice_settings && { invoice_settings: invoiceSettingsInputOf(invoice_settings) }),
    ...(metadata && { metadata }),
    ...(receiver !== null && { on_behalf_of: receiver }),
    ...(transfer_data && { transfer_data: transferInputOf(transfer_data) }),
    ...(trial_end !== null && { trial_end }),
  };
}

/**
 * Discounts belong to phases. Passed by id they continue unchanged for their remaining time; used-up ones aren't on the subscription any
 * more. They apply to the scheduled phase as well: a downgrade doesn't lose a coupon.
 */
export function discountInputsOf({ discounts }: Stripe.Subscription): Pick<PhaseInput, "discounts"> {
  const ids = discounts.flatMap((discount) => idOf(discount) ?? []);
  return ids.length > 0 ? { discounts: ids.map((discount) => ({ discount })) } : {};
}

function itemInputOf({ price, quantity, billing_thresholds, discounts, metadata, tax_rates }: Phase["items"][number]) {
  const own = discounts.flatMap((each) => idOf(each.discount) ?? []);
  return {
    price: idOf(price) ?? "",
    quantity: quantity ?? 1,
    ...(billing_thresholds?.usage_gte && { billing_thresholds: { usage_gte: billing_thresholds.usage_gte } }),
    ...(own.length > 0 && { discounts: own.map((discount) => ({ discount })) }),
    ...(metadata && Object.keys(metadata).length > 0 && { metadata }),
    ...(tax_rates && tax_rates.length > 0 && { tax_rates: tax_rates.map(({ id }) => id) }),
  };
}

function taxInputOf({ enabled, liability }: NonNullable<Phase["automatic_tax"]>) {
  return { enabled, ...(liability && { liability: partyInputOf(liability) }) };
}

function invoiceSettingsInputOf(settings: NonNullable<Phase["invoice_settings"]>) {
  const { account_tax_ids, custom_fields, days_until_due, description, footer, issuer } = settings;
  const ids = (account_tax_ids ?? []).flatMap((id) => idOf(id) ?? []);
  return {
    ...(ids.length > 0 && { account_tax_ids: ids }),
    ...(custom_fields && custom_fields.length > 0 && { custom_fields }),
    ...(days_until_due !== null && { days_until_due }),
    ...(description !== null && { description }),
    ...(footer !== null && { footer }),
    ...(issuer && { issuer: partyInputOf(issuer) }),
  };
}

function partyInputOf({ type, account }: { type: string; account?: string | Stripe.Account }) {
  const id = idOf(account);
  return { type, ...(id !== null && { account: id }) };
}

function transferInputOf({ destination, amount_percent }: NonNullable<Phase["transfer_data"]>) {
  return { destination: idOf(destination) ?? "", ...(amount_percent !== null && { amount_percent }) };
}

function present({ amount_gte, reset_billing_cycle_anchor }: NonNullable<Phase["billing_thresholds"]>) {
  return {
    ...(amount_gte !== null && { amount_gte }),
    ...(reset_billing_cycle_anchor !== null && { reset_billing_cycle_anchor }),
  };
}
