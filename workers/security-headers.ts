import { strictTransport } from "#app/modules/catalogue/https-only.rules.ts";
import { product } from "#app/product/config.ts";
import { VIOLATIONS_PATH } from "./monitoring/constants.ts";
import { settingsFromEnv } from "./monitoring/rules.ts";

/** Stands on every class of answer: HTML, data, redirect, 404, 405, 500, API, webhook. Static files have `public/_headers`. */
const always = {
  "Strict-Transport-Security": strictTransport(product),
  "X-Content-Type-Options": "nosniff",
  // Never no-referrer: browsers then send `Origin: null` with our own forms.
  "Referrer-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  "X-Frame-Options": "DENY",
};

/** Where Stripe's hosted pages live: a form's redirect to them counts as its action. */
const hostedOrigins = ["https://checkout.stripe.com", "https://billing.stripe.com"];

/** The answer with our headers. Whatever sets a cookie, or was asked for with a session, is kept by nobody. */
export function withSecurityHeaders(
  answer: Response,
  request: Request,
  env: { STRIPE_API_BASE: string; SENTRY_DSN?: string },
  nonce: string | null = null,
): Response {
  // A copy: the headers of a redirect and of a fetched answer are fixed.
  const secured = new Response(answer.body, answer);
  const { headers } = secured;
  for (const [name, value] of Object.entries(always)) headers.set(name, value);
  // What React Router streams to its own scripts is text, too, and doesn't say in which letters.
  const type = headers.get("Content-Type") ?? "";
  if (/^text\/[\w-]+$/.test(type)) headers.set("Content-Type", `${type}; charset=utf-8`);
  const isReported = settingsFromEnv(env).dsn !== null;
  headers.set("Content-Security-Policy", contentSecurityPolicy(nonce, env.STRIPE_API_BASE, isReported));
  if (isReported) headers.set("Reporting-Endpoints", `${reportGroup}="${VIOLATIONS_PATH}"`);
  const isPrivate = (request.headers.get("Cookie") ?? "").includes("__Host-session=") || headers.has("Set-Cookie");
  if (isPrivate || answer.status >= 400) headers.set("Cache-Control", "no-store");
  else if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-cache");
  return secured;
}

/** The name that the policy and `Reporting-Endpoints` share. Not "default", which would also get what isn't about the policy. */
const reportGroup = "policy";

function contentSecurityPolicy(nonce: string | null, localStripe: string, isReported: boolean): string {
  return [
    "default-src 'none'",
    // Answers that no page of ours renders have no script.
    nonce ? `script-src 'nonce-${nonce}' 'strict-dynamic'` : "script-src 'none'",
    // The development server swaps styles in place; what is built links files.
    import.meta.env.DEV ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${["'self'", ...(localStripe ? [localStripe] : hostedOrigins)].join(" ")}`,
    // Browsers that know the second ignore the first.
    ...(isReported ? [`report-uri ${VIOLATIONS_PATH}`, `report-to ${reportGroup}`] : []),
  ].join("; ");
}
