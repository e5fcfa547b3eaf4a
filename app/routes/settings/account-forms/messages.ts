import { nameLengthMax } from "#app/modules/accounts/rules.ts";
import type { Messages } from "#app/core/messages.ts";
import { assertNever } from "#app/core/result.ts";
import type { CloseAccountRefusal, RestoreRefusal } from "#app/modules/closing/rules.ts";
import type { EndBillingRefusal } from "#app/modules/billing/sync/commands/end-billing.server.ts";

const en = {
  /** The button that changes the address. The suggestion of another domain mentions it, too. */
  changeAddress: "Change address",
  problems: {
    "name-missing": "Enter a name, or leave the field empty.",
    "name-too-long": `Enter a name of up to ${nameLengthMax} characters.`,
    "locale-unknown": "Choose a format from the list.",
    "session-unknown": "That browser is already signed out.",
    "email-missing": "Enter the new address.",
    "email-malformed": "Enter a full email address, like name@example.com.",
    "same-address": "Your account already uses this address.",
    "time-zone-unknown": "Choose a time zone from the list.",
  },
};

export const accountMessages: Messages<typeof en> = { en };

const closingRefusalTexts = {
  trouble: "That didn't work",
  refusals: {
    "account-closed": "Your account is closed. Restore it first, then try again.",
    "not-closed": "Your account isn't closed, so there's nothing to restore.",
    "restore-too-late": "You can no longer restore this account.",
    "payment-in-process":
      "A payment is being processed and can't be stopped, so your account wasn't closed. Try again once the payment has arrived or failed; we'll email you then.",
    "not-on-sale":
      "We can't end your plan with Stripe at the moment, so your account wasn't closed. Try again later, or contact us.",
    "provider-unreachable": "Stripe isn't responding, so your account wasn't closed. Try again in a minute.",
    "provider-refused": "Stripe didn't end your plan, so your account wasn't closed. Try again, or contact us.",
  },
};

export const closingRefusalMessages: Messages<typeof closingRefusalTexts> = { en: closingRefusalTexts };

export type AccountClosingRefusal = Exclude<
  CloseAccountRefusal | RestoreRefusal | EndBillingRefusal,
  { reason: "proof-stale" }
>;

/** The response's status: a conflict with the current state, or an unavailable third-party service without which billing can't be ended. */
export function accountClosingRefusalStatus(refusal: AccountClosingRefusal): number {
  switch (refusal.reason) {
    case "account-closed":
    case "not-closed":
    case "restore-too-late":
    case "payment-in-process":
      return 409;
    case "not-on-sale":
    case "provider-unreachable":
    case "provider-refused":
      return 503;
    default:
      return assertNever(refusal);
  }
}
