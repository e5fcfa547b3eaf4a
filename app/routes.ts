import { index, layout, prefix, type RouteConfig, route } from "@react-router/dev/routes";
import { product as fixed } from "#tests/support/fixed-product.config.ts";
import { product as own } from "./product.config.ts";

// React Router reads this file without the aliases of the build.
const product = process.env.FOYER_PRODUCT ? fixed : own;

/** The whole URL map. Thirteen pages were given; what else there is stands below them. */
export default [
  // Says what went wrong, below the root: a boundary is drawn without the data of its own route.
  layout("any-page.tsx", [
    index("routes/landing.tsx"),
    route("signup", "routes/signup.tsx"),
    route("login", "routes/login.tsx"),
    route("verify", "routes/verify.tsx"),
    route("waitlist", "routes/waitlist.tsx"),
    route("payment/:status", "routes/payment.tsx"),
    ...prefix("settings", [
      layout("routes/settings.tsx", [
        layout("any-settings-page.tsx", [
          index("routes/you.tsx"),
          route(`${product.segment}/account`, "routes/devices.tsx"),
          route(`${product.segment}/plan`, "routes/plan.tsx"),
          route(`${product.segment}/settings`, "routes/preferences.tsx"),
          route("orders", "routes/orders.tsx"),
          route("referral", "routes/referral.tsx"),
          route("upgrade", "routes/upgrade.tsx"),
        ]),
      ]),
    ]),

    route("settings/export", "routes/export.ts"),
    route("settings/orders.csv", "routes/orders-csv.ts"),
    route("settings/orders/receipt", "routes/order-receipt.tsx"),
    route("settings/orders/invoice", "routes/order-invoice.ts"),
    route("withdraw", "routes/withdraw.tsx"),
    route("legal/:page", "routes/legal.tsx"),
    route("logout", "routes/logout.ts"),
    route("passkey-offer", "routes/passkey-offer.ts"),
    route("webhooks/stripe", "routes/stripe-webhook.ts"),
    route("healthz", "routes/healthz.ts"),
    route(".well-known/jwks.json", "routes/jwks.ts"),
    route("robots.txt", "routes/robots.ts"),
    route("sitemap.xml", "routes/sitemap.ts"),
    route(".well-known/security.txt", "routes/security-txt.ts"),
    route("*", "routes/not-found.tsx"),
  ]),
] satisfies RouteConfig;
