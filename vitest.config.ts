import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { formattedAmounts } from "./scripts/site/product-facts.ts";
import { product } from "./tests/support/products/fixed-product.config.ts";
import { withFixedProduct } from "./tests/support/products/fixed-product.ts";
import { reporters } from "./tests/support/reporters.ts";
import { ensureDevVars } from "./scripts/site/dev-vars.ts";
import { buildEmulator, orderKeys } from "./scripts/stripe/emulator.ts";
import "./tests/support/local-only.ts";

// The integration suite's bindings have local values, which an install without scripts hasn't written.
ensureDevVars();
// Every suite imports of it.
buildEmulator();

const productAlias = withFixedProduct();

/** The Stripe emulator's own variables: here it runs beside the tests. */
const emulatorVariables = {
  SITE_ORIGIN: "http://localhost:8787",
  WEBHOOK_SECRET: "local-stripe-webhook-secret",
  ORDER_KEYS: orderKeys,
};

/** Tests mostly wait: for a runtime, or for the site and the Stripe emulator that every file of the HTTP suite starts. */
const maxWorkers = availableParallelism() + 1;

/** Four of the five test suites. The browser suite has a config of its own: tests/browser/vitest.config.ts. */
export default defineConfig({
  // Not every "points to missing source files" of a library's maps.
  logLevel: "error",
  test: {
    reporters: reporters(),
    // A green run prints a page; a failed test prints what it logged.
    silent: "passed-only",
    projects: [
      {
        resolve: productAlias,
        test: {
          name: "unit",
          include: [
            "app/*.test.ts",
            "{app/!(features),scripts,workers/monitoring,tests/architecture}/**/*.test.ts",
            "app/features/*/{*,page/**/*}.test.ts",
          ],
          environment: "node",
          // Starting a process for each of 170 files takes longer than the tests.
          isolate: false,
          // Property tests over thousands of inputs take milliseconds, but longer on a busy machine.
          testTimeout: 90_000,
        },
      },
      {
        resolve: productAlias,
        plugins: [
          cloudflareTest(async () => ({
            // Bindings as deployed, values as in a fresh clone; the Worker itself is tested by the HTTP suite.
            main: "./tests/support/site/empty-worker.ts",
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: { TEST_MIGRATIONS: await readD1Migrations("./drizzle"), ...emulatorVariables },
              durableObjects: { STRIPE_ACCOUNT: { className: "EmulatorAccount", useSQLite: true } },
            },
          })),
        ],
        test: {
          name: "integration",
          include: ["tests/integration/**/*.test.ts", "app/features/*/tests/integration/*.test.ts"],
          provide: { formattedAmounts: formattedAmounts(product) },
          setupFiles: ["./tests/support/database/migrate.ts"],
          // Starting one runtime after another for 43 files is half of the suite's time.
          isolate: false,
          maxWorkers,
          // A hundred wrong codes and forty concurrent ones take longer on a busy machine.
          testTimeout: 180_000,
        },
      },
      {
        resolve: productAlias,
        test: {
          name: "http",
          include: ["tests/http/**/*.test.ts", "app/features/*/tests/http/*.test.ts"],
          environment: "node",
          globalSetup: ["./tests/support/site/build-once.ts"],
          // Requests and responses between the site and the Stripe emulator are checked against the SDK's types.
          // Commands that tests start find what Node compiled for the ones before.
          env: { STRIPE_CONTRACT: "checked", NODE_COMPILE_CACHE: resolve("node_modules/.cache/compiled") },
          maxWorkers,
          // What every file imports again (wrangler, above all) takes two seconds of each.
          isolate: false,
          // Awaited conditions become true without a trigger, later on a busy machine.
          expect: { poll: { timeout: 15_000 } },
          // A command that builds the site takes minutes beside others.
          testTimeout: 480_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: "emulator",
          include: ["packages/stripe-emulator/tests/*.test.ts"],
          environment: "node",
          globalSetup: ["./tests/stripe/contract/generate-once.ts"],
          // Checks its traffic against the SDK's types, too.
          env: { EMULATOR_STARTER: resolve("tests/stripe/contract/start-recorded.ts") },
          maxWorkers,
          isolate: false,
          expect: { poll: { timeout: 15_000 } },
          // One packs and installs it.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
