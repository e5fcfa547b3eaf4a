import { data } from "react-router";
import { passkeyProblemMessages } from "#app/client/passkey-refusal.messages.ts";
import { isPasskeyRefusal, type PasskeyRefusal, passkeyRefusalStatus } from "#app/http/forms/passkey-refusal.ts";
import {
  accountMessages,
  type AccountClosingRefusal,
  accountClosingRefusalStatus,
  closingRefusalMessages,
} from "./messages.ts";

/** The refusals of the account pages' commands, except an outdated re-authentication, which redirects to a new one. */
export type Refusal = AccountClosingRefusal | PasskeyRefusal | { reason: "session-unknown" };

/** A refusal as the page gets it, with its message. */
export type ShownAccountRefusal = { reason: Refusal["reason"]; title: string | undefined; text: string };

export function refuseAccountForm(refusal: Refusal) {
  const { status, ...shown } = sayAccountRefusal(refusal);
  return data<ShownAccountRefusal>({ reason: refusal.reason, ...shown }, { status });
}

function sayAccountRefusal(refusal: Refusal): Omit<ShownAccountRefusal, "reason"> & { status: number } {
  if (refusal.reason === "session-unknown") {
    return { status: 404, title: undefined, text: accountMessages.en.problems["session-unknown"] };
  }
  if (isPasskeyRefusal(refusal)) {
    const text = passkeyProblemMessages.en[refusal.reason];
    return { status: passkeyRefusalStatus(refusal), title: undefined, text };
  }
  const { trouble: title, refusals } = closingRefusalMessages.en;
  return { status: accountClosingRefusalStatus(refusal), title, text: refusals[refusal.reason] };
}
