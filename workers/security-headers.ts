import type { Embed, EmbedDirective } from "#app/core/embed.ts";
import { strictTransport } from "#app/modules/catalogue/https-only.rules.ts";
import { product } from "#app/product/config.ts";
import { VIOLATIONS_PATH } from "./monitoring/constants.ts";
import { settingsFromEnv } from "./monitoring/rules.ts";

/** Set on every class of response: HTML, data, redirect, 404, 405, 500, API, webhook. Static files have `public/_headers`. */
const always = {
  "Strict-Transport-Security": strictTransport(product),
  "X-Content-Type-Options": "nosniff",
  // Never no-referrer: browsers then send `Origin: null` with our own forms.
  "Referrer-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  "X-Frame-Options": "DENY",
};

/** Where Stripe's hosted pages are served: CSP's form-action covers a form's redirect to them. */
const hostedOrigins = ["https://checkout.stripe.com", "https://billing.stripe.com"];

/** The response with our headers. A response that sets a cookie, or was requested with a session, is never cached. */
export function withSecurityHeaders(
  answer: Response,
  request: Request,
  env: { STRIPE_API_BASE: string; SENTRY_DSN?: string },
  nonce: string | null = null,
  embeds: readonly Embed[] = [],
): Response {
  // A copy: the headers of a redirect and of a fetched response are immutable.
  const secured = new Response(answer.body, answer);
  const { headers } = secured;
  const isReported = settingsFromEnv(env).dsn !== null;
  const wanted = securityHeaders(nonce, { stripeEmulatorOrigin: env.STRIPE_API_BASE, isReported, embeds });
  for (const [name, value] of Object.entries(wanted)) headers.set(name, value);
  // The stream that React Router sends to its own scripts is text too, without a charset.
  const type = headers.get("Content-Type") ?? "";
  if (/^text\/[\w-]+$/.test(type)) headers.set("Content-Type", `${type}; charset=utf-8`);
  const isPrivate = (request.headers.get("Cookie") ?? "").includes("__Host-session=") || headers.has("Set-Cookie");
  if (isPrivate || answer.status >= 400) headers.set("Cache-Control", "no-store");
  else if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-cache");
  return secured;
}

type PolicySettings = {
  stripeEmulatorOrigin: string;
  isReported: boolean;
  embeds: readonly Embed[];
};

/** The headers of every response, by name. `npm run doctor` compares a deployed site with them, where there is no `import.meta.env`. */
export function securityHeaders(
  nonce: string | null,
  settings: PolicySettings,
  isDevelopment: boolean = import.meta.env.DEV,
): Record<string, string> {
  return {
    ...always,
    "Content-Security-Policy": contentSecurityPolicy(nonce, settings, isDevelopment),
    ...(settings.isReported && { "Reporting-Endpoints": `${reportGroup}="${VIOLATIONS_PATH}"` }),
  };
}

/** Shared by the policy and `Reporting-Endpoints`. Not "default", which would also receive reports that aren't about the policy. */
const reportGroup = "policy";

function contentSecurityPolicy(
  nonce: string | null,
  { stripeEmulatorOrigin, isReported, embeds }: PolicySettings,
  isDevelopment: boolean,
): string {
  /** The directive, with the origins that the page's embeds need. A directive that would have no source is left out. */
  const widened = (directive: EmbedDirective, own = "") => {
    const origins = originsOf(embeds, directive);
    return own === "" && origins.length === 0 ? [] : [[directive, ...(own === "" ? [] : [own]), ...origins].join(" ")];
  };
  return [
    "default-src 'none'",
    // Responses that our pages don't render have no script. Where 'strict-dynamic' is supported, the nonce decides and origins are ignored.
    ...(nonce ? widened("script-src", `'nonce-${nonce}' 'strict-dynamic'`) : ["script-src 'none'"]),
    // The development server swaps styles in place; a build links style files.
    ...widened("style-src", isDevelopment ? "'self' 'unsafe-inline'" : "'self'"),
    ...widened("img-src", "'self' data:"),
    ...widened("font-src", "'self'"),
    ...widened("connect-src", "'self'"),
    ...widened("frame-src"),
    ...widened("media-src"),
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${["'self'", ...(stripeEmulatorOrigin ? [stripeEmulatorOrigin] : hostedOrigins)].join(" ")}`,
    // Browsers that support the second header ignore the first.
    ...(isReported ? [`report-uri ${VIOLATIONS_PATH}`, `report-to ${reportGroup}`] : []),
  ].join("; ");
}

/** Each origin once. A stylesheet's tag already allows its origin. */
function originsOf(embeds: readonly Embed[], directive: EmbedDirective): string[] {
  const origins = embeds.flatMap(({ policy, stylesheets = [] }) => [
    ...(directive === "style-src" ? stylesheets.map((url) => new URL(url).origin) : []),
    ...(policy?.[directive] ?? []),
  ]);
  return [...new Set(origins)];
}
