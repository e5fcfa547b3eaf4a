import { redirect, href } from "react-router";
import type { App } from "#app/app.ts";
import { openDatabase } from "#app/db/database.server.ts";
import { checkOf, guardFirstWrite } from "#app/db/guard-writes.server.ts";
import type { Session } from "#app/modules/accounts/rules.ts";
import { sessionIsActive } from "#app/modules/accounts/sessions.queries.server.ts";
import { checkFirstChange } from "#app/integrations/stripe/check-first-change.ts";

/**
 * Guards a request that acts for a session: its first write and its first mutating Stripe call happen only while the session is active.
 * If the session ended since the viewer was loaded, the request redirects to sign-in and has changed nothing.
 */
export function holdToSession(app: App, session: Pick<Session, "id">, url: Pick<URL, "pathname">): App {
  const refusal = () => redirect(signInPath(url.pathname), 303);
  const guard = { condition: sessionIsActive(session), refusal };
  const { refuseUnlessHolds } = checkOf(app.db.$client, guard);
  return {
    ...app,
    db: openDatabase(guardFirstWrite(app.db.$client, guard)),
    payments: app.payments && checkFirstChange(app.payments, refuseUnlessHolds),
  };
}

/** Redirects to sign-in, then back to the requested page. */
export function signInPath(target: string): string {
  return `${href("/login")}?${new URLSearchParams({ redirectTo: target })}`;
}
