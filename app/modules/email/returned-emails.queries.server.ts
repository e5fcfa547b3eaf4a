import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { entries } from "#app/modules/waitlist/schema.ts";
import { emailKinds, type EmailReturnKind } from "./rules.ts";
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

/**
 * Stops emails to the address, if `guard` holds: optional ones of the account that has it now, whose owner can switch them on again, and
 * those of the waitlist that weren't asked for, to its entries of every gate.
 */
export function changeToUnreachable(db: Database, address: string, kind: EmailReturnKind, guard: SQL = sql`true`) {
  const isNews = kind === "complained" ? undefined : isNull(entries.returned);
  return [
    db
      .update(accounts)
      .set({ emailsOff: [...emailKinds] })
      .where(and(eq(accounts.emailCanonical, address), guard)),
    db
      .update(entries)
      .set({ returned: kind })
      .where(and(eq(entries.emailCanonical, address), isNews, guard)),
  ] as const;
}

/** The email that the service reports on is one of ours. */
export function isOurs(serviceId: string): SQL {
  return sql`exists (select 1 from ${emails} where ${emails.serviceId} = ${serviceId})`;
}
