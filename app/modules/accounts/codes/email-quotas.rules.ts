/**
 * Limits the emails that public forms can cause, per mailbox, per network and for all strangers together, in a sliding hour. Invariants:
 * every form that emails a typed address counts against the same quotas (sign-in, sign-up, change of address, those of features), but for
 * declarations, whose emails have a mailbox's quota of their own; one network never uses up a mailbox's; what strangers have together
 * doesn't count for the codes of accounts; a browser that signed in to the address before has a reserve that strangers can't use up.
 * Called from the commands that send these emails.
 */
import type { FormCounters } from "#app/core/rate-limiter.ts";
import { keyedHash } from "#app/core/hash.ts";
import { networksOf, ownNetworkOf } from "#app/core/network.ts";
import { mailboxOf } from "#app/core/text/email-address.ts";
import { hourMs, secondMs } from "#app/core/time/time.ts";
import { emailLimitsOf } from "#app/modules/catalogue/email-limits.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";

/** Emails to one mailbox in an hour. */
export const sendsPerHourMax = 5;
/** How many of these one network can cause: an IPv4 address or an IPv6 /48. The rest is left for the mailbox's owner elsewhere. */
export const sendsFromNetworkMax = 3;
/** Minimum time between two emails of one form to one address. */
export const sendGapMs = 30 * secondMs;
/** The sliding window of all quotas of tries and emails. */
export const quotaWindowMs = hourMs;
/** Emails in an hour for one IPv4 address or one IPv6 /64. */
export const sendsPerNetworkMax = 20;
/** The same for an IPv6 /56, often one home. */
export const sendsPer56Max = 40;
/** The same for an IPv6 /48, often one company. */
export const sendsPer48Max = 100;
/** The same for an IPv6 /32, often a whole provider. */
export const sendsPer32Max = 1000;

const networkMax = { 32: sendsPer32Max, 48: sendsPer48Max, 56: sendsPer56Max, 64: sendsPerNetworkMax } as const;

/** `challenge-wanted` comes from a smaller quota, which a challenge lifts (challenge.rules.ts). */
export type QuotaReason =
  | "too-soon"
  | "too-many-emails"
  | "too-many-from-network"
  | "too-many-from-site"
  | "challenge-wanted";
export type Quota<Reason extends string = QuotaReason> = {
  name: string;
  max: number;
  windowMs: number;
  /** Why an email is refused when the quota is used up. */
  reason: Reason;
};

/** What all strangers have together, named like the others so that one statement counts all of them. The first refusal is reported. */
export function siteQuota(product: Pick<ProductConfig, "emailLimits">): Quota<"too-many-from-site"> {
  const max = emailLimitsOf(product).strangersPerHour;
  return { name: siteQuotaName, max, windowMs: quotaWindowMs, reason: "too-many-from-site" };
}

export const siteQuotaName = "emails of site";

/** Under which names an address is counted, or a known browser's reserve for it. */
type Names = { emails: string; address: string };

/** The minimum gap between two emails of a form to an address; each form has its own, so that none delays signing in. Named after the address, so that it is erased with it. */
export function gapOf(names: Names, form: keyof FormCounters): Quota<"too-soon"> {
  return { name: gapName(names, form), max: 1, windowMs: sendGapMs, reason: "too-soon" };
}

function gapName({ address }: Names, form: keyof FormCounters): string {
  return `${address}.${form}`;
}

/** The names under which an address, or a known browser's reserve for it, is counted: those of its parts begin with them and a dot. */
export function quotaNamesOf({ emails, address }: Names): string[] {
  return [emails, address];
}

/** The name of the part of a quota that one network has. */
export async function networkPartOf(pepper: string, name: string, ip: string): Promise<string> {
  return `${name}.${await keyedHash(pepper, "network of quota", `${name}\n${ownNetworkOf(ip)}`)}`;
}

export function mailboxQuota(emails: string): Quota<"too-many-emails"> {
  return { name: emails, max: sendsPerHourMax, windowMs: quotaWindowMs, reason: "too-many-emails" };
}

/** A mailbox's quota for unknown browsers: what this network has of it comes first, so that no other network's part can be used up from here. */
export async function mailboxQuotasOf(
  pepper: string,
  emails: string,
  ip: string,
): Promise<[Quota<"too-many-emails">, Quota<"too-many-emails">]> {
  const ofNetwork = {
    ...mailboxQuota(emails),
    name: await networkPartOf(pepper, emails, ip),
    max: sendsFromNetworkMax,
  };
  return [ofNetwork, mailboxQuota(emails)];
}

/** A mailbox's quota of emails about declarations, which are sent to any address and so have none of sign-in's. */
export function declarationEmails(pepper: string, canonical: string): Promise<string> {
  return keyedHash(pepper, "declaration emails of mailbox", mailboxOf(canonical));
}

/** What a network has in an hour of something that strangers do, emails unless said otherwise: a quota for each prefix of it. */
export async function networkQuotas(
  pepper: string,
  ip: string,
  counted: "emails of network" | "declarations of network" = "emails of network",
): Promise<[NetworkQuota, ...NetworkQuota[]]> {
  const quotaOf = async ({ bits, network }: ReturnType<typeof networksOf>[number]): Promise<NetworkQuota> => {
    const name = await keyedHash(pepper, counted, network);
    return { name, max: networkMax[bits], windowMs: quotaWindowMs, reason: "too-many-from-network" };
  };
  const [narrowest, ...wider] = networksOf(ip);
  return [await quotaOf(narrowest), ...(await Promise.all(wider.map(quotaOf)))];
}

type NetworkQuota = Quota<"too-many-from-network">;

/** A full quota, and when it has room again. */
export type Full<Reason extends string = QuotaReason> = { reason: Reason; retryAt: number };
