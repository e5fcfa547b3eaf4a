import type { DeskEnv } from "./env.ts";

export { Desk } from "./desk.ts";

/** One account, one desk: every request goes to the same Durable Object, which holds all state. */
export default {
  fetch(request, env) {
    return env.DESK.getByName("account").fetch(request);
  },
} satisfies ExportedHandler<DeskEnv>;
