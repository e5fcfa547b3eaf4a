/** Where a Worker may belong besides production, as in `SENTRY_ENVIRONMENT` and the commands' `--to`. Production needs no option. */
const others = ["staging", "preview"];

/** The commands that set what a Worker lacks. `target` says where the Worker belongs. */
export const setUpCommands = {
  /** Generates the secrets that only have to be random, and saves a copy: an operator's token helps only if someone knows it. */
  generateSecrets(target: string): string {
    const isOther = others.includes(target);
    return `npm run secrets -- ${isOther ? `--to ${target} ` : ""}--save ../${isOther ? `${target}-` : ""}secrets.json`;
  },
  /** wrangler.toml names production's Worker; `worker` is the name of any other. */
  putSecret(name: string, target: string, worker: string): string {
    return `npx wrangler secret put ${name}${others.includes(target) ? ` --name ${worker}` : ""}`;
  },
  /**
   * Sets both of Stripe's secrets in one step: only Stripe knows the second, and says it to this command. `isReplaced` is true if the
   * Worker has a wrong one.
   */
  setUpStripe(target: string, isReplaced: boolean): string {
    const key = isReplaced ? "STRIPE_SECRET_KEY=… WORKER_STRIPE_SECRET_KEY=…" : "STRIPE_SECRET_KEY=…";
    return `${key} npm run stripe:setup -- --to ${others.includes(target) ? target : "production"}`;
  },
  deploy(variable: string, target: string): string {
    return `${variable}=… npm run deploy${others.includes(target) ? ` -- --to ${target}` : ""}`;
  },
};
