/**
 * Parses ENTITLEMENT_SIGNING_KEY: a private Ed25519 key as JWK, or several, of which the first signs and all are published. A local value
 * begins with `local-` and is the seed of a key, so that it can't be mistaken for a real one.
 */
import * as v from "valibot";

const thirtyTwoBytes = v.pipe(v.string(), v.regex(/^[\w-]{43}$/));
const privateKey = v.object({
  kty: v.literal("OKP"),
  crv: v.literal("Ed25519"),
  d: thirtyTwoBytes,
  x: thirtyTwoBytes,
});

export type SigningKey = { kind: "seed"; seed: string } | { kind: "jwk"; jwk: v.InferOutput<typeof privateKey> };

/** The keys in the given order. Null if one of them is invalid, or if a local seed is mixed with real keys. */
export function readSigningKeys(text: string): SigningKey[] | null {
  const keys = text
    .trim()
    .split(/(?<=\})[\s,]+|[\s,]+(?=local-|\{)/)
    .map(readOne);
  const isOfOneKind = keys.every((key) => key !== null && key.kind === keys[0]?.kind);
  return isOfOneKind ? keys.filter((key) => key !== null) : null;
}

function readOne(text: string): SigningKey | null {
  if (/^local-[\w-]+$/.test(text)) return { kind: "seed", seed: text };
  try {
    const read = v.safeParse(privateKey, JSON.parse(text));
    return read.success ? { kind: "jwk", jwk: read.output } : null;
  } catch {
    return null;
  }
}
