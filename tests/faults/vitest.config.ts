import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { withFixedProduct } from "#tests/support/products/fixed-product.ts";
import { reporters } from "#tests/support/reporters.ts";

/**
 * Takes minutes, and runs every night or by hand: forty requests at the same moment, a killed site, third-party services that
 * fail, fuzzing.
 */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  resolve: withFixedProduct(),
  test: {
    reporters: reporters(),
    name: "faults",
    environment: "node",
    include: ["tests/faults/**/*.test.ts"],
    globalSetup: ["./tests/support/site/build-once.ts"],
    // Wrangler logs each email that is sent.
    onConsoleLog: (log) => !log.includes("send_email binding called"),
    // Timings are meaningful only if a site has the machine to itself.
    fileParallelism: false,
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
