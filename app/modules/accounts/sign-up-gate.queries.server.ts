import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/database.server.ts";
import { entries } from "#app/modules/waitlist/schema.ts";
import { accounts } from "./schema.ts";
import { addressMaySignUp } from "./address-changes.queries.server.ts";

/**
 * Sign-up is allowed: the address isn't reserved, and if sign-up is gated, it has an account (which is signed in to) or is invited.
 * Written here although `waitlist` is a later module: it belongs in the WHERE of the statement that uses up the code, since an invitation
 * may end while its code is typed.
 */
export function maySignUp(canonical: string, gate: "none" | "signup" | "plan", now: number): SQL {
  const mayHave = addressMaySignUp(canonical, now);
  return gate === "signup" ? sql`${mayHave} and ${isLetIn(canonical, now)}` : mayHave;
}

function isLetIn(canonical: string, now: number): SQL {
  return sql`(exists (select 1 from ${accounts} where email_canonical = ${canonical}) or exists (
    select 1 from ${entries} where gate = 'signup' and email_canonical = ${canonical} and state = 'invited'
      and invitation_expires_at > ${now}))`;
}

/** Whether an address that the gate refuses was invited before. */
export function findInvitation(db: Database, canonical: string) {
  return db
    .select({ invitations: entries.invitations })
    .from(entries)
    .where(and(eq(entries.gate, "signup"), eq(entries.emailCanonical, canonical)));
}
