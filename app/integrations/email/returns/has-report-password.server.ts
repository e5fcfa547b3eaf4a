import { base64Bytes } from "./base64-bytes.ts";

const utf8 = new TextEncoder();

/** Is the secret the password of the request's Basic authentication? Compared by HMACs under a random key, in constant time. */
export async function hasReportPassword(secret: string, headers: Headers): Promise<boolean> {
  const [, encoded = ""] = /^Basic (.+)$/.exec(headers.get("Authorization") ?? "") ?? [];
  const given = base64Bytes(encoded);
  const separator = given?.indexOf(":".charCodeAt(0)) ?? -1;
  if (given === null || separator === -1) return false;
  const algorithm = { name: "HMAC", hash: "SHA-256" } as const;
  const key = await crypto.subtle.importKey("raw", crypto.getRandomValues(new Uint8Array(32)), algorithm, false, [
    "sign",
    "verify",
  ]);
  const expected = await crypto.subtle.sign("HMAC", key, utf8.encode(secret));
  return crypto.subtle.verify("HMAC", key, expected, given.slice(separator + 1));
}
