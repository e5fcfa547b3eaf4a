/** Authenticated encryption on Web Crypto. Text is UTF-8, output is base64. */
import type { Random } from "./id.ts";

const utf8 = new TextEncoder();

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
