/** Where a Worker belongs: `SENTRY_ENVIRONMENT` says so, and `--to` of the commands. Production needs no option. */
const others = ["staging", "preview"];

/** Commands that set what a Worker lacks. `target`: where it belongs. */
export const setUpCommands = {
  /** Generates what only has to be random. The copy is needed: an operator's token that no one knows helps no one. */
  generateSecrets(target: string): string {
    const isOther = others.includes(target);
    return `npm run secrets -- ${isOther ? `--to ${target} ` : ""}--save ../${isOther ? `${target}-` : ""}secrets.json`;
  },
  /** Production's Worker is the one that wrangler.toml names; of the others, `worker` is the name. */
  putSecret(name: string, target: string, worker: string): string {
    return `npx wrangler secret put ${name}${others.includes(target) ? ` --name ${worker}` : ""}`;
  },
  /** Stripe's two secrets, in one step: only Stripe knows the second, and says it to this command. `isReplaced`: the Worker has a wrong one. */
  setUpStripe(target: string, isReplaced: boolean): string {
    const key = isReplaced ? "STRIPE_SECRET_KEY=… WORKER_STRIPE_SECRET_KEY=…" : "STRIPE_SECRET_KEY=…";
    return `${key} npm run stripe:setup -- --to ${others.includes(target) ? target : "production"}`;
  },
  deploy(variable: string, target: string): string {
    return `${variable}=… npm run deploy${others.includes(target) ? ` -- --to ${target}` : ""}`;
  },
};
