import { index, layout, prefix, type RouteConfig, route } from "@react-router/dev/routes";
import { product as fixed } from "#tests/support/fixed-product.config.ts";
import { product as own } from "./product/config.ts";

// React Router reads this file without the aliases of the build.
const product = process.env.FOYER_PRODUCT ? fixed : own;

/** The whole URL map. Thirteen pages were given; what else there is stands below them. */
export default [
  // Says what went wrong, below the root: a boundary is drawn without the data of its own route.
  layout("routes/any-page.tsx", [
    index("routes/landing/route.tsx"),
    route("signup", "routes/signup/route.tsx"),
    route("login", "routes/login/route.tsx"),
    route("verify", "routes/verify/route.tsx"),
    route("waitlist", "routes/waitlist/route.tsx"),
    route("payment/:status", "routes/payment/route.tsx"),
    ...prefix("settings", [
      layout("routes/settings/layout.tsx", [
        layout("routes/settings/any-settings-page.tsx", [
          index("routes/settings/overview/route.tsx"),
          route(`${product.segment}/account`, "routes/settings/devices/route.tsx"),
          route(`${product.segment}/plan`, "routes/settings/plan/route.tsx"),
          route(`${product.segment}/settings`, "routes/settings/preferences/route.tsx"),
          route("orders", "routes/settings/orders/route.tsx"),
          route("referral", "routes/settings/referral/route.tsx"),
          route("upgrade", "routes/settings/upgrade/route.tsx"),
        ]),
      ]),
    ]),

    route("settings/export", "routes/settings/export/route.ts"),
    route("settings/orders.csv", "routes/settings/orders-csv/route.ts"),
    route("settings/orders/receipt", "routes/settings/orders-receipt/route.tsx"),
    route("settings/orders/invoice", "routes/settings/orders-invoice/route.ts"),
    route("withdraw", "routes/withdraw/route.tsx"),
    route("legal/:page", "routes/legal/route.tsx"),
    route("logout", "routes/logout/route.ts"),
    route("passkey-offer", "routes/passkey-offer/route.ts"),
    route("webhooks/stripe", "routes/webhooks/stripe/route.ts"),
    route("healthz", "routes/healthz/route.ts"),
    route(".well-known/jwks.json", "routes/well-known/jwks/route.ts"),
    route("robots.txt", "routes/robots/route.ts"),
    route("sitemap.xml", "routes/sitemap/route.ts"),
    route(".well-known/security.txt", "routes/well-known/security-txt/route.ts"),
    route("*", "routes/not-found/route.tsx"),
  ]),
] satisfies RouteConfig;
