import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/*.test.ts"],
    environment: "node",
    isolate: false,
    // Tests mostly wait.
    maxWorkers: availableParallelism() + 1,
    // A busy machine, or one that packs and installs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
