import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, RequestScope, Secrets, Site } from "#app/app.ts";
import type { Claim } from "#app/modules/accounts/commands/session-pass.server.ts";
import { addActivity } from "#app/modules/accounts/activities.queries.server.ts";
import { type ActivityName, newActivity } from "#app/modules/accounts/activities.rules.ts";
import { drawSession } from "#app/modules/accounts/commands/open-session.server.ts";
import { addSession, rotateSession } from "#app/modules/accounts/queries.server.ts";
import { rememberBrowser } from "#app/modules/codes/quotas.queries.server.ts";
import { codeQuotas } from "#app/modules/codes/rules.ts";
import { hashToken } from "#app/core/digest.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { type AssertionRefusal, checkAssertion, type Checked, type Place } from "../reads/check-assertion.server.ts";
import {
  type Attempt,
  changeUse,
  challengeTaken,
  findUsedChallenge,
  passkeyFits,
  takeChallenge,
} from "../queries.server.ts";

type Powers = Base & Site & Secrets & RequestScope;

/** The browser in which a passkey is used. */
export type Browser = Place & {
  browserToken: string;
  /** The session cookie that it carries already, if any: it is replaced, never adopted. */
  sessionToken: string | null;
};

/**
 * Signs in whoever holds the passkey: a session in place of the one that the browser carried, in one batch, once, however many send
 * the same answer at the same time.
 */
export async function signInWithPasskey(
  app: Powers,
  text: string | undefined,
  browser: Browser,
): Promise<Result<Claim, AssertionRefusal>> {
  const checked = await checkAssertion(app, text, { ceremony: "sign-in", accountId: null }, browser);
  if (!checked.ok) return checked;
  const { db } = app;
  const opening = await prepareSession(app, checked.value, browser, "signed-in-by-passkey");
  const { attempt } = opening;
  const { used, taken } = await batchNamed(db, {
    used: findUsedChallenge(db, attempt.challengeHash),
    taken: takeChallenge(db, attempt, passkeyFits(opening.passkey, checked.value.counter)),
    session: opening.statements,
  });
  if (taken.meta.changes === 1)
    return done({ sessionToken: opening.sessionToken, accountId: checked.value.passkey.accountId });
  // Not used: then the passkey was removed, used or left behind by its account while this one was on its way.
  return refused({ reason: used.length > 0 ? "challenge-used" : "passkey-refused" });
}

/** What follows the taken challenge in its batch: the count, the session, the line in the log, the browser that is known from now on. */
export async function prepareSession(app: Powers, checked: Checked, browser: Browser, what: ActivityName) {
  const { db } = app;
  const now = app.clock();
  const { passkey, emailCanonical } = checked;
  const { token: sessionToken, session } = await drawSession(app, emailCanonical, browser);
  const attempt: Attempt = { challengeHash: checked.challengeHash, claim: session.id, now };
  const taken = challengeTaken(attempt);
  const browserHash = await hashToken(browser.browserToken);
  const { addressHash } = await codeQuotas(app.pepper, emailCanonical, browserHash);
  // A key that asked for nothing proves that somebody has it, not who: what matters asks for a code then.
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
