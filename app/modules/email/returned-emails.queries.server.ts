import { and, eq, isNull, or, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
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
    .where(
      and(
        eq(accounts.emailCanonical, address),
        sql`exists (select 1 from ${emails} where ${emails.serviceId} = ${serviceId})`,
      ),
    );
}
