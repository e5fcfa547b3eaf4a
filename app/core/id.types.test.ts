import type Stripe from "stripe";
import { expectTypeOf, test } from "vitest";
import { idOf } from "#app/integrations/stripe/fields.ts";
import type { ProviderSubscription } from "#app/integrations/stripe/read-subscription.ts";
import type { DiscountInput, PaymentProvider } from "#app/integrations/stripe/payment-provider.ts";
import type { CheckoutInput } from "#app/integrations/stripe/payments/checkout.ts";
import type { openChange } from "#app/modules/billing/orders/changes.queries.server.ts";
import type { findOrder } from "#app/modules/billing/orders/queries.server.ts";
import type { closeLine } from "#app/modules/billing/credit/queries.server.ts";
import type { findEmail } from "#app/modules/email/queries.server.ts";
import type { codeConsumed } from "#app/modules/accounts/codes/queries.server.ts";
import type { hasRoom } from "#app/modules/accounts/passkeys/queries.server.ts";
import type { findUse } from "#app/modules/accounts/codes/quota-uses.queries.server.ts";
import {
  type AccountId,
  type DeviceId,
  type EmailId,
  type LedgerLineId,
  networkUseId,
  type NetworkUseId,
  newId,
  type OrderId,
  type QuotaUseId,
  readId,
  type ReferralId,
  type SessionId,
} from "./id.ts";
import type { ChargeId, CustomerId, InvoiceId, PaymentIntentId, PriceId, SubscriptionId } from "./stripe/ids.ts";

/** Checked by the compiler: `npm run check` fails when one of these lines compiles that mustn't. */
test("ids of one kind can't be passed as another", () => {
  const order: OrderId = "ord_1";
  const account: AccountId = "acc_1";
  const find: (...given: Parameters<typeof findOrder>) => void = () => undefined;
  const db = {} as Parameters<typeof findOrder>[0];
  find(db, order, account);
  // @ts-expect-error: swapped.
  find(db, account, order);
  // @ts-expect-error: text from outside, which `readId` reads.
  find(db, String(order), account);
  expectTypeOf<DeviceId>().not.toEqualTypeOf<SessionId>();
  expectTypeOf<LedgerLineId>().not.toExtend<Parameters<typeof findEmail>[1]>();
  expectTypeOf<EmailId>().not.toExtend<Parameters<typeof closeLine>[1]>();
  expectTypeOf<AccountId>().not.toExtend<Parameters<typeof findUse>[1]>();
  expectTypeOf<QuotaUseId>().not.toExtend<AccountId>();
  expectTypeOf<OrderId>().not.toExtend<Parameters<typeof codeConsumed>[1]>();
  expectTypeOf<AccountId>().not.toExtend<Parameters<typeof hasRoom>[1]>();
  expectTypeOf<QuotaUseId>().not.toExtend<ReferralId>();
  expectTypeOf<NetworkUseId>().not.toExtend<AccountId>();
  const use = networkUseId(account);
  // @ts-expect-error: swapped.
  find(db, order, use);
  // @ts-expect-error: made by `networkUseId` alone, from an account's or a referral's id.
  const handmade: QuotaUseId = "acc_1.network";
  void handmade;
  // @ts-expect-error: swapped.
  networkUseId(order);
  expectTypeOf<SessionId>().not.toExtend<OrderId>();
  expectTypeOf(newId("ord", (count) => new Uint8Array(count))).toEqualTypeOf<OrderId>();
  expectTypeOf(readId("acc", "")).toEqualTypeOf<AccountId | null>();
});

test("Stripe ids of one kind can't be passed as another, and the kind follows from Stripe's own type", () => {
  expectTypeOf<CustomerId>().not.toExtend<Parameters<PaymentProvider["endSubscription"]>[0]>();
  expectTypeOf<SubscriptionId>().not.toExtend<Parameters<PaymentProvider["fetchBilling"]>[0]>();
  expectTypeOf<InvoiceId>().not.toExtend<Parameters<PaymentProvider["isCheckoutOpen"]>[0]>();
  expectTypeOf<PriceId>().not.toExtend<InvoiceId>();
  expectTypeOf<PaymentIntentId>().not.toExtend<ChargeId>();
  expectTypeOf<OrderId>().not.toExtend<Parameters<typeof openChange>[2]>();
  expectTypeOf<string>().not.toExtend<InvoiceId>();
  const invoice = { id: "in_1", object: "invoice", customer: "cus_1" } as Pick<
    Stripe.Invoice,
    "id" | "object" | "customer"
  >;
  expectTypeOf(idOf(invoice)).toEqualTypeOf<InvoiceId>();
  expectTypeOf(idOf(invoice.customer)).toEqualTypeOf<CustomerId | null>();
});

test("our ids can't be swapped with each other in calls to Stripe", () => {
  expectTypeOf<CheckoutInput["orderId"]>().toEqualTypeOf<OrderId>();
  expectTypeOf<CheckoutInput["accountId"]>().toEqualTypeOf<AccountId>();
  expectTypeOf<DiscountInput["referralId"]>().toEqualTypeOf<ReferralId>();
  expectTypeOf<ProviderSubscription["orderId"]>().toEqualTypeOf<OrderId | null>();
});
