import type { App } from "#app/app.ts";
import { newId } from "#app/core/id.ts";
import type { Result } from "#app/core/result.ts";
import { addOperatorLogRow, changeOutcome } from "../queries.server.ts";

type NamedCall = { operator: string; call: string; subject: string | null; reason?: string | null };

/**
 * Runs an operator's call: logs that it began, runs it, and logs how it ended. If the Worker is killed in between, the row says that it
 * began.
 */
export async function logOperatorCall<Value, Refusal extends { reason: string }>(
  app: Pick<App, "db" | "clock" | "random">,
  { reason = null, ...named }: NamedCall,
  run: () => Promise<Result<Value, Refusal>>,
): Promise<Result<Value, Refusal>> {
  const { db } = app;
  const id = newId("opa", app.random);
  await addOperatorLogRow(db, { id, reason, ...named }, app.clock());
  try {
    const result = await run();
    await changeOutcome(db, id, result.ok ? "done" : "refused", result.ok ? null : result.refusal.reason);
    return result;
  } catch (error) {
    await changeOutcome(db, id, "broken", null);
    throw error;
  }
}
