import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { chargeMinOf } from "../../money/currencies.ts";
import { newId } from "../../ids.ts";
import { formatAmount } from "../../money/money.ts";
import type { NewSession } from "../../objects/checkout/checkout-form.ts";
import { newCheckoutSession } from "../../objects/checkout/checkout-session-shape.ts";
import { discountOf } from "../../objects/catalogue/coupons.ts";
import { refer } from "../../objects/demand.ts";
import { inclusiveTax } from "../../objects/invoices/invoice-lines.ts";
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
  const coupon = couponOf(tx, input, currency);
  const isLocated = customer.address?.country != null;
  if (input.isTaxed && !isLocated && !input.saves.address) {
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
  const discount = coupon === null ? 0 : discountOf(coupon, subtotal, currency);
  requireChargeable(subtotal - discount, currency);
  const session = newCheckoutSession(tx, input, customer, { currency, subtotal, discount });
  tx.store.put("checkout_session", session, customer.id);
  tx.store.put("line_items", {
    id: `line_items_of_${session.id}`,
    data: lineItems(tx, offers, discount, input.isTaxed && isLocated),
  });
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
  return session;
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

function couponOf(
  tx: Transaction,
  { discounts, allowPromotionCodes }: NewSession,
  currency: string,
): Stripe.Coupon | null {
  const [id] = discounts;
  if (id === undefined) return null;
  if (discounts.length > 1) throw invalid("You can only specify one discount.", { param: "discounts" });
  if (allowPromotionCodes !== null)
    throw invalid("You may only specify one of these parameters: allow_promotion_codes, discounts.");
  const coupon = refer(tx, "coupon", id, "discounts[0][coupon]");
  const isOver = coupon.redeem_by !== null && coupon.redeem_by < tx.clock.now();
  if (!coupon.valid || isOver)
    throw invalid(`Coupon ${id} is expired.`, { code: "coupon_expired", param: "discounts[0][coupon]" });
  if (coupon.currency !== null && coupon.currency !== currency)
    throw invalid(`The coupon's currency (${coupon.currency}) doesn't match the session's (${currency}).`, {
      param: "discounts[0][coupon]",
    });
  return coupon;
}

const lineItems = (tx: Transaction, offers: Offer[], discount: number, isTaxed: boolean): Stripe.LineItem[] => {
  let discountLeft = discount;
  return offers.map(({ price, quantity }) => {
    const subtotal = (price.unit_amount ?? 0) * quantity;
    const off = Math.min(discountLeft, subtotal);
    discountLeft -= off;
    return {
      id: newId("li", 14),
      object: "item",
      adjustable_quantity: null,
      amount_discount: off,
      amount_subtotal: subtotal,
      amount_tax: isTaxed ? inclusiveTax(subtotal - off).amount : 0,
      amount_total: subtotal - off,
      currency: price.currency,
      description: productName(tx, price),
      metadata: {},
      price,
      quantity,
    };
  });
};
