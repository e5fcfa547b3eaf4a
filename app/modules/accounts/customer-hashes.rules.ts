/**
 * Keyed hashes by which a mailbox, its domain or a payment method is recognised on a second account. Invariant: they allow comparison
 * only and reveal nothing else. Called from the reconciler and by the offers that a new customer gets once.
 */
import { keyedHash } from "#app/core/hash.ts";
import { mailboxOf } from "#app/core/text/email-address.ts";

export const hashKinds = ["mailbox", "payment-method"] as const;

export function mailboxHash(pepper: string, canonical: string): Promise<string> {
  return keyedHash(pepper, "mailbox", mailboxOf(canonical));
}

/** For a card or bank account, from Stripe's fingerprint. */
export function methodHash(pepper: string, fingerprint: string): Promise<string> {
  return keyedHash(pepper, "card", fingerprint);
}

type PaidMethod = { fingerprint: string | null; paidAt: number };
export type HashedMethod = { hash: string; firstAt: number };

/** One hash per payment method, with the time of the first payment by it. */
export function methodHashesOf(pepper: string, payments: readonly PaidMethod[]): Promise<HashedMethod[]> {
  const firsts = new Map<string, number>();
  for (const { fingerprint, paidAt } of payments) {
    if (fingerprint !== null) firsts.set(fingerprint, Math.min(paidAt, firsts.get(fingerprint) ?? Infinity));
  }
  return Promise.all(
    [...firsts].map(async ([fingerprint, firstAt]) => ({ hash: await methodHash(pepper, fingerprint), firstAt })),
  );
}

/** Public email providers: two people at one of these domains are unrelated. */
const publicDomains = new Set([
  "gmail.com",
  "outlook.com",
  "hotmail.com",
  "live.com",
  "msn.com",
  "icloud.com",
  "yahoo.com",
  "ymail.com",
  "aol.com",
  "proton.me",
  "gmx.de",
  "gmx.net",
  "gmx.at",
  "gmx.ch",
  "gmx.com",
  "web.de",
  "t-online.de",
  "freenet.de",
  "posteo.de",
  "mailbox.org",
  "tutanota.com",
  "tuta.com",
  "tuta.io",
  "fastmail.com",
  "hey.com",
  "zoho.com",
  "mail.com",
  "mail.ru",
  "yandex.ru",
  "outlook.de",
  "hotmail.de",
  "yahoo.de",
  "yahoo.co.uk",
  "yahoo.fr",
  "yahoo.es",
  "yahoo.it",
  "hotmail.co.uk",
  "hotmail.fr",
  "hotmail.it",
  "live.co.uk",
  "live.nl",
  "btinternet.com",
  "sky.com",
  "orange.fr",
  "free.fr",
  "laposte.net",
  "libero.it",
  "wp.pl",
  "o2.pl",
  "onet.pl",
  "seznam.cz",
  "bluewin.ch",
  "comcast.net",
  "verizon.net",
  "qq.com",
  "163.com",
]);

/**
 * The registered domain of an address (`example.co.uk` for `mail.example.co.uk`), by the Public Suffix List: its owner can receive every
 * name at it, and below it, in one mailbox. Null for a public email provider.
 */
export async function ownDomainOf(canonical: string): Promise<string | null> {
  // The library has 75 kB and is needed only when a friend has paid and when an account is erased.
  const { getDomain } = await import("tldts-icann");
  const mailbox = mailboxOf(canonical);
  const domain = mailbox.slice(mailbox.lastIndexOf("@") + 1);
  const registered = getDomain(domain) ?? domain;
  return publicDomains.has(domain) || publicDomains.has(registered) ? null : registered;
}

export function domainHash(pepper: string, domain: string): Promise<string> {
  return keyedHash(pepper, "mail domain", domain);
}
