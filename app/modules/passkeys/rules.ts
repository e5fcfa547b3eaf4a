/**
 * The passkeys module: keys that sign in without a mail. They are discoverable: nobody types an address, and the user handle, which is the
 * account's id, says whose a passkey is. That the authenticator asked for a finger or a PIN is preferred and looked at: without it a
 * passkey signs in, as a mailbox would that nobody locked, but proves nothing freshly.
 */
import * as v from "valibot";

/** Passkeys of an account; the browser is told of each, so that no device gets two. */
export const passkeysMax = 20;

export type Passkey = {
  id: string;
  accountId: string;
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: Transport[];
  name: string;
  provider: string | null;
  createdAt: number;
  lastUsedAt: number | null;
};

/** How a page reaches the authenticator again: what the browser said when the passkey was made. */
const transports = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;
export type Transport = (typeof transports)[number];

/** What is wrong with any answer of an authenticator. */
export type ResponseRefusal =
  /** Nothing came: the page's script didn't run. */
  | { reason: "passkey-missing" }
  | { reason: "passkey-malformed" }
  | { reason: "origin-foreign" }
  /** None of ours, or one for another ceremony or account. */
  | { reason: "challenge-unknown" }
  | { reason: "challenge-stale" }
  | { reason: "challenge-used" }
  /** Unknown, somebody else's, gone with its account, or a signature that doesn't fit: nobody is told which. */
  | { reason: "passkey-refused" };

/** Base64url of at most so many letters. */
function encoded(lettersMax: number) {
  return v.pipe(v.string(), v.maxLength(lettersMax), v.regex(/^[\w-]+$/));
}

/** An id has 1023 bytes at most. The rest is far below what a form takes; attestations with certificates aren't asked for. */
const credential = { id: encoded(1364), rawId: encoded(1364), type: v.literal("public-key") };

const registrationJson = v.object({
  ...credential,
  response: v.object({
    clientDataJSON: encoded(8000),
    attestationObject: encoded(16_000),
    transports: v.pipe(
      v.optional(v.array(v.string()), []),
      v.transform((told) => transports.filter((transport) => told.includes(transport))),
    ),
  }),
});
const assertionJson = v.object({
  ...credential,
  response: v.object({
    clientDataJSON: encoded(8000),
    authenticatorData: encoded(8000),
    signature: encoded(2000),
    userHandle: v.nullish(encoded(100)),
  }),
});
const clientDataJson = v.object({
  type: v.string(),
  challenge: v.pipe(v.string(), v.regex(/^[\w-]+$/)),
  origin: v.string(),
  crossOrigin: v.optional(v.boolean(), false),
});

export type Registration = v.InferOutput<typeof registrationJson>;
export type Assertion = v.InferOutput<typeof assertionJson>;
type ClientData = v.InferOutput<typeof clientDataJson>;

/** What a browser's script posts, read with suspicion; null is malformed. */
export function readRegistration(text: string): Registration | null {
  return parse(registrationJson, text);
}

export function readAssertion(text: string): Assertion | null {
  return parse(assertionJson, text);
}

/** What the browser itself wrote down of the ceremony. The authenticator signs it. */
export function readClientData(response: { clientDataJSON: string }): ClientData | null {
  return parse(clientDataJson, decodeText(response.clientDataJSON) ?? "");
}

function parse<Schema extends v.GenericSchema>(schema: Schema, text: string): v.InferOutput<Schema> | null {
  try {
    const parsed = v.safeParse(schema, JSON.parse(text));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

/** UTF-8 behind base64url; null where there is none. */
export function decodeText(base64url: string): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(decodeBytes(base64url));
  } catch {
    return null;
  }
}

/** Throws at what is no base64url. */
export function decodeBytes(base64url: string): Uint8Array<ArrayBuffer> {
  const letters = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

export function encodeBytes(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** What passkeys belong to: our own host, as configured. */
export function hostOf(origin: string): string {
  return new URL(origin).hostname;
}

/** Made here, in a page of its own, and in the ceremony that it says. */
export function judgeClientData(
  clientData: ClientData,
  expected: { type: "webauthn.create" | "webauthn.get"; origin: string },
): ResponseRefusal | null {
  if (clientData.type !== expected.type) return { reason: "challenge-unknown" };
  // No page of ours stands in a frame of somebody else's.
  if (clientData.origin !== expected.origin || clientData.crossOrigin) return { reason: "origin-foreign" };
  return null;
}

/**
 * Does the authenticator's count of uses go on? One that stands still or goes back says that there is a copy. Passkeys that are synced
 * between devices don't count, and say zero every time. The store's statement repeats this decision.
 */
export function counterGoesOn(stored: number, told: number): boolean {
  return told > stored || (stored === 0 && told === 0);
}

/** A discoverable passkey says whose it is; where the account was known before, it may say nothing. */
export function isTheirs(
  passkey: Pick<Passkey, "accountId">,
  userHandle: string | null | undefined,
  askedFor: string | null,
): boolean {
  if (askedFor !== null && passkey.accountId !== askedFor) return false;
  return userHandle ? decodeText(userHandle) === passkey.accountId : askedFor !== null;
}

/** What the owner typed; else who keeps it, else the browser in which it was made. */
export function namePasskey(typed: string, provider: string | null, device: string): string {
  return typed || provider || device;
}
