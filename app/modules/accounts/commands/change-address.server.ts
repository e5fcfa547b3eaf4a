import type { Base, Outbox, RequestScope, Secrets, Site } from "#app/app.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import { endStreak, rememberBrowser } from "#app/modules/accounts/codes/quotas.queries.server.ts";
import { codeLifeMs } from "#app/modules/accounts/codes/rules.ts";
import { consumeCode, codeConsumed, retireCodesOfAccount } from "#app/modules/accounts/codes/queries.server.ts";
import { hashToken } from "#app/core/hash.ts";
import { type EmailAddress, parseStoredAddress } from "#app/core/text/email-address.ts";
import { newId } from "#app/core/id.ts";
import { done, type Result } from "#app/core/result.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { addEmail } from "#app/modules/email/queries.server.ts";
import { newActivity } from "../activities.rules.ts";
import { addActivity } from "../activities.queries.server.ts";
import { revertLifeMs, revertToken } from "../address-change.rules.ts";
import { addAddressChange, addressMayChange, findHold } from "../address-changes.queries.server.ts";
import { changedEmail } from "../address-emails.server.ts";
import { sealFormerAddress } from "../former-addresses.rules.ts";
import { addFormerAddress } from "../former-addresses.queries.server.ts";
import { generateSession } from "./open-session.server.ts";
import type { CodeMatch, CodeProofRefusal, Proven } from "../proof.rules.ts";
import { explainUnusedCode } from "../reads/explain-unused-code.server.ts";
import { type Account, canonicalOf, reauthenticationMs, type Viewer } from "../rules.ts";
import { findAccountByAddress } from "../queries.server.ts";
import { addSession, endAllSessions, rotateSession } from "../sessions.queries.server.ts";

type Deps = Base & Site & Secrets & Outbox & RequestScope;

/**
 * Sets the new address, which a code has just proven. One batch uses up the code, adds the change, queues the email to the old address,
 * ends every other session and rotates this browser's. Only the signed-in account is touched, and nothing is used up if the new address got
 * an account meanwhile.
 */
export async function changeAddress(
  app: Deps,
  asker: Viewer,
  match: CodeMatch,
): Promise<Result<Proven, CodeProofRefusal>> {
  const { db } = app;
  const now = app.clock();
  const { code, proof, quotas } = match;
  const { account } = asker;
  const to = parseStoredAddress(code.addressTyped);
  const { token: sessionToken, session } = await generateSession(app, to.canonical, proof, "code");
  const { change, email } = await writeChange(app, account, to);
  const isConsumed = codeConsumed(code.id, session.id);
  // The user requests the code within a re-authentication and can enter it until it expires. A proof older than both together doesn't
  // count.
  const provenAfter = now - (reauthenticationMs + codeLifeMs);
  const { consumed } = await batchNamed(db, {
    consumed: consumeCode(
      db,
      { id: code.id, consumerId: session.id, triesQuota: quotas.tries, now },
      addressMayChange({
        accountId: account.id,
        from: account.email,
        to,
        sessionId: asker.session.id,
        provenAfter,
        now,
      }),
    ),
    change: addAddressChange(db, change, isConsumed),
    hooks: app.hooks.flatMap(
      ({ addressChanged }) => addressChanged?.(db, { from: canonicalOf(account), to, guard: isConsumed }) ?? [],
    ),
    formerAddress: addFormerAddress(db, await sealFormerAddress(app, account), isConsumed),
    rotated: rotateSession(db, await hashToken(proof.sessionToken ?? ""), now, isConsumed),
    ended: endAllSessions(db, account.id, now, isConsumed),
    session: addSession(db, session, isConsumed),
    activity: addActivity(db, newActivity(app, session.id, "address-changed")),
    email: addEmail(db, { ...email, accountId: account.id }, isConsumed),
    retired: retireCodesOfAccount(db, account.id, isConsumed),
    streak: endStreak(db, quotas.tries, isConsumed),
    browser: rememberBrowser(db, { addressHash: quotas.addressHash, browserHash: code.browserHash }, isConsumed, now),
  });
  if (consumed.meta.changes !== 1)
    return explainUnusedCode(app, code, quotas.tries, await explainRefusal(app, asker, to, provenAfter));
  app.later(deliverEmail(app, email.id));
  const { purpose, carried } = code;
  return done({ requestId: code.id, accountId: account.id, sessionToken, purpose, isNew: false, carried });
}

/** Why the change is refused although the code is right. */
async function explainRefusal(
  { db, clock }: Deps,
  asker: Viewer,
  to: EmailAddress,
  provenAfter: number,
): Promise<CodeProofRefusal> {
  const {
    account: [taken],
    hold: [held],
  } = await batchNamed(db, {
    account: findAccountByAddress(db, to.canonical),
    hold: findHold(db, to.canonical, clock()),
  });
  if (taken) return { reason: "address-taken" };
  if (held && held.accountId !== asker.account.id) return { reason: "address-held" };
  return { reason: asker.session.provenAt <= provenAfter ? "proof-stale" : "account-not-here" };
}

/** The change, and the email to the old address: the only place that holds the token of the reverting link. */
async function writeChange(app: Deps, account: Account, to: EmailAddress) {
  const id = newId("chg", app.random);
  const changedAt = app.clock();
  const revertExpiresAt = changedAt + revertLifeMs;
  const content = await changedEmail(app, { id, toEmail: to.original, changedAt, revertExpiresAt }, account);
  const email = await sealEmail(app, account.email, content);
  const revertHash = await hashToken(await revertToken(app.pepper, id));
  return { change: { id, accountId: account.id, to, revertHash, changedAt, revertExpiresAt }, email };
}
