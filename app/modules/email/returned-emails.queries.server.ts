import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { App } from "#app/app.ts";
import type { Statement } from "#app/db/batch.server.ts";
import type { Database } from "#app/db/database.server.ts";
import type { EmailReturnKind } from "./rules.ts";
import { emails } from "./schema.ts";

/** Applies once per kind: a complaint replaces a bounce, and nothing replaces a complaint. */
export function changeToReturned(db: Database, serviceId: string, kind: EmailReturnKind, now: number) {
  const isNews =
    kind === "complained" ? or(isNull(emails.returned), eq(emails.returned, "bounced")) : isNull(emails.returned);
  return db
    .update(emails)
    .set({ returned: kind, returnedAt: now })
    .where(and(eq(emails.serviceId, serviceId), isNews));
}

/** What follows from an email that came back, if `guard` holds: whoever sends unasked emails to the address stops them. */
export function statementsOnReturn(
  { db, hooks }: Pick<App, "db" | "hooks">,
  { address, kind, guard = sql`true` }: { address: string; kind: EmailReturnKind; guard?: SQL },
): Statement[] {
  return hooks.flatMap(({ emailReturned }) => emailReturned?.(db, { address, kind, guard }) ?? []);
}

/** The email that the service reports on is one of ours. */
export function isOurs(serviceId: string): SQL {
  return sql`exists (select 1 from ${emails} where ${emails.serviceId} = ${serviceId})`;
}
