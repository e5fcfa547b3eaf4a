import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { entries } from "./schema.ts";

/** The address is invited to sign up. */
export function isInvitedToSignUp(address: string, now: number): SQL {
  return sql`exists (
    select 1 from ${entries} where gate = 'signup' and email_canonical = ${address} and state = 'invited'
      and invitation_expires_at > ${now})`;
}

/** Whether an address that the gate refuses was invited before. */
export function findInvitation(db: Database, address: string) {
  return db
    .select({ invitations: entries.invitations })
    .from(entries)
    .where(and(eq(entries.gate, "signup"), eq(entries.emailCanonical, address)));
}
