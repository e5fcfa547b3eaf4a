/** What tests of a shop and its tools need to know of the emulator: test cards, texts of its pages, currencies, versions and signatures. */
export { PENDING_UPDATE_METHODS } from "./actions/subscriptions/pending-update-methods.ts";
export { SAMPLE_DETAILS } from "./actions/payments/collect-details.ts";
export { API_VERSION } from "./events/events.ts";
export { signPayload } from "./events/sign-payload.ts";
export { cardByNumber, DEBIT_FAILED, DECLINED, NOT_AUTHENTICATED, TEST_CARDS, type TestCard } from "./money/cards.ts";
export { chargeMinOf, CURRENCIES, digitsOf, stepOf } from "./money/currencies.ts";
export { CARD_LABELS } from "./pages/card-fields.ts";
export { BACK, payLabel } from "./pages/checkout-page.ts";
export { RETRY_AFTER_DAYS } from "./time/billing-times.ts";
