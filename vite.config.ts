import { readdirSync, readFileSync } from "node:fs";
import { posix, resolve } from "node:path";
import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vite";
import { messageOverrides } from "./scripts/site/message-overrides.ts";
import { productFacts } from "./scripts/site/product-facts.ts";

/** Compared by the Worker with the database. */
const newestMigration = readdirSync("drizzle")
  .filter((name) => name.endsWith(".sql"))
  .sort()
  .at(-1);

/**
 * Importing rules, or the form that an action reads, has no effect of its own: a page that uses none of their exports in the browser doesn't load
 * them.
 */
const treeshake = {
  moduleSideEffects: [{ test: /\/app\/((core|modules|features)\/|.*\/form\.ts$)/, sideEffects: false }],
};

/**
 * Two chunks for all pages: the libraries, which don't change with our releases, and what at least three pages share. Without them a page
 * loads some forty small files, each compressed on its own.
 */
const codeSplitting = {
  groups: [
    { name: "react", test: /\/node_modules\/(react|react-dom|react-router|scheduler)\//, priority: 1 },
    { name: "app", test: /\/app\//, minShareCount: 3 },
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
    messageOverrides(FOYER_PRODUCT || undefined),
    productFacts(FOYER_PRODUCT || undefined),
    productFiles(),
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
