import { dayMs, minuteMs } from "./time/time.ts";

/** How long a browser keeps the cookies that no module's rules decide about; the privacy notice says it. */
export const flashCookieMs = minuteMs;
export const enteredCookieMs = 10 * minuteMs;
export const referenceCookieMs = minuteMs;
/** KV keeps the visit as long. */
export const visitCookieMs = 365 * dayMs;
