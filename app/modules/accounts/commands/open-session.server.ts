import { type Base, gatekeeperOf, type Outbox, type RequestScope, type Secrets, type Site } from "#app/app.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import { endStreak, rememberBrowser } from "#app/modules/accounts/codes/quotas.queries.server.ts";
import { type Code, createsAccount, type Purpose } from "#app/modules/accounts/codes/rules.ts";
import { consumeCode, codeConsumed, retireSiblings } from "#app/modules/accounts/codes/queries.server.ts";
import { hashToken } from "#app/core/hash.ts";
import { parseStoredAddress } from "#app/core/text/email-address.ts";
import { newId, newToken, type AccountId, type SessionId, noAccount } from "#app/core/id.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { type ActivityName, newActivity } from "../activities.rules.ts";
import { addActivity } from "../activities.queries.server.ts";
import { findHold } from "../address-changes.queries.server.ts";
import { maySignUp } from "../sign-up-gate.queries.server.ts";
import type { CodeMatch, CodeProofRefusal, Proof, Proven } from "../proof.rules.ts";
import { explainUnusedCode } from "../reads/explain-unused-code.server.ts";
import { sessionAbsoluteMs, type SignInMethod } from "../rules.ts";
import {
  accountHasAddress,
  accountIsMissing,
  accountExists,
  addAccount,
  findAccountByAddress,
} from "../queries.server.ts";
import { addSession, type NewSession, rotateSession } from "../sessions.queries.server.ts";

type Deps = Base & Site & Secrets & Outbox & RequestScope;

/**
 * Adds the account if there is none and opens a session, in one batch, once a code has proven the address (sign-up, sign-in or
 * re-authentication). A sign-up with an address reserved for its former account is refused, and the code isn't used up.
 */
export async function openSession(
  app: Deps,
  { code, proof, quotas }: CodeMatch,
): Promise<Result<Proven, CodeProofRefusal>> {
  const { db } = app;
  const now = app.clock();
  const { token: sessionToken, session } = await generateSession(app, code.address, proof, "code");
  const ids = { session: session.id, account: newId("acc", app.random) };
  const isConsumed = codeConsumed(code.id, ids.session);
  const { consumed } = await batchNamed(db, {
    consumed: consumeCode(
      db,
      { id: code.id, consumerId: ids.session, triesQuota: quotas.tries, now },
      mayOpen(app, code),
    ),
    account: createsAccount[code.purpose]
      ? [addAccount(db, newAccount(app, code, ids.account, proof.timeZone), isConsumed)]
      : [],
    session: addSession(db, session, isConsumed),
    activities: logProof(app, code.purpose, ids),
    rotated: proof.sessionToken ? [rotateSession(db, await hashToken(proof.sessionToken), now, isConsumed)] : [],
    siblings: retireSiblings(db, code, isConsumed),
    streak: endStreak(db, quotas.tries, isConsumed),
    browser: rememberBrowser(db, { addressHash: quotas.addressHash, browserHash: code.browserHash }, isConsumed, now),
  });
  if (consumed.meta.changes !== 1) {
    return explainUnusedCode(app, code, quotas.tries, await explainRefusal(app, code));
  }
  const [account] = await findAccountByAddress(db, code.address);
  if (!account) return refused({ reason: "no-request" });
  const { purpose, carried } = code;
  const isNew = account.id === ids.account;
  return done({ requestId: code.id, accountId: account.id, sessionToken, purpose, isNew, carried });
}

/**
 * A re-authentication works only for its own account, even if another account has the address now. A sign-up needs an address that isn't
 * reserved, and passes the gate if sign-up is gated.
 */
function mayOpen(app: Deps, { purpose, accountId, address }: Code) {
  if (purpose === "reauthentication") return accountHasAddress(accountId ?? noAccount, address);
  if (!createsAccount[purpose]) return undefined;
  return maySignUp(app, address, app.clock());
}

/** Why a correct code is refused. */
async function explainRefusal(app: Deps, { purpose, address }: Code): Promise<CodeProofRefusal | undefined> {
  if (purpose === "reauthentication") return { reason: "no-request" };
  if (!createsAccount[purpose]) return undefined;
  const { db, clock, gate } = app;
  const keeper = gatekeeperOf(app);
  const {
    hold: [held],
    account: [account],
    invitation: [invitation],
  } = await batchNamed(db, {
    hold: findHold(db, address, clock()),
    account: findAccountByAddress(db, address),
    invitation: keeper ? [keeper.findInvitation(db, address)] : [],
  });
  if (held) return { reason: "address-held" };
  if (gate.kind !== "signup" || account) return undefined;
  return { reason: (invitation?.[0]?.invitations ?? 0) > 0 ? "invitation-over" : "by-invitation" };
}

/** A session for the account of this address, with a random 256-bit token: the cookie carries the token, the table stores its hash. */
export async function generateSession(
  app: Pick<Deps, "clock" | "random">,
  address: string,
  { device, country }: Pick<Proof, "device" | "country">,
  method: SignInMethod,
): Promise<{ token: string; session: NewSession }> {
  const now = app.clock();
  const token = newToken(app.random);
  const tokenHash = await hashToken(token);
  const id = newId("ses", app.random);
  return {
    token,
    session: { id, address, tokenHash, device, country, method, now, expiresAt: now + sessionAbsoluteMs },
  };
}

/** Logs the sign-in or sign-up, if the session was added. Signing up with an address that has an account signs in. */
function logProof(app: Deps, purpose: Purpose, ids: { session: SessionId; account: AccountId }) {
  const activity = (what: ActivityName) => newActivity(app, ids.session, what);
  if (purpose === "reauthentication") return [addActivity(app.db, activity("confirmed"))];
  return [
    addActivity(app.db, activity("signed-up"), accountExists(ids.account)),
    addActivity(app.db, activity("signed-in"), accountIsMissing(ids.account)),
  ];
}

function newAccount(app: Deps, code: Code, id: AccountId, timeZone: string | null | undefined) {
  const address = parseStoredAddress(code.addressTyped);
  const { locale } = app.product;
  const { termsVersion = "" } = code.carried;
  return { id, address, locale, timeZone: timeZone ?? app.product.timeZone, termsVersion, now: app.clock() };
}
