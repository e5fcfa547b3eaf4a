/// <reference types="@cloudflare/vitest-pool-workers/types" />

declare namespace Cloudflare {
  interface Env {
    /** Bound by vitest.config.ts for the worker pool alone. */
    TEST_MIGRATIONS: import("@cloudflare/vitest-pool-workers").D1Migration[];
    STRIPE_ACCOUNT: DurableObjectNamespace<import("stripe-emulator/worker").EmulatorAccount>;
  }
}
