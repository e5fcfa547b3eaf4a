import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { chargeMinOf } from "../../money/currencies.ts";
import { newId } from "../../ids.ts";
import { formatAmount } from "../../money/money.ts";
import type { NewSession } from "../../objects/checkout/checkout-form.ts";
import { newCheckoutSession } from "../../objects/checkout/checkout-session-shape.ts";
import { discountOf } from "../../objects/catalogue/coupons.ts";
import { refer } from "../../objects/demand.ts";
import { type Purchase, type Redeemable, redeemableFor } from "../../objects/catalogue/redemption.ts";
import { priceSession } from "./price-session.ts";
import { productName } from "../../objects/catalogue/products.ts";
import { invalid, missingParameter } from "../../http/stripe-errors.ts";

interface Offer {
  price: Stripe.Price;
  quantity: number;
}

export function openCheckoutSession(tx: Transaction, input: NewSession): Stripe.Checkout.Session {
  if (input.mode === undefined) throw missingParameter("mode");
  if (input.mode !== "subscription")
    throw invalid("The local Stripe opens checkout sessions in subscription mode only.", { param: "mode" });
  const customer = refer(tx, "customer", input.customer, "customer");
  const offers = offersOf(tx, input);
  const currency = offers[0]?.price.currency ?? "";
  if (input.isTaxed && customer.address?.country == null && !input.saves.address) {
    throw invalid(
      "Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set `customer_update[address]` to 'auto' to save the address entered in Checkout to the Customer.",
      { code: "customer_tax_location_invalid" },
    );
  }
  if (input.taxId?.isAsked === true && !input.saves.name) {
    throw invalid(
      "Tax ID collection requires updating business name on the customer. To enable tax ID collection for an existing customer, please set `customer_update[name]` to `auto`.",
    );
  }
  const subtotal = offers.reduce((sum, { price, quantity }) => sum + (price.unit_amount ?? 0) * quantity, 0);
  const redeemable = redeemableIn(tx, input, { customer: customer.id, currency, subtotal });
  const discount = redeemable === null ? 0 : discountOf(redeemable.coupon, subtotal, currency);
  requireChargeable(subtotal - discount, currency);
  const session = newCheckoutSession(tx, input, customer, { currency, subtotal });
  tx.store.put("checkout_session", session, customer.id);
  tx.store.put("line_items", { id: `line_items_of_${session.id}`, data: lineItems(tx, offers) });
  tx.store.put("checkout_progress", {
    id: `progress_of_${session.id}`,
    customer: customer.id,
    payment_intent: null,
    card_awaiting_action: null,
    bank_debit_end: null,
    saves_name: input.saves.name,
    saves_address: input.saves.address,
    subscription_metadata: input.subscriptionData?.metadata ?? {},
    subscription_description: input.subscriptionData?.description ?? null,
  });
  tx.clock.setTimer("session-expires", session.id, session.expires_at);
  return priceSession(tx, session, discount);
}

/** A total of zero needs no payment; any other must reach Stripe's minimum charge. */
function requireChargeable(total: number, currency: string): void {
  const least = chargeMinOf(currency);
  if (total === 0 || total >= least) return;
  throw invalid(
    `The Checkout Session's total amount due must add up to at least ${formatAmount(least, currency)} ${currency}`,
    { code: "amount_too_small" },
  );
}

function offersOf(tx: Transaction, input: NewSession): Offer[] {
  if (input.lineItems.length === 0) throw missingParameter("line_items");
  const offers = input.lineItems.map(({ price, quantity }, index) => ({
    price: refer(tx, "price", price, `line_items[${index}][price]`),
    quantity,
  }));
  for (const [index, { price, quantity }] of offers.entries()) {
    const param = `line_items[${index}][price]`;
    if (!price.active)
      throw invalid(`The price specified is inactive. This field only accepts active prices.`, { param });
    if (price.recurring === null) throw invalid("The local Stripe sells recurring prices only.", { param });
    if (price.currency !== offers[0]?.price.currency)
      throw invalid("All prices on a Checkout Session must have the same currency.", { param });
    if (quantity < 1)
      throw invalid("This value must be greater than or equal to 1.", {
        code: "parameter_invalid_integer",
        param: `line_items[${index}][quantity]`,
      });
  }
  return offers;
}

function redeemableIn(
  tx: Transaction,
  { discounts, allowPromotionCodes }: NewSession,
  purchase: Purchase,
): Redeemable | null {
  const [input] = discounts;
  if (input === undefined) return null;
  if (discounts.length > 1) throw invalid("You can only specify one discount.", { param: "discounts" });
  if (allowPromotionCodes !== null)
    throw invalid("You may only specify one of these parameters: allow_promotion_codes, discounts.");
  return redeemableFor(tx, input, purchase, "discounts[0]");
}

/** Before discounts and taxes. */
const lineItems = (tx: Transaction, offers: Offer[]): Stripe.LineItem[] =>
  offers.map(({ price, quantity }) => {
    const subtotal = (price.unit_amount ?? 0) * quantity;
    return {
      id: newId("li", 14),
      object: "item",
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: subtotal,
      amount_tax: 0,
      amount_total: subtotal,
      currency: price.currency,
      description: productName(tx, price),
      metadata: {},
      price,
      quantity,
    };
  });
