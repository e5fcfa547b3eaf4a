import { fitsKeyedHash, keyedHash } from "#app/core/digest.ts";

/** Who a session's cookie says is there. The session itself may be over: only the table knows. */
export type Claim = { sessionToken: string; accountId: string };

const use = "session-pass";

/** What the cookie of a session holds: its token, whose it is, and our hash over both. */
export async function writePass(pepper: string, { sessionToken, accountId }: Claim): Promise<string> {
  const claim = `${sessionToken}.${accountId}`;
  return `${claim}.${await keyedHash(pepper, use, claim)}`;
}

/** Null for whatever we didn't write: nobody has to ask the database about it. */
export async function readPass(pepper: string, pass: string): Promise<Claim | null> {
  const [sessionToken = "", accountId = "", hash = ""] = pass.split(".");
  const isOurs = await fitsKeyedHash(pepper, use, `${sessionToken}.${accountId}`, hash);
  return isOurs ? { sessionToken, accountId } : null;
}
