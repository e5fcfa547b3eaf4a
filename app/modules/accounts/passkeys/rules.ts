/**
 * Decides which responses of an authenticator are accepted. Invariants: passkeys are discoverable, so that signing in needs no address
 * and the user handle is the account's id; user verification is preferred and recorded: without it a passkey signs in, but doesn't count
 * as a recent proof. Called from the commands and reads of this module.
 */
import { base64urlToText, textToBase64url } from "#app/core/text/base64url.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import type { AccountId, PasskeyId } from "#app/core/id.ts";
import * as v from "valibot";

/** Passkeys of an account; the browser gets their ids, so that no authenticator registers twice. */
export const passkeysMax = 20;

declare const credentialId: unique symbol;
/** The authenticator's own id of a passkey, in base64url. */
export type CredentialId = string & { readonly [credentialId]: true };

export type Passkey = {
  id: PasskeyId;
  accountId: AccountId;
  credentialId: CredentialId;
  publicKey: string;
  counter: number;
  transports: Transport[];
  name: string;
  provider: string | null;
  createdAt: number;
  lastUsedAt: number | null;
};

/** How the browser reaches the authenticator again, as reported at registration. */
const transports = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;
export type Transport = (typeof transports)[number];

/** What can be wrong with any authenticator's response. */
export type ResponseRefusal =
  /** Nothing was sent: the page's script didn't run. */
  | { reason: "passkey-missing" }
  | { reason: "passkey-malformed" }
  | { reason: "origin-foreign" }
  /** Not ours, or for another ceremony or account. */
  | { reason: "challenge-unknown" }
  | { reason: "challenge-stale" }
  | { reason: "challenge-used" }
  /**
   * Another account's, or an invalid signature: the answer doesn't say which. `unknownId` if there is no such passkey, so that the browser
   * can stop offering it: the id is the authenticator's random number, and whether it exists reveals nothing about anybody.
   */
  | { reason: "passkey-refused"; unknownId?: CredentialId };

/** Base64url of at most this many characters. */
function encoded(lengthMax: number) {
  return v.pipe(v.string(), v.maxLength(lengthMax), v.regex(/^[\w-]+$/));
}

/** An id has 1023 bytes at most. The rest is far below the form's limit; attestations with certificates aren't requested. */
const credential = {
  id: v.pipe(
    encoded(1364),
    v.transform((id) => id as CredentialId),
  ),
  rawId: encoded(1364),
  type: v.literal("public-key"),
};

const registrationJson = v.object({
  ...credential,
  response: v.object({
    clientDataJSON: encoded(8000),
    attestationObject: encoded(16_000),
    transports: v.pipe(
      v.optional(v.array(v.string()), []),
      v.transform((reported) => transports.filter((transport) => reported.includes(transport))),
    ),
  }),
});
const assertionJson = v.object({
  ...credential,
  response: v.object({
    clientDataJSON: encoded(8000),
    authenticatorData: encoded(8000),
    signature: encoded(2000),
    // Some browsers write an absent one as an empty text.
    userHandle: v.nullish(v.union([v.literal(""), encoded(100)])),
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

/** Parses what a browser's script posts; null if it is malformed. */
export function readRegistration(text: string): Registration | null {
  return parse(registrationJson, text);
}

export function readAssertion(text: string): Assertion | null {
  return parse(assertionJson, text);
}

/** The client data, written by the browser and signed by the authenticator. */
export function readClientData(response: { clientDataJSON: string }): ClientData | null {
  return parse(clientDataJson, base64urlToText(response.clientDataJSON) ?? "");
}

function parse<Schema extends v.GenericSchema>(schema: Schema, text: string): v.InferOutput<Schema> | null {
  try {
    const parsed = v.safeParse(schema, JSON.parse(text));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

/** An account as authenticators store it: `name` is what tells its passkeys from another account's. */
export function passkeyUser({ id, email, name }: Pick<Account, "id" | "email" | "name">) {
  return { id: textToBase64url(id), name: email, displayName: name ?? email };
}

/** The relying party id: our own host, as configured. */
export function hostOf(origin: string): string {
  return new URL(origin).hostname;
}

/** Checks that the response was made on our origin, in a top-level page, in the ceremony it names. */
export function checkClientData(
  clientData: ClientData,
  expected: { type: "webauthn.create" | "webauthn.get"; origin: string },
): ResponseRefusal | null {
  if (clientData.type !== expected.type) return { reason: "challenge-unknown" };
  // None of our pages is framed by another site.
  if (clientData.origin !== expected.origin || clientData.crossOrigin) return { reason: "origin-foreign" };
  return null;
}

/**
 * Whether the authenticator's counter increased; otherwise there is a copy of the passkey. Synced passkeys don't count and always report
 * zero. The SQL statement repeats this decision.
 */
export function counterIncreased(stored: number, reported: number): boolean {
  return reported > stored || (stored === 0 && reported === 0);
}

/** A discoverable passkey contains the user handle; if the account was known before, it may be missing. */
export function isTheirs(
  passkey: Pick<Passkey, "accountId">,
  userHandle: string | null | undefined,
  askedFor: string | null,
): boolean {
  if (askedFor !== null && passkey.accountId !== askedFor) return false;
  return userHandle ? base64urlToText(userHandle) === passkey.accountId : askedFor !== null;
}

/** The name entered by the owner; else the provider, else the browser that created it. */
export function namePasskey(typed: string, provider: string | null, device: string): string {
  return typed || provider || device;
}
