import type { App } from "#app/app.ts";
import { newId } from "#app/core/id.ts";
import type { Result } from "#app/core/result.ts";
import { addOperatorAct, changeOutcome } from "../queries.server.ts";

type NamedAct = { operator: string; call: string; subject: string | null; reason?: string | null };

/**
 * Does something in an operator's name: the line in the log stands before it is begun, and says afterwards how it ended. A Worker
 * that is killed in between leaves the line that says it was begun.
 */
export async function noteAct<Value, Refusal extends { reason: string }>(
  app: Pick<App, "db" | "clock" | "random">,
  { reason = null, ...act }: NamedAct,
  run: () => Promise<Result<Value, Refusal>>,
): Promise<Result<Value, Refusal>> {
  const { db } = app;
  const id = newId("opa", app.random);
  await addOperatorAct(db, { id, reason, ...act }, app.clock());
  try {
    const result = await run();
    await changeOutcome(db, id, result.ok ? "done" : "refused", result.ok ? null : result.refusal.reason);
    return result;
  } catch (error) {
    await changeOutcome(db, id, "broken", null);
    throw error;
  }
}
