import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { withFixedProduct } from "#tests/support/products/fixed-product.ts";
import { reporters } from "#tests/support/reporters.ts";

/** What takes minutes, and is run by hand: forty at the same moment, a killed site, third-party services that fail, whatever bytes there are. */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  resolve: withFixedProduct(),
  test: {
    reporters: reporters(),
    name: "trials",
    environment: "node",
    include: ["tests/faults/**/*.test.ts"],
    globalSetup: ["./tests/support/site/build-once.ts"],
    // Each mail that leaves is told by wrangler.
    onConsoleLog: (log) => !log.includes("send_email binding called"),
    // A site that has the machine to itself is one whose seconds say something.
    fileParallelism: false,
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
