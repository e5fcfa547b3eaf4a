import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, RequestScope, Secrets, Site } from "#app/app.ts";
import type { SessionCookie } from "#app/modules/accounts/session-cookie.rules.ts";
import { addActivity } from "#app/modules/accounts/activities.queries.server.ts";
import { type ActivityName, newActivity } from "#app/modules/accounts/activities.rules.ts";
import { generateSession } from "#app/modules/accounts/commands/open-session.server.ts";
import { addSession, rotateSession } from "#app/modules/accounts/sessions.queries.server.ts";
import { rememberBrowser } from "#app/modules/accounts/codes/quotas.queries.server.ts";
import { addressHashOf } from "#app/modules/accounts/codes/rules.ts";
import { hashToken } from "#app/core/hash.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { type AssertionRefusal, checkAssertion, type Checked, type ClientDevice } from "./check-assertion.server.ts";
import {
  type Attempt,
  changeUse,
  challengeConsumed,
  findUsedChallenge,
  passkeyFits,
  consumeChallenge,
} from "../queries.server.ts";

type Deps = Base & Site & Secrets & RequestScope;

/** The browser in which a passkey is used. */
export type Browser = ClientDevice & {
  browserToken: string;
  /** The browser's present session cookie, if any: its session is replaced, never reused. */
  sessionToken: string | null;
};

/**
 * Signs in the passkey's owner: one batch replaces the browser's present session with a new one, once however often the same response
 * arrives.
 */
export async function signInWithPasskey(
  app: Deps,
  text: string | undefined,
  browser: Browser,
): Promise<Result<SessionCookie, AssertionRefusal>> {
  const checked = await checkAssertion(app, text, { ceremony: "sign-in", accountId: null }, browser);
  if (!checked.ok) return checked;
  const { db } = app;
  const opening = await prepareSession(app, checked.value, browser, "signed-in-by-passkey");
  const { attempt } = opening;
  const { used, taken } = await batchNamed(db, {
    used: findUsedChallenge(db, attempt.challengeHash),
    taken: consumeChallenge(db, attempt, passkeyFits(opening.passkey, checked.value.counter)),
    session: opening.statements,
  });
  if (taken.meta.changes === 1)
    return done({ sessionToken: opening.sessionToken, accountId: checked.value.passkey.accountId });
  // Refused: the passkey was removed, used, or lost its account during this request.
  return refused({ reason: used.length > 0 ? "challenge-used" : "passkey-refused" });
}

/** The statements that follow the used challenge in its batch: counter, session, activity log, known browser. */
export async function prepareSession(app: Deps, checked: Checked, browser: Browser, what: ActivityName) {
  const { db } = app;
  const now = app.clock();
  const { passkey, emailCanonical } = checked;
  const { token: sessionToken, session } = await generateSession(app, emailCanonical, browser, "passkey");
  const attempt: Attempt = { challengeHash: checked.challengeHash, consumerId: session.id, now };
  const taken = challengeConsumed(attempt);
  const browserHash = await hashToken(browser.browserToken);
  const addressHash = await addressHashOf(app.pepper, emailCanonical);
  // Without user verification a passkey proves possession, not the person: sensitive actions ask for a code then.
  const provenAt = checked.isUserVerified ? now : 0;
  const oldToken = browser.sessionToken && (await hashToken(browser.sessionToken));
  const statements = [
    changeUse(db, { id: passkey.id, counter: checked.counter, now }, taken),
    addSession(db, { ...session, provenAt }, taken),
    addActivity(db, newActivity(app, session.id, what)),
    ...(oldToken ? [rotateSession(db, oldToken, now, taken)] : []),
    rememberBrowser(db, { addressHash, browserHash }, taken, now),
  ];
  return { attempt, sessionToken, statements, passkey: { id: passkey.id, emailCanonical } };
}
