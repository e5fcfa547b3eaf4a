/**
 * What ENTITLEMENT_SIGNING_KEY may say: one private Ed25519 key as JWK, or several, the first of which signs while the others are
 * still published. A local value is a word that begins with `local-`, from which a key is made: nobody takes it for a real one.
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

/** In the order in which they were given; null: at least one of them is no such key, or local ones stand among others. */
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
