import type { Database } from "#app/db/client.server.ts";

/**
 * The database of a Worker that is killed at its nth batch: before it reaches the database, or after it was written and before
 * anybody reads the answer. Batches are counted from one.
 */
export function killedAt(db: Database, nth: number, when: "before" | "after"): Database {
  let batches = 0;
  const batch: Database["batch"] = async (statements) => {
    batches += 1;
    if (batches === nth && when === "before") throw new Error("killed");
    const answer = await db.batch(statements);
    if (batches === nth) throw new Error("killed");
    return answer;
  };
  // Everything else is the real one's.
  return Object.assign(Object.create(db) as Database, { batch });
}
