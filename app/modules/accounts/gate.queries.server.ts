import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import { entries } from "#app/modules/waitlist/schema.ts";
import { accounts } from "./schema.ts";
import { addressMaySignUp } from "./address-changes.queries.server.ts";

/**
 * Signing up may go on: the address is held for nobody, and while the gate guards sign-up it has an account, which is signed in to, or
 * is invited. The waitlist's own module is a later one, and this has to stand in the WHERE of the claim: an invitation may end while its
 * code is typed.
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

/** Whether an address that isn't let in was invited before. */
export function findInvitation(db: Database, canonical: string) {
  return db
    .select({ invitations: entries.invitations })
    .from(entries)
    .where(and(eq(entries.gate, "signup"), eq(entries.emailCanonical, canonical)));
}
