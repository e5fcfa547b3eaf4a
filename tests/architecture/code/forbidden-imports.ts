/**
 * What layers.ts has to forbid, written down a second time and by hand, so that a rule that gets lost is noticed.
 * imports.test.ts tries every cell: a file of the row imports one of the column.
 */

/** A file of each layer, in the order of rows and columns. They needn't exist. */
export const examples: Record<string, string> = {
  monitoring: "workers/monitoring/rules.ts",
  "stripe emulator": "workers/stripe-emulator/ids.ts",
  core: "app/core/id.ts",
  ui: "app/ui/components/forms/button.tsx",
  db: "app/db/is-after.server.ts",
  "product config": "app/product/config.ts",
  "error filters": "app/integrations/sentry/filters.rules.ts",
  integrations: "app/integrations/stripe/call-stripe.ts",
  app: "app/app.ts",
  modules: "app/modules/orders/queries.server.ts",
  "all tables": "app/db/schema.ts",
  "product pages": "app/product/logo.tsx",
  "messages of every page": "app/root.messages.ts",
  client: "app/client/keep-form.ts",
  "session guard": "app/http/session/guard.server.ts",
  http: "app/http/request/cookies.ts",
  workflows: "app/workflows/after-payment.server.ts",
  api: "app/api/call.ts",
  "page reads": "app/routes/settings/overview/read-overview.server.ts",
  routes: "app/routes/login/route.tsx",
  "message overrides": "app/product/messages.ts",
  composition: "workers/app.ts",
};

/** x: forbidden, ·: allowed. Each module is tried in place of `modules`. The last columns are packages. */
export const layerTable = `
  from ↓  to →             mon emu cor ui  db  con fil int app mod tab pag mes cli gua htt wor api rds rou ove com   rea str dri sen
  monitoring               ·   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x     x   x   x   x
  stripe emulator          x   ·   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x     x   ·   x   x
  core                     x   x   ·   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x     x   x   x   x
  ui                       x   x   ·   ·   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x     ·   x   x   x
  db                       x   x   ·   x   ·   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x     x   x   ·   x
  product config           x   x   ·   x   x   ·   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x     x   x   x   x
  error filters            x   x   x   x   x   x   ·   x   x   x   x   x   x   x   x   x   x   x   x   x   x   x     x   x   x   x
  integrations             ·   x   ·   x   ·   x   ·   ·   x   x   x   x   x   x   x   x   x   x   x   x   x   x     x   ·   x   ·
  app                      ·   x   ·   ·   ·   ·   ·   ·   ·   x   x   x   x   x   x   x   x   x   x   x   x   x     x   x   x   x
  modules                  x   x   ·   x   ·   ·   x   x   ·   ·   x   x   x   x   x   x   x   x   x   x   x   x     x   x   ·   x
  all tables               x   x   x   x   ·   x   x   x   x   ·   ·   x   x   x   x   x   x   x   x   x   x   x     x   x   x   x
  product pages            x   x   ·   ·   x   ·   x   x   x   ·   x   ·   x   x   x   x   x   x   x   x   x   x     x   x   x   x
  messages of every page   x   x   ·   x   x   x   x   x   x   x   x   x   ·   x   x   x   x   x   x   x   x   x     x   x   x   x
  client                   ·   x   ·   ·   x   x   ·   x   x   x   x   x   ·   ·   x   x   x   x   x   x   x   x     ·   x   x   ·
  session guard            x   x   x   x   ·   x   x   ·   ·   x   x   x   x   x   ·   x   x   x   x   x   x   x     ·   x   x   x
  http                     x   x   ·   ·   x   ·   x   x   ·   ·   x   x   ·   ·   ·   ·   x   x   x   x   x   x     ·   x   x   x
  workflows                x   x   ·   x   ·   ·   x   x   ·   ·   x   x   x   x   x   ·   ·   x   x   x   x   x     ·   x   x   x
  api                      x   x   ·   x   x   ·   x   x   ·   ·   x   x   x   x   x   ·   x   ·   x   x   x   x     x   x   x   x
  page reads               x   x   ·   x   ·   ·   x   x   ·   ·   x   x   x   x   x   x   x   x   ·   x   x   x     x   x   x   x
  routes                   ·   x   ·   ·   x   ·   x   x   ·   ·   x   ·   ·   ·   ·   ·   ·   x   ·   ·   x   x     ·   x   x   x
  message overrides        ·   x   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   x     x   x   x   x
  composition              ·   x   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·     ·   x   x   ·
`;

/** Of the modules that a row forbids, the one that it may import. */
export const allowedModules = { "session guard": "accounts" };

/** What is imported in the columns of packages. */
export const examplePackages = {
  rea: ["react", "react-dom", "react-router", "react-dom/server"],
  str: ["stripe", "stripe/lib/crypto"],
  dri: ["drizzle-orm", "drizzle-orm/d1"],
  sen: ["@sentry/react", "@sentry/cloudflare"],
};

/** A module and the next one, which it must not import; the other way round is allowed. */
export const adjacentModules: readonly [from: string, to: string][] = [
  ["catalogue", "email"],
  ["email", "codes"],
  ["codes", "accounts"],
  ["accounts", "subscriptions"],
  ["subscriptions", "orders"],
  ["orders", "documents"],
  ["documents", "withdrawals"],
  ["withdrawals", "stripe-events"],
  ["stripe-events", "fraud-warnings"],
  ["fraud-warnings", "billing-sync"],
  ["billing-sync", "checkout"],
  ["checkout", "plan-changes"],
  ["plan-changes", "cancellations"],
  ["cancellations", "order-history"],
  ["order-history", "ledger"],
  ["ledger", "devices"],
  ["devices", "waitlist"],
  ["waitlist", "referrals"],
  ["referrals", "passkeys"],
  ["passkeys", "account-deletion"],
  ["account-deletion", "operators"],
];
