import { keyedHash, matchesKeyedHash } from "#app/core/hash.ts";
import { base64Bytes } from "./base64-bytes.ts";

const use = "email-report";

/** Whether the secret is the password of the request's Basic authentication. Compared in constant time. */
export async function hasReportPassword(secret: string, headers: Headers): Promise<boolean> {
  const [, encoded = ""] = /^Basic (.+)$/.exec(headers.get("Authorization") ?? "") ?? [];
  const given = base64Bytes(encoded);
  const separator = given?.indexOf(":".charCodeAt(0)) ?? -1;
  if (given === null || separator === -1) return false;
  const password = new TextDecoder().decode(given.slice(separator + 1));
  return matchesKeyedHash(secret, use, password, await keyedHash(secret, use, secret));
}
