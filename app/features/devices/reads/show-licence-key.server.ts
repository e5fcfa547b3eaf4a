import type { AccountId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App, Base, Secrets } from "#app/app.ts";
import { isReauthenticated, type Viewer } from "#app/modules/accounts/rules.ts";
import { sessionIsActive } from "#app/modules/accounts/sessions.queries.server.ts";
import { hashToken } from "#app/core/hash.ts";
import { seal, unseal } from "#app/core/seal.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { newLicenceKey, readLicenceKey } from "../licence-key.rules.ts";
import { addLicenceKey, findLicenceKey, type NewKey } from "../licence-keys.queries.server.ts";

type Deps = Base & Secrets;

type ShowKeyRefusal = { reason: "proof-stale" } | { reason: "key-unreadable" };

/**
 * The key, after a re-authentication. An account's first key is created when it is first requested, even if the re-authentication is
 * still missing, so that the page shown after it only reads.
 */
export async function showLicenceKey(app: Deps, viewer: Viewer): Promise<Result<string, ShowKeyRefusal>> {
  const { db } = app;
  const key = await generateKey(app, viewer.account.id);
  const {
    findLicenceKey: [stored],
  } = await batchNamed(db, {
    licenceKey: addLicenceKey(db, key, sessionIsActive(viewer.session)),
    findLicenceKey: findLicenceKey(db, viewer.account.id),
  });
  if (!stored || !isReauthenticated(viewer.session, app.clock())) return refused({ reason: "proof-stale" });
  return openKey(app, stored.sealed);
}

/** A new random key, as the table stores it. */
export async function generateKey(app: Deps, accountId: AccountId): Promise<NewKey> {
  const key = newLicenceKey(app.random);
  const keyHash = await hashLicenceKey(key);
  return { accountId, keyHash, sealed: await seal(app.pepper, key, app.random), now: app.clock() };
}

/** Decrypts a stored key. Refused if it was encrypted with another pepper. */
export async function openKey(
  { pepper }: Pick<App, "pepper">,
  sealed: string,
): Promise<Result<string, { reason: "key-unreadable" }>> {
  try {
    return done(await unseal(pepper, sealed));
  } catch {
    return refused({ reason: "key-unreadable" });
  }
}

/** Also hashes what can't be a key, so that timing reveals nothing. */
export function hashLicenceKey(typed: string): Promise<string> {
  return hashToken(readLicenceKey(typed) ?? `none ${typed}`);
}
