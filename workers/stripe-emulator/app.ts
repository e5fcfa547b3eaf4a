import type { DeskEnv } from "./env.ts";

export { Desk } from "./desk.ts";

/** One account, one Durable Object: every request goes to the same one, which holds all state. */
export default {
  fetch(request, env) {
    return env.DESK.getByName("account").fetch(request);
  },
} satisfies ExportedHandler<DeskEnv>;
