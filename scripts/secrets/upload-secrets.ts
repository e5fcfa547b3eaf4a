import { messageOfWrangler } from "../deploy/wrangler.ts";
import { run } from "../run.ts";

/** Uploads them in one step. The first secret creates the Worker. `select` is wrangler's arguments for the target. */
export async function uploadSecrets(select: string[], secrets: Record<string, string>): Promise<void> {
  try {
    await run("wrangler", ["secret", "bulk", ...select], { input: JSON.stringify(secrets) });
  } catch (error) {
    throw new Error(messageOfWrangler(error), { cause: error });
  }
}
