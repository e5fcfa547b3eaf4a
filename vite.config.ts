import { readdirSync, readFileSync } from "node:fs";
import { posix, resolve } from "node:path";
import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vite";

/** Compared by the Worker with the database. */
const newestMigration = readdirSync("drizzle")
  .filter((name) => name.endsWith(".sql"))
  .sort()
  .at(-1);

/** The Stripe resources that the integration uses, by the SDK's files. */
const askedOfStripe = [
  "BillingPortal/",
  "Checkout/",
  "Charges.",
  "Customers.",
  "Disputes.",
  "Events.",
  "Invoices.",
  "PaymentIntents.",
  "Prices.",
  "Refunds.",
  "SubscriptionSchedules.",
  "Subscriptions.",
  "TaxRates.",
];

/**
 * Form schemas share files with rules that pages import, but only the Worker uses them: calls of valibot and of our own `text`
 * (app/core/text/text.ts) have no side effects. Nor does importing a module of `app/modules`: a page that uses none of its exports
 * doesn't load it.
 */
const treeshake = {
  manualPureFunctions: ["v", "text"],
  moduleSideEffects: [{ test: /\/app\/(core|modules)\//, sideEffects: false }],
};

/** The layout of each page, and components that nearly all of them use. */
const frame =
  /\/app\/(root|entry|product\/logo|client\/(early|page-)|routes\/(error-page|any-|settings\/(layout|menu|messages|any-))|ui\/components\/\w+\/(field|icons|dialog|disclosure|folding|section|state|copy|empty|moment|key|steps|error))/;

/**
 * Three chunks for all pages, compressed and cached as such: the libraries, which don't change with our releases; the layout; and modules
 * that at least three pages share. Separate chunks were forty, and 7 kB gzip more on each settings page. The rules of orders and
 * the link previews have chunks of their own: the heaviest pages use neither. What the pages of orders and payments share is one, too.
 */
const codeSplitting = {
  groups: [
    { name: "react", test: /\/node_modules\/(react|react-dom|react-router|scheduler)\//, priority: 1 },
    { name: "frame", test: frame },
    {
      name: "ui",
      test: /\/app\/((ui|core|http)\/(?!social-picture)|client\/(keep-form|passkey-problem)|modules\/(?!(orders|order-history|withdrawals|billing-sync|plan-changes|checkout)\/))/,
      minShareCount: 3,
    },
    {
      name: "orders",
      test: /\/app\/(routes\/(settings\/orders\/(discount|messages|state)|payment\/reasons)|modules\/billing-sync\/)/,
      minShareCount: 2,
    },
  ],
};

/** The tests build with a product of their own (tests/support/products/fixed-product.ts). */
const { FOYER_PRODUCT } = process.env;

export default defineConfig({
  ...(FOYER_PRODUCT && { resolve: { alias: { "#app/product/config.ts": resolve(FOYER_PRODUCT) } } }),
  plugins: [
    cloudflare({
      viteEnvironment: { name: "ssr" },
      inspectorPort: false,
      // `npm run dev` sets these two; wrangler has flags for the same. Local values always come from the `.dev.vars`
      // beside the configuration and override anything set here, so the configuration's path is set to another folder.
      ...(process.env.FOYER_PERSIST_TO && { persistState: { path: process.env.FOYER_PERSIST_TO } }),
      config: (config) => {
        const folder = process.env.FOYER_DEV_VARS_FOLDER;
        if (folder) config.userConfigPath = `${folder}/wrangler.toml`;
      },
    }),
    reactRouter(),
    productFiles(),
    withoutLegacyRenderer(),
    withoutUnusedStripe(),
    withoutCeremonies(),
    withoutModels(),
    withoutRouterInstrumentations(),
  ],
  define: {
    "import.meta.env.VITE_NEWEST_MIGRATION": JSON.stringify(newestMigration),
    // Debug output of Sentry's SDKs: 3 kB gzip in the browser and as much in the Worker.
    __SENTRY_DEBUG__: "false",
  },
  environments: {
    // For the error receiver alone: no script links its map, and public/.assetsignore prevents the maps from being served.
    client: { build: { sourcemap: "hidden", rolldownOptions: { treeshake, output: { codeSplitting } } } },
    // Not minified by default: 510 kB gzip instead of about 300 with all libraries.
    ssr: {
      build: {
        minify: true,
        // The passkey library exports everything from one file; marking it side-effect free removes unused exports (37 kB).
        rolldownOptions: { treeshake: { moduleSideEffects: (id) => !/@simplewebauthn\/server|@peculiar\//.test(id) } },
      },
    },
  },
});

/** The files of app/product/public, served beside those of public: the product's icon, and pictures for link previews. */
function productFiles(): Plugin {
  const folder = "app/product/public";
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => posix.join(parentPath, name).slice(folder.length + 1));
  return {
    name: "product-files",
    applyToEnvironment: ({ name }) => name === "client",
    buildStart() {
      if (this.environment.mode !== "build") return;
      for (const fileName of files)
        this.emitFile({ type: "asset", fileName, source: readFileSync(`${folder}/${fileName}`) });
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const fileName = files.find((name) => request.url?.split("?")[0] === `/${name}`);
        if (!fileName) return next();
        response.setHeader("Content-Type", fileName.endsWith(".svg") ? "image/svg+xml" : "image/png");
        response.end(readFileSync(`${folder}/${fileName}`));
      });
    },
  };
}

/** react-dom/server includes its old renderer (`renderToString`), 28 kB gzip that nothing here calls. */
function withoutLegacyRenderer(): Plugin {
  return {
    name: "without-legacy-renderer",
    apply: "build",
    load: { filter: { id: /react-dom-server-legacy/ }, handler: () => "export {};" },
  };
}

/**
 * The rest of Stripe's SDK (issuing, terminals, treasury and so on), and its parser for v2 events: 15 kB gzip. Their classes stay,
 * empty. To use one, add it to the list above; TypeScript doesn't notice, but the tests with the Stripe emulator do.
 */
function withoutUnusedStripe(): Plugin {
  const kept = askedOfStripe.map((file) => file.replace(".", "\\.")).join("|");
  return {
    name: "without-unused-stripe",
    apply: "build",
    transform: {
      filter: { id: new RegExp(`/stripe/esm/(resources/(?!${kept}).+|StripeEventNotificationHandler)\\.js$`) },
      handler: (code) => {
        const classes = [...code.matchAll(/export class (\w+)/g)].map(([, name]) => `export class ${name} {}`);
        return { code: classes.join("\n"), map: null };
      },
    },
  };
}

/** Browser code for passkeys is loaded when a button is pressed: 3 kB gzip that the Worker never runs. */
function withoutCeremonies(): Plugin {
  return {
    name: "without-ceremonies",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "ssr",
    load: { filter: { id: /@simplewebauthn\/browser/ }, handler: () => "export {};" },
  };
}

/** Sentry's instrumentation of calls to language models, which nothing here makes: 2 kB gzip. */
function withoutModels(): Plugin {
  return {
    name: "without-models",
    apply: "build",
    load: {
      filter: { id: /@sentry\/server-utils\/.+\/workers-ai\/index\.js$/ },
      handler: () => "export const instrumentWorkersAiClient = (client) => client;",
    },
  };
}

/** React Router's instrumentation API for browsers; only the Worker uses it (entry.server.tsx): 1 kB gzip of each page. */
function withoutRouterInstrumentations(): Plugin {
  return {
    name: "without-router-instrumentations",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    transform: {
      filter: { id: /react-router\/dist\/production\/lib\/router\/instrumentation\.js$/ },
      handler: (code) => {
        const names = /^export \{ (.+) \};$/m.exec(code)?.[1]?.split(", ") ?? [];
        return { code: names.map((name) => `export const ${name} = () => undefined;`).join("\n"), map: null };
      },
    },
  };
}
