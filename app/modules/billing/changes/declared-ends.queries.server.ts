import type { AccountId } from "#app/core/id.ts";
import { and, asc, eq } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { cancellations } from "#app/modules/billing/cancellations/schema.ts";

/** The declared cancellation of an account's plan that takes effect first of those that aren't carried out yet; its owner can take it back. */
export function findDeclaredEnd(db: Database, accountId: AccountId) {
  const { endsOn, declaredAt, state } = cancellations;
  return (
    db
      .select({ endsOn, declaredAt })
      .from(cancellations)
      .where(and(eq(cancellations.accountId, accountId), eq(state, "open")))
      // Without a day, which SQLite sorts first, it ends as early as possible.
      .orderBy(asc(endsOn), asc(declaredAt))
      .limit(1)
  );
}
