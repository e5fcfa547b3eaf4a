import type { EmulatorEnv } from "./env.ts";

export type { EmulatedAccount } from "./emulated-account.ts";
export { EmulatorAccount } from "./emulator-account.ts";
export type { EmulatorEnv } from "./env.ts";

/** One account, one Durable Object: every request goes to the same one, which holds all state. */
export default {
  fetch(request, env) {
    return env.STRIPE_ACCOUNT.getByName("account").fetch(request);
  },
} satisfies ExportedHandler<EmulatorEnv>;
