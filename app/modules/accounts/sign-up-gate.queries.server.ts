import { type SQL, sql } from "drizzle-orm";
import { gatekeeperOf, type Site } from "#app/app.ts";
import { accounts } from "./schema.ts";
import { addressMaySignUp } from "./address-changes.queries.server.ts";

/**
 * Sign-up is allowed: the address isn't reserved, and if sign-up is gated, it has an account (which is signed in to) or is invited. It
 * belongs in the WHERE of the statement that uses up the code, since an invitation may end while its code is typed.
 */
export function maySignUp(app: Pick<Site, "gate" | "hooks">, address: string, now: number): SQL {
  const mayHave = addressMaySignUp(address, now);
  if (app.gate.kind !== "signup") return mayHave;
  const isAdmitted = gatekeeperOf(app)?.admits(address, now) ?? sql`false`;
  return sql`${mayHave} and (exists (select 1 from ${accounts} where email_canonical = ${address}) or ${isAdmitted})`;
}
