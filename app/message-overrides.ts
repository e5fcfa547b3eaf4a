import type { Messages, PartOf } from "#app/core/messages.ts";

/** Every messages file but those of app/product, which a team edits in place. */
type Files = [
  typeof import("#app/client/passkey-refusal.messages.ts"),
  typeof import("#app/http/forms/form-refusal.messages.ts"),
  typeof import("#app/http/page/flash.messages.ts"),
  typeof import("#app/http/page/social-picture.messages.ts"),
  typeof import("#app/http/request/visitor.messages.ts"),
  typeof import("#app/modules/catalogue/plan-names.messages.ts"),
  typeof import("#app/modules/email/messages/account-emails.messages.ts"),
  typeof import("#app/modules/email/messages/order-emails.messages.ts"),
  typeof import("#app/modules/email/messages/failures.messages.ts"),
  typeof import("#app/modules/email/messages/plan-emails.messages.ts"),
  typeof import("#app/modules/email/messages/product-emails.messages.ts"),
  typeof import("#app/modules/email/messages/receipt.messages.ts"),
  typeof import("#app/modules/email/messages/test-mode.messages.ts"),
  typeof import("#app/modules/email/messages/waitlist-emails.messages.ts"),
  typeof import("#app/modules/email/messages/withdrawal-emails.messages.ts"),
  typeof import("#app/plain-pages.messages.ts"),
  typeof import("#app/root.messages.ts"),
  typeof import("#app/routes/landing/change-plan.messages.ts"),
  typeof import("#app/routes/landing/under-way.messages.ts"),
  typeof import("#app/routes/legal/messages.ts"),
  typeof import("#app/routes/login/messages.ts"),
  typeof import("#app/routes/payment/messages.ts"),
  typeof import("#app/routes/payment/reasons.messages.ts"),
  typeof import("#app/routes/settings/account-forms/closing-refusal.messages.ts"),
  typeof import("#app/routes/settings/account-forms/messages.ts"),
  typeof import("#app/routes/settings/data/closing.messages.ts"),
  typeof import("#app/routes/settings/data/messages.ts"),
  typeof import("#app/routes/settings/devices/messages.ts"),
  typeof import("#app/routes/settings/devices/usage.messages.ts"),
  typeof import("#app/routes/settings/messages.ts"),
  typeof import("#app/routes/settings/notifications/messages.ts"),
  typeof import("#app/routes/settings/notifications/sent-emails.messages.ts"),
  typeof import("#app/routes/settings/orders/messages.ts"),
  typeof import("#app/routes/settings/orders/order/discount.messages.ts"),
  typeof import("#app/routes/settings/orders/order/messages.ts"),
  typeof import("#app/routes/settings/orders/receipt/messages.ts"),
  typeof import("#app/routes/settings/orders/state.messages.ts"),
  typeof import("#app/routes/settings/overview/attention.messages.ts"),
  typeof import("#app/routes/settings/overview/getting-started.messages.ts"),
  typeof import("#app/routes/settings/overview/messages.ts"),
  typeof import("#app/routes/settings/overview/plan.messages.ts"),
  typeof import("#app/routes/settings/plan/ask-reason.messages.ts"),
  typeof import("#app/routes/settings/first-payment.messages.ts"),
  typeof import("#app/routes/settings/plan/latest-orders.messages.ts"),
  typeof import("#app/routes/settings/plan/messages.ts"),
  typeof import("#app/routes/settings/plan/plan-ahead.messages.ts"),
  typeof import("#app/routes/settings/plan/refusals.messages.ts"),
  typeof import("#app/routes/settings/preferences/messages.ts"),
  typeof import("#app/routes/settings/profile/messages.ts"),
  typeof import("#app/routes/settings/referral/messages.ts"),
  typeof import("#app/routes/settings/security/messages.ts"),
  typeof import("#app/routes/settings/unconfirmed.messages.ts"),
  typeof import("#app/routes/settings/upgrade/change.messages.ts"),
  typeof import("#app/routes/settings/upgrade/messages.ts"),
  typeof import("#app/routes/signup/messages.ts"),
  typeof import("#app/routes/signup/sign-up-fields.messages.ts"),
  typeof import("#app/routes/verify/messages.ts"),
  typeof import("#app/routes/verify/verify-revert.messages.ts"),
  typeof import("#app/routes/waitlist/messages.ts"),
  typeof import("#app/routes/waitlist/entry.messages.ts"),
  typeof import("#app/routes/withdraw/messages.ts"),
];

/** What the files export, by name. */
type Exported = UnionToIntersection<Files[number]>;
type UnionToIntersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** A product's own texts: the name of a messages constant, the language, and any of its texts. */
export type MessageOverrides = {
  readonly [Name in keyof Exported as Exported[Name] extends Messages<object> ? Name : never]?: PartOf<Exported[Name]>;
};
