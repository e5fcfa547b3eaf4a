import { data } from "react-router";
import { secondsUntil } from "#app/core/time/time.ts";

/** 429 with the seconds to wait, in the header and for the page. */
export function refuseUntil<Refusal extends { retryAt: number }>(refusal: Refusal, now: number) {
  const seconds = secondsUntil(refusal.retryAt, now);
  return data({ ...refusal, seconds }, { status: 429, headers: { "Retry-After": String(seconds) } });
}
