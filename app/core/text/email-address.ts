import { invariant } from "../invariant.ts";
import { oneLinePattern } from "./text.ts";

/**
 * One canonical form per address: NFC, trimmed, the domain in lower-case punycode, the local part in lower case (no provider in use is
 * case-sensitive, and one mailbox must be one account). The address as typed is stored beside it.
 */
export type EmailAddress = {
  original: string;
  canonical: string;
  /** The delivery address: the local part as typed, the domain in ASCII, since mail servers map other characters in different ways. */
  deliverable: string;
};

/** RFC 5321, section 4.5.3.1: before the @. */
const localOctetsMax = 64;
/** RFC 5321, section 4.5.3.1: the whole address. */
const addressOctetsMax = 254;

/** RFC 5322 dot-atom, extended to characters beyond ASCII (RFC 6531). Quoted local parts are refused: they are practically unused. */
const localPart = /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const domainPart = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/**
 * Format characters (Cf) and others that render as nothing. IDNA drops some of them from a domain, but the typed form would retain them.
 */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** The address in both forms, or null when invalid. Look-alikes of @ (full width, small) are refused, not corrected. */
export function parseEmailAddress(text: string): EmailAddress | null {
  const original = text.normalize("NFC").trim();
  const at = original.lastIndexOf("@");
  // The URL parser strips control characters from the end of a domain, but `original` would retain them.
  if (at < 1 || !oneLinePattern.test(original) || invisible.test(original)) return null;
  const local = original.slice(0, at);
  const domain = toAsciiDomain(original.slice(at + 1));
  if (domain === null || !localPart.test(local) || !domainPart.test(domain)) return null;
  const canonical = `${local.toLowerCase().normalize("NFC")}@${domain}`;
  if (octets(local) > localOctetsMax || octets(canonical) > addressOctetsMax) return null;
  return { original, canonical, deliverable: `${local}@${domain}` };
}

/** An address that was valid when it was stored. */
export function parseStoredAddress(text: string): EmailAddress {
  const address = parseEmailAddress(text);
  invariant(address, "A stored address does not parse");
  return address;
}

/** The canonical form of an address that another service reports. Text that isn't an address stays as it is. */
export function canonicalAddress(text: string): string {
  return parseEmailAddress(text)?.canonical ?? text;
}

/** Domains that share one mailbox, and the characters their local parts ignore. */
type MailboxRule = { domains: readonly string[]; ignored: RegExp };

/** According to the providers' own help pages: Gmail, iCloud, Proton and Yandex. */
const mailboxRules: readonly MailboxRule[] = [
  { domains: ["gmail.com", "googlemail.com"], ignored: /\./g },
  { domains: ["icloud.com", "me.com", "mac.com"], ignored: /(?!)/g },
  { domains: ["proton.me", "protonmail.com", "protonmail.ch", "pm.me"], ignored: /[._-]/g },
  { domains: ["yandex.ru", "yandex.com", "yandex.by", "yandex.kz", "ya.ru"], ignored: /[.-]/g },
];

/**
 * The mailbox that a canonical address is delivered to, as far as its text shows: without the part after a plus, and with the provider's
 * rule about dots applied. Two addresses of one mailbox are one person, who may have an account with each.
 */
export function mailboxOf(canonical: string): string {
  const at = canonical.lastIndexOf("@");
  const domain = canonical.slice(at + 1);
  const rule = mailboxRules.find(({ domains }) => domains.includes(domain));
  const [name = ""] = canonical.slice(0, at).split("+");
  const plain = rule ? name.replace(rule.ignored, "") : name;
  return `${plain || canonical.slice(0, at)}@${rule?.domains[0] ?? domain}`;
}

/** "m•••@example.com": enough for its owner to recognise, too little to reveal it to others. */
export function maskEmailAddress(address: string): string {
  const at = address.lastIndexOf("@");
  const [first = ""] = address;
  return `${first}•••${address.slice(at)}`;
}

function toAsciiDomain(domain: string): string | null {
  // The URL parser implements the IDNA rules, but it also decodes, strips and parses ports, so only plain names may reach it.
  if (domain === "" || /[\s/:?#@%[\]\\<>^|]/.test(domain)) return null;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return null;
  }
}

function octets(text: string): number {
  return new TextEncoder().encode(text).length;
}
