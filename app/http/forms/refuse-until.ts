import { data } from "react-router";
import { secondsUntil } from "#app/core/time/time.ts";
import type { SendRefusal } from "#app/modules/accounts/codes/rules.ts";
import { refusalMessages } from "./form-refusal.messages.ts";
import { quotaRefusalMessages } from "./quota-refusal.messages.ts";

type Refusal = { reason: SendRefusal["reason"]; retryAt: number };

/** 429 with the seconds to wait, in the header and for the page. */
export function refuseUntil<Refused extends Refusal>(refusal: Refused, now: number) {
  const waiting = sayWait(refusal, now);
  return data(waiting, { status: 429, headers: { "Retry-After": String(waiting.seconds) } });
}

/** A used-up quota as pages show it: `seconds` to wait, and the sentence. */
export function sayWait<Refused extends Refusal>(refusal: Refused, now: number) {
  const seconds = secondsUntil(refusal.retryAt, now);
  const text = quotaRefusalMessages.en[refusal.reason](refusalMessages.en.wait(seconds));
  return { ...refusal, seconds, text };
}
