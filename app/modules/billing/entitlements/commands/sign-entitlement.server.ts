import { calculateJwkThumbprint, CompactSign, importJWK, type JWK } from "jose";
import type { App, Base, Secrets, Site } from "#app/app.ts";
import { type Claims, entitlementTimes } from "../entitlement.rules.ts";
import { readSigningKeys, type SigningKey } from "../signing-keys.rules.ts";

type Key = { kid: string; sign: Awaited<ReturnType<typeof importJWK>>; published: JWK };

/** Keys are imported once per secret and isolate. */
const keysBySecret = new Map<string, Promise<Key[]>>();

function keysOf({ entitlementSecret }: Pick<App, "entitlementSecret">): Promise<Key[]> {
  const there = keysBySecret.get(entitlementSecret);
  if (there) return there;
  // A Worker whose secret holds no key answers no request (app/configuration.ts).
  const made = Promise.all((readSigningKeys(entitlementSecret) ?? []).map(openKey));
  keysBySecret.set(entitlementSecret, made);
  return made;
}

/** The public keys with which products verify entitlements, as `/.well-known/jwks.json` publishes them. */
export async function publishedKeys(app: Pick<App, "entitlementSecret">): Promise<JWK[]> {
  return (await keysOf(app)).map((key) => key.published);
}

/** Signs with the first key and its key id. A feature may add claims of its own. */
export async function signEntitlement(app: Base & Site & Secrets, claims: Claims): Promise<string> {
  const key = await signingKey(app);
  const times = entitlementTimes(app.clock());
  const all = { iss: app.origin, aud: app.product.segment, ...claims, ...times };
  // jose's builder of claims copies and checks them first, which takes as long as signing.
  const payload = new TextEncoder().encode(JSON.stringify(all));
  return new CompactSign(payload).setProtectedHeader({ alg: "EdDSA", typ: "JWT", kid: key.kid }).sign(key.sign);
}

export async function signingKey(app: Pick<App, "entitlementSecret">): Promise<Key> {
  const [first] = await keysOf(app);
  if (!first) throw new Error("ENTITLEMENT_SIGNING_KEY holds no key");
  return first;
}

async function openKey(key: SigningKey): Promise<Key> {
  const jwk = key.kind === "jwk" ? key.jwk : await keyFromSeed(key.seed);
  const { kty, crv, x } = jwk;
  const kid = await calculateJwkThumbprint({ kty, crv, x });
  const sign = await importJWK(jwk, "EdDSA");
  if (!(await isPair(sign, await importJWK({ kty, crv, x }, "EdDSA"))))
    throw new Error("ENTITLEMENT_SIGNING_KEY: x and d are halves of two keys");
  return { kid, sign, published: { kty, crv, x, kid, alg: "EdDSA", use: "sig" } };
}

/** Mismatched halves of two keys would sign what no product can verify, without any error. */
async function isPair(sign: Key["sign"], check: Key["sign"]): Promise<boolean> {
  if (sign instanceof Uint8Array || check instanceof Uint8Array) return false;
  const probe = new Uint8Array(1);
  return crypto.subtle.verify("Ed25519", check, await crypto.subtle.sign("Ed25519", sign, probe), probe);
}

/** PKCS #8 header for the 32 bytes of an Ed25519 key (RFC 8410): the one import format that needs no public half. */
const pkcs8 = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];

async function keyFromSeed(seed: string): Promise<JWK & { kty: string }> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(seed)));
  const key = await crypto.subtle.importKey("pkcs8", new Uint8Array([...pkcs8, ...bytes]), "Ed25519", true, ["sign"]);
  const { d, x } = await crypto.subtle.exportKey("jwk", key);
  return { kty: "OKP", crv: "Ed25519", d, x };
}
