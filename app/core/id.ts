/**
 * Ids have a prefix per kind: `ord_` and 26 characters (128 bits, Crockford's alphabet without i, l, o, u). A plan's id is a name from the
 * config, and plain text.
 */
export type Id<Prefix extends string> = `${Prefix}_${string}`;

export type AccountId = Id<"acc">;
/** A row of an account's activity log. */
export type ActivityId = Id<"act">;
export type AddressChangeId = Id<"chg">;
/** A declaration that cancels a contract. */
export type CancellationId = Id<"ccl">;
export type DeviceId = Id<"dev">;
/** After the prefix it is random or, for an email that is sent only once, says what the email is about: `mail_acc_….account-closed.…`. */
export type EmailId = Id<"mail">;
/** Of an address that waits at the gate: what an invitation is made out to. */
export type EntryId = Id<"ent">;
export type FormerAddressId = Id<"adr">;
/** A line of the ledger. After the prefix comes what the line is due to. */
export type LedgerLineId = Id<"line">;
/** A row of the operators' log. */
export type OperatorCallId = Id<"opa">;
export type OrderId = Id<"ord">;
export type PasskeyId = Id<"pky">;
/** A use of a quota. It has an id of its own, or names what is counted once: an account, a referral or a retry of a payment. */
export type QuotaUseId = Id<"use" | "retry"> | NetworkUseId;
export type ReferralId = Id<"ref">;
/** A request for a code. */
export type RequestId = Id<"req">;
export type SessionId = Id<"ses">;
export type WithdrawalId = Id<"wdr">;
/** What a code or challenge was consumed for: a session, a passkey or a row of the activity log. */
export type ConsumerId = ActivityId | PasskeyId | SessionId;

declare const networkUse: unique symbol;
/** A sign-up counted by its network. It is branded because, as a template type, `acc_….network` could be passed as an account's id. */
export type NetworkUseId = string & { readonly [networkUse]: true };

/** Each account and each referral is counted once. */
export function networkUseId(counted: AccountId | ReferralId): NetworkUseId {
  // The only place that makes one.
  return `${counted}.network` as NetworkUseId;
}

/** Ids that no row has. A query in a batch takes one of them when it has no argument. */
export const noAccount: AccountId = "acc_";
export const noCancellation: CancellationId = "ccl_";
export const noDevice: DeviceId = "dev_";
export const noEmail: EmailId = "mail_";
export const noOrder: OrderId = "ord_";
export const noPasskey: PasskeyId = "pky_";
export const noReferral: ReferralId = "ref_";
export const noRequest: RequestId = "req_";
export const noSession: SessionId = "ses_";
export const noWithdrawal: WithdrawalId = "wdr_";

/** Reads an id from outside, such as a URL, a form or Stripe's metadata. Null if it isn't of this kind. The row may not exist. */
export function readId<Prefix extends string>(prefix: Prefix, text: string | null | undefined): Id<Prefix> | null {
  return isId(prefix, text) ? text : null;
}

function isId<Prefix extends string>(prefix: Prefix, text: string | null | undefined): text is Id<Prefix> {
  return text?.startsWith(`${prefix}_`) ?? false;
}

export type Random = (byteCount: number) => Uint8Array;

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

export function newId<Prefix extends string>(prefix: Prefix, random: Random): Id<Prefix> {
  return `${prefix}_${toBase32(random(16))}`;
}

/** 256 random bits for cookies and links, URL-safe. Only its hash is stored. */
export function newToken(random: Random): string {
  return toBase32(random(32));
}

/** The CSP nonce shared by a response's scripts and its policy: 128 bits. */
export function newNonce(random: Random): string {
  return toBase32(random(16));
}

/** Five bits per character, the last one padded with zeros. */
export function toBase32(bytes: Uint8Array): string {
  let text = "";
  let pending = 0;
  let pendingBits = 0;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    pendingBits += 8;
    while (pendingBits >= 5) {
      pendingBits -= 5;
      text += alphabet.charAt((pending >> pendingBits) & 31);
    }
    pending &= (1 << pendingBits) - 1;
  }
  if (pendingBits > 0) text += alphabet.charAt((pending << (5 - pendingBits)) & 31);
  return text;
}

/** The bytes of `toBase32`'s text; null for any other text. */
export function fromBase32(text: string): Uint8Array<ArrayBuffer> | null {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8));
  let pending = 0;
  let pendingBits = 0;
  let at = 0;
  for (const character of text) {
    pending = ((pending << 5) | alphabet.indexOf(character)) & 4095;
    pendingBits += 5;
    if (pendingBits >= 8) {
      pendingBits -= 8;
      bytes[at++] = (pending >> pendingBits) & 255;
    }
  }
  return toBase32(bytes) === text ? bytes : null;
}
