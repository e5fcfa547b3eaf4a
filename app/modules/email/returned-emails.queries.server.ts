import { and, eq, isNull, or, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import { entries } from "#app/modules/waitlist/schema.ts";
import { emailKinds, type EmailReturnKind } from "./rules.ts";
import { emails } from "./schema.ts";

/** Once per kind: a complaint replaces a bounce, and nothing replaces a complaint. */
export function changeToReturned(db: Database, serviceId: string, kind: EmailReturnKind, now: number) {
  const isNews =
    kind === "complained" ? or(isNull(emails.returned), eq(emails.returned, "bounced")) : isNull(emails.returned);
  return db
    .update(emails)
    .set({ returned: kind, returnedAt: now })
    .where(and(eq(emails.serviceId, serviceId), isNews));
}

/** Of the account that has the address now, if the email is one of ours. Its owner can switch them on again. */
export function switchOffOptional(db: Database, serviceId: string, address: string) {
  return db
    .update(accounts)
    .set({ emailsOff: [...emailKinds] })
    .where(and(eq(accounts.emailCanonical, address), isOurs(serviceId)));
}

/** At the address's entries of every gate, if the email is one of ours: the waitlist sends them nothing unasked any more. */
export function changeEntriesToReturned(db: Database, serviceId: string, address: string, kind: EmailReturnKind) {
  const isNews = kind === "complained" ? undefined : isNull(entries.returned);
  return db
    .update(entries)
    .set({ returned: kind })
    .where(and(eq(entries.emailCanonical, address), isNews, isOurs(serviceId)));
}

function isOurs(serviceId: string) {
  return sql`exists (select 1 from ${emails} where ${emails.serviceId} = ${serviceId})`;
}
