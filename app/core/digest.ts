/** Hashes, keyed hashes and authenticated encryption on Web Crypto. Text is UTF-8, output is base32 or base64. */
import { type Random, toBase32 } from "./id.ts";

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

/**
 * Is `hash` the keyed hash of that text? Web Crypto's `verify` compares in constant time, and it compares HMACs of both values, so a
 * caller who chose one of them doesn't know what is being compared.
 */
export async function fitsKeyedHash(pepper: string, use: string, text: string, hash: string): Promise<boolean> {
  const own = await keyedHash(pepper, use, text);
  const key = await hashingKey(pepper);
  const signature = await crypto.subtle.sign("HMAC", key, utf8.encode(hash));
  return crypto.subtle.verify("HMAC", key, signature, utf8.encode(own));
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

/** AES-256-GCM under a key derived from the pepper, for text that is stored temporarily and must be readable again. */
export async function seal(pepper: string, text: string, random: Random): Promise<string> {
  const nonce = random(12);
  const sealed = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv: new Uint8Array(nonce) },
    await sealingKey(pepper),
    utf8.encode(text),
  );
  return `${encodeBase64(nonce)}.${encodeBase64(new Uint8Array(sealed))}`;
}

/** The decrypted text. Throws when the ciphertext was altered or encrypted under another pepper. */
export async function unseal(pepper: string, box: string): Promise<string> {
  const [nonce = "", sealed = ""] = box.split(".");
  const opened = await crypto.subtle.decrypt(
    { name: "AES-GCM", iv: decodeBase64(nonce) },
    await sealingKey(pepper),
    decodeBase64(sealed),
  );
  return new TextDecoder().decode(opened);
}

async function sealingKey(pepper: string): Promise<CryptoKey> {
  const secret = await crypto.subtle.importKey("raw", utf8.encode(pepper), "HKDF", false, ["deriveKey"]);
  return crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(32), info: utf8.encode("foyer sealed box") },
    secret,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
}

function encodeBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
