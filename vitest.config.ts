import { availableParallelism } from "node:os";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { withFixedProduct } from "./tests/support/fixed-product.ts";
import { reporters } from "./tests/support/reporters.ts";

const productAlias = withFixedProduct();

/** The local Stripe's own variables, which its wrangler.toml has: here it runs beside the tests. */
const localStripe = { SITE_ORIGIN: "http://localhost:8787", WEBHOOK_SECRET: "local-stripe-webhook-secret" };

/** Much of a test is waiting: for a runtime, or for the site and the local Stripe that every file of the HTTP ring starts. */
const maxWorkers = availableParallelism() + 1;

/** Three of the four rings. The browser ring has a config of its own: tests/browser/vitest.config.ts. */
export default defineConfig({
  test: {
    reporters: reporters(),
    // A green run prints a page; a failed test prints what it logged.
    silent: "passed-only",
    projects: [
      {
        resolve: productAlias,
        test: {
          name: "unit",
          include: ["app/**/*.test.ts", "workers/monitoring/**/*.test.ts", "tests/architecture/**/*.test.ts"],
          environment: "node",
          // Properties over thousands of inputs take milliseconds, but not where the machine is busy with something else.
          testTimeout: 30_000,
        },
      },
      {
        resolve: productAlias,
        plugins: [
          cloudflareTest(async () => ({
            // Bindings as deployed, values as in a fresh clone; the Worker itself is the HTTP ring's.
            main: "./tests/support/empty-worker.ts",
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: { TEST_MIGRATIONS: await readD1Migrations("./drizzle"), ...localStripe },
              durableObjects: { DESK: { className: "Desk", useSQLite: true } },
            },
          })),
        ],
        test: {
          name: "integration",
          include: ["tests/integration/**/*.test.ts"],
          setupFiles: ["./tests/support/migrate.ts"],
          // One runtime after another for 43 files is half of the ring's time.
          isolate: false,
          maxWorkers,
          // A hundred wrong codes and forty at once take their time where the machine is busy.
          testTimeout: 90_000,
        },
      },
      {
        resolve: productAlias,
        test: {
          name: "http",
          include: ["tests/http/**/*.test.ts", "workers/stripe-emulator/tests/**/*.test.ts"],
          environment: "node",
          globalSetup: ["./tests/support/build-once.ts"],
          // What passes between the product and the Stripe emulator is held against the types of the SDK.
          env: { STRIPE_CONTRACT: "checked" },
          maxWorkers,
          // What every file loads anew (wrangler, above all) is two seconds of each.
          isolate: false,
          // What is waited for comes by itself, on a busy machine later.
          expect: { poll: { timeout: 15_000 } },
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
