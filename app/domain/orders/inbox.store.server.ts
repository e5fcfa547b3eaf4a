import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { webhookEvents } from "#app/db/schema.ts";

/** Notes an event that arrived; one that was heard before counts a further try. Answers its state after that. */
export function receiveEvent(
  db: Database,
  event: { id: string; type: string; customerId: string | null; now: number },
) {
  return db
    .insert(webhookEvents)
    .values({ id: event.id, state: "received", type: event.type, customerId: event.customerId, receivedAt: event.now })
    .onConflictDoUpdate({ target: webhookEvents.id, set: { tries: sql`${webhookEvents.tries} + 1` } })
    .returning({ state: webhookEvents.state });
}

export function settleEvent(db: Database, id: string, state: "handled" | "failed" | "ignored", now: number) {
  return db
    .update(webhookEvents)
    .set({ state, settledAt: now })
    .where(and(eq(webhookEvents.id, id), inArray(webhookEvents.state, ["received", "failed"])));
}
