import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { generatedSecrets } from "#app/configuration.ts";

/** 32 random bytes each; the signing key is a private Ed25519 key as JWK. */
const generators: Record<(typeof generatedSecrets)[number], () => string> = {
  CODE_PEPPER: random,
  VISIT_SECRET: random,
  ENTITLEMENT_SIGNING_KEY: () => JSON.stringify(generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })),
  OPERATOR_TOKEN: random,
};

/** New values for those that aren't among `known`: a value that is in use is never replaced. */
export function generateSecrets(known: readonly string[]): Record<string, string> {
  const missing = Object.entries(generators).filter(([name]) => !known.includes(name));
  return Object.fromEntries(missing.map(([name, generate]) => [name, generate()]));
}

function random(): string {
  return randomBytes(32).toString("base64url");
}
