/** Hashes and keyed hashes on Web Crypto. Text is UTF-8, output is base32. */
import { fromBase32, toBase32 } from "./id.ts";

const utf8 = new TextEncoder();

/** SHA-256 of a random 256-bit token, the form the database stores. Shorter secrets need `keyedHash`. */
export async function hashToken(token: string): Promise<string> {
  return toBase32(new Uint8Array(await crypto.subtle.digest("SHA-256", utf8.encode(token))));
}

/** HMAC-SHA-256 under the pepper. `use` separates hashes made for different purposes. */
export async function keyedHash(pepper: string, use: string, text: string): Promise<string> {
  const key = await hashingKey(pepper);
  return toBase32(new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8.encode(`${use}\n${text}`))));
}

/** Whether `hash` is the keyed hash of that text. Web Crypto compares them in constant time. */
export async function matchesKeyedHash(pepper: string, use: string, text: string, hash: string): Promise<boolean> {
  const bytes = fromBase32(hash);
  if (bytes === null) return false;
  return crypto.subtle.verify("HMAC", await hashingKey(pepper), bytes, utf8.encode(`${use}\n${text}`));
}

/** A Worker has one pepper for its lifetime and needs the key on nearly every request. */
const hashingKeys = new Map<string, CryptoKey>();

async function hashingKey(pepper: string): Promise<CryptoKey> {
  const made = hashingKeys.get(pepper);
  if (made) return made;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", utf8.encode(pepper), algorithm, false, ["sign", "verify"]);
  hashingKeys.set(pepper, key);
  return key;
}
