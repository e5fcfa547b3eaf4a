import { index, layout, prefix, type RouteConfig, route } from "@react-router/dev/routes";
import { product } from "#app/product/config.ts";
import { features } from "./features.ts";

// React Router reads this file without the build's alias and Node's conditions, so that a build of another product passes its segment.
const segment = process.env.FOYER_SEGMENT ?? product.segment;

/**
 * Every URL. The paths of thirteen pages are a fixed contract (`fixed-paths.test.ts`); the rest can change.
 */
export default [
  // Shows errors below the root: a boundary is rendered without its own route's data.
  layout("routes/page-error-boundary.tsx", [
    /** What the product does, its plans and FAQ; with `?ref=` what a friend's link is worth. */
    index("routes/landing/route.tsx"),
    /** Sign-up: an address and consent to the terms. By invitation (`?invitation=`) while the gate guards sign-up. */
    route("signup", "routes/signup/route.tsx"),
    /** Sign-in by emailed code or passkey. The same answer for known and unknown addresses. */
    route("login", "routes/login/route.tsx"),
    /** Takes an emailed code; with `?revert=` it reverts a change of address. */
    route("verify", "routes/verify/route.tsx"),
    /** Those of features, which `app/features.ts` lists. */
    ...features.flatMap(({ publicPages = [] }) => publicPages.map(({ path, file }) => route(path, file))),
    /** The result of a payment. Redirects to the order's actual status; an unknown status is 404. */
    route("payment/:status", "routes/payment/route.tsx"),
    ...prefix("settings", [
      layout("routes/settings/layout.tsx", [
        layout("routes/settings/settings-error-boundary.tsx", [
          /** Account overview: what needs attention, the plan and its usage, getting started. POST restores a closed account. */
          index("routes/settings/overview/route.tsx"),
          /** The running plan, its next charge and card; cancel, resume, retry a payment. Syncs first when it comes from Stripe (`?portal`). */
          route(`${segment}/plan`, "routes/settings/plan/route.tsx"),
          /** Those of features, which `app/features.ts` lists. */
          ...features.flatMap(({ settingsPages = [] }) =>
            settingsPages.map(({ path, file }) => route(`${segment}/${path}`, file)),
          ),
          /** Orders, newest first, and unfinished attempts apart: `?after=`, `?year=`, `?state=`; `?order=` redirects to that order's page. */
          route("orders", "routes/settings/orders/route.tsx"),
          /** The account's own invitation link, friends and credit. */
          route("referral", "routes/settings/referral/route.tsx"),
          /** Plans side by side; a choice is quoted, then paid at the checkout, charged now or scheduled. */
          route("upgrade", "routes/settings/upgrade/route.tsx"),
          /** One order: its documents, lines, payment and history. Another account's is 404. */
          route("orders/:order", "routes/settings/orders/order/route.tsx"),
          /** Name, date format and time zone; the theme of this browser. */
          route("profile", "routes/settings/profile/route.tsx"),
          /** Email address, passkeys, sessions, and recent activity (`?activity=all`: all of it). */
          route("security", "routes/settings/security/route.tsx"),
          /** Optional emails, and the list of the newest emails to this account. */
          route("notifications", "routes/settings/notifications/route.tsx"),
          /** The data export and closing the account; of a closed account it redirects to `/settings`. */
          route("data", "routes/settings/data/route.tsx"),
        ]),
      ]),
    ]),

    /** POST: all data of the account as a JSON file, after a re-authentication. GET redirects to `/settings/data`. */
    route("settings/export", "routes/settings/export/route.ts"),
    /** The orders that fit the list's `?year=` and `?state=`, as a CSV file: unfinished attempts only if their state is asked for. */
    route("settings/orders.csv", "routes/settings/orders-csv/route.ts"),
    /** Printable invoice of a paid `?order=`, or its `?credit-note=`; anything else is 404. */
    route("settings/orders/receipt", "routes/settings/orders/receipt/route.tsx"),
    /** Declares the withdrawal from a contract, without an account. 404 while `withdrawalDays` is `off`. */
    route("withdraw", "routes/withdraw/route.tsx"),
    /** Cancels a contract, without an account. 404 while `cancellationPage` is `off`. */
    route("cancel", "routes/cancel/route.tsx"),
    /** The declaration that this browser sent there, as a text file. */
    route("cancel/declaration", "routes/cancel/declaration/route.ts"),
    /** Stops emails of a kind, by the signed link in one of them; a mailbox posts to it by itself (RFC 8058). */
    route("unsubscribe", "routes/unsubscribe/route.tsx"),
    /** Takes the operators' token, and then `/` leads through a first payment for an hour. 404 without `OPERATOR_TOKEN`. */
    route("set-up", "routes/set-up/route.tsx"),
    /** `terms`, `privacy` or `imprint`; anything else is 404. */
    route("legal/:page", "routes/legal/route.tsx"),
    /** POST ends the session, or responds 503 and leaves the cookie. GET redirects to `/`. */
    route("logout", "routes/logout/route.ts"),
    /** A new challenge for a page that has been open for a while, as JSON; `?for=` names the ceremony. */
    route("passkey-offer", "routes/passkey-offer/route.ts"),
    /** Stripe's events; POST only. */
    route("webhooks/stripe", "routes/webhooks/stripe/route.ts"),
    /** The email service's reports of bounces and complaints; POST only. */
    route("webhooks/email", "routes/webhooks/email/route.ts"),
    /** 200 when the database has this build's schema and, locally, the catalogue exists; else 503. Operators' token: how it runs. */
    route("healthz", "routes/healthz/route.ts"),
    /** The public keys of entitlements; cached for a short time. */
    route(".well-known/jwks.json", "routes/well-known/jwks/route.ts"),
    /** Keeps crawlers out of settings, payment and verify pages. */
    route("robots.txt", "routes/robots/route.ts"),
    /** The public pages, without those of disabled features. */
    route("sitemap.xml", "routes/sitemap/route.ts"),
    /** Where to report a vulnerability (RFC 9116). */
    route(".well-known/security.txt", "routes/well-known/security-txt/route.ts"),
    /** Any other path, any method: 404 with a page. */
    route("*", "routes/not-found/route.tsx"),
  ]),
] satisfies RouteConfig;
