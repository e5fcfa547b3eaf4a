/**
 * Writes and reads the session cookie. Invariant: a cookie is read only with our MAC; whether its session is active is in the table. Called
 * where a session begins and from the middleware that loads the viewer.
 */
import { type AccountId, readId } from "#app/core/id.ts";
import { matchesKeyedHash, keyedHash } from "#app/core/hash.ts";

/** What a session cookie claims. Only the table knows whether the session is still active. */
export type SessionCookie = { sessionToken: string; accountId: AccountId };

const use = "session-pass";

/** The session cookie's value: token, account id, and our MAC over both. */
export async function writeSessionCookie(pepper: string, { sessionToken, accountId }: SessionCookie): Promise<string> {
  const content = `${sessionToken}.${accountId}`;
  return `${content}.${await keyedHash(pepper, use, content)}`;
}

/** Null for a value we didn't write; the database needn't be asked about it. */
export async function readSessionCookie(pepper: string, pass: string): Promise<SessionCookie | null> {
  const [sessionToken = "", id = "", hash = ""] = pass.split(".");
  const isOurs = await matchesKeyedHash(pepper, use, `${sessionToken}.${id}`, hash);
  const accountId = readId("acc", id);
  return isOurs && accountId ? { sessionToken, accountId } : null;
}
