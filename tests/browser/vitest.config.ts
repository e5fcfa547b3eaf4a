import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { withFixedProduct } from "#tests/support/products/fixed-product.ts";
import { reporters } from "#tests/support/reporters.ts";
import "#tests/support/local-only.ts";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The file that takes as long as all others together begins first, so that the run doesn't end with waiting for it.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = (file: TestSpecification) => file.moduleId.endsWith("every-page.test.ts");
    const sorted = await super.sort(files);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

/** The tests that need a browser: Chromium on the built site with the Stripe emulator beside it. */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  resolve: withFixedProduct(),
  test: {
    reporters: reporters(),
    silent: "passed-only",
    name: "browser",
    environment: "node",
    // What every file imports again (wrangler, above all) takes two seconds of each.
    isolate: false,
    include: [
      "tests/browser/**/*.test.ts",
      "app/features/*/tests/browser/*.test.ts",
      "packages/stripe-emulator/tests/browser/*.test.ts",
    ],
    globalSetup: ["./tests/support/site/build-once.ts"],
    // Every file starts its own site, Stripe emulator and Chromium, and spends much of its time waiting for them.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    testTimeout: 90_000,
    // Expected states arrive by themselves, on a busy machine later.
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 120_000,
  },
});
