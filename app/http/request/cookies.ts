import { enteredCookieMs, flashCookieMs } from "#app/core/cookie-lives.ts";
import { sessionAbsoluteMs } from "#app/modules/accounts/rules.ts";
import { operatorCookieMs } from "#app/modules/operators/operator-cookie.rules.ts";
import { knownBrowserMs } from "#app/modules/accounts/codes/rules.ts";
import type { CancellationId } from "#app/core/id.ts";
import { declarationShownMs } from "#app/modules/billing/cancellations/cancellations.rules.ts";
import { secondMs } from "#app/core/time/time.ts";
import { base64urlToText, textToBase64url } from "#app/core/text/base64url.ts";

/**
 * Every cookie except the visit's (app/integrations/kv) and a failed request's reference (entry.server, early-errors). `__Host-`: Secure,
 * path /, no domain, so no other host can set one. They contain random tokens whose hashes are in the database, a word that means
 * nothing elsewhere, or the address just typed in this browser.
 */
const names = {
  /** The session token, its account's id and an HMAC of both under `CODE_PEPPER`. `sessionAbsoluteMs`. */
  session: "__Host-session",
  /** A random token that binds emailed codes to this browser. `knownBrowserMs`. */
  browser: "__Host-browser",
  /** One word: the message to show on the next page. `flashCookieMs`. */
  flash: "__Host-flash",
  /** The email address just entered on a page that emails it, for the page that says where the email went. `enteredCookieMs`. */
  entered: "__Host-entered",
  /** The id of the cancellation that this browser just declared, for the page that shows it. `declarationShownMs`. */
  cancelled: "__Host-cancelled",
  /** `1` in a browser that just declared a withdrawal, for the page that says so. `declarationShownMs`. */
  withdrawn: "__Host-withdrawn",
  /** When it expires, and an HMAC of that and `OPERATOR_TOKEN` under `CODE_PEPPER`: shows the steps to a first payment. `operatorCookieMs`. */
  operator: "__Host-operator",
  /** `light` or `dark`. `knownBrowserMs`. */
  theme: "__Host-theme",
  /** `passkey`: what was offered in this browser and declined. `knownBrowserMs`. */
  declined: "__Host-declined",
} as const;

/** The maximum age that browsers allow a cookie. */
const browserSeconds = knownBrowserMs / secondMs;

export function readCookie(request: Request, cookie: keyof typeof names): string | null {
  const prefix = `${names[cookie]}=`;
  const found = (request.headers.get("Cookie") ?? "").split("; ").find((pair) => pair.startsWith(prefix));
  const value = found?.slice(prefix.length) ?? "";
  return /^[\w.-]{1,200}$/.test(value) ? value : null;
}

export function sessionCookie(pass: string): string {
  return serialize("session", pass, sessionAbsoluteMs / secondMs);
}

export function browserCookie(token: string): string {
  return serialize("browser", token, browserSeconds);
}

/** A flash message for the next page: a key that the page looks up, never text. */
export function flashCookie(word: string): string {
  return serialize("flash", word, flashCookieMs / secondMs);
}

export function enteredAddressCookie(address: string): string {
  return serialize("entered", textToBase64url(address), enteredCookieMs / secondMs);
}

/** The address in `enteredAddressCookie`. Null if it has expired, or if the address was too long to store. */
export function readEnteredAddress(request: Request): string | null {
  const encoded = readCookie(request, "entered");
  return encoded === null ? null : base64urlToText(encoded);
}

export function cancelledCookie(id: CancellationId): string {
  return serialize("cancelled", id, declarationShownMs / secondMs);
}

export function withdrawnCookie(): string {
  return serialize("withdrawn", "1", declarationShownMs / secondMs);
}

export function themeCookie(theme: string): string {
  return serialize("theme", theme, browserSeconds);
}

/** A passkey was offered here and declined. */
export function declinedCookie(): string {
  return serialize("declined", "passkey", browserSeconds);
}

/** `Strict`, so that no other site's link or form sends it. */
export function operatorCookie(value: string): string {
  return serialize("operator", value, operatorCookieMs / secondMs, "Strict");
}

export function endedCookie(cookie: keyof typeof names): string {
  return serialize(cookie, "", 0);
}

function serialize(
  cookie: keyof typeof names,
  value: string,
  maxAgeSeconds: number,
  sameSite: "Lax" | "Strict" = "Lax",
): string {
  return `${names[cookie]}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=${sameSite}`;
}
