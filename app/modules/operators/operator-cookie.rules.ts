/**
 * Decides whether a browser has shown the operators' token within the hour. Invariants: the cookie contains no token; it is void once the
 * token or the pepper changes, and allows nothing but seeing the steps to a first payment. Called from the set-up page and `/`.
 */
import { keyedHash, matchesKeyedHash } from "#app/core/hash.ts";
import { hourMs } from "#app/core/time/time.ts";

export const operatorCookieMs = hourMs;

type Keys = { pepper: string; operatorToken: string | null };

const use = "operator cookie";

export async function writeOperatorCookie(pepper: string, operatorToken: string, now: number): Promise<string> {
  const expiresAt = String(now + operatorCookieMs);
  return `${expiresAt}.${await keyedHash(pepper, use, `${expiresAt}\n${operatorToken}`)}`;
}

export async function isOperatorCookie(
  { pepper, operatorToken }: Keys,
  value: string | null,
  now: number,
): Promise<boolean> {
  if (operatorToken === null || value === null) return false;
  const [expiresAt = "", hash = ""] = value.split(".");
  const isOurs = await matchesKeyedHash(pepper, use, `${expiresAt}\n${operatorToken}`, hash);
  return isOurs && Number(expiresAt) > now;
}
