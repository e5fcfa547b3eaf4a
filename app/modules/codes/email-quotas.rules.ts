/**
 * Limits the emails that public forms can cause, per mailbox, per network and for the whole site, in a sliding hour. Invariants: every
 * form that emails a typed address counts against the same quotas (sign-in, sign-up, change of address, waitlist, withdrawal); a browser
 * that signed in to the address before has a reserve that strangers can't use up. Called from the commands that send these emails.
 */
import { keyedHash } from "#app/core/hash.ts";
import { networksOf } from "#app/core/network.ts";
import { hourMs, secondMs } from "#app/core/time/time.ts";

/** Emails to one mailbox in an hour. */
export const sendsPerHourMax = 5;
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
/** Emails in an hour to all unknown browsers together; the first refusal is reported. */
export const sendsOfSiteMax = 5000;

const networkMax = { 32: sendsPer32Max, 48: sendsPer48Max, 56: sendsPer56Max, 64: sendsPerNetworkMax } as const;

/** `captcha-wanted` comes from a smaller quota, which a captcha lifts (captcha.rules.ts). */
export type QuotaReason =
  | "too-soon"
  | "too-many-emails"
  | "too-many-from-network"
  | "too-many-from-site"
  | "captcha-wanted";
export type Quota<Reason extends string = QuotaReason> = {
  name: string;
  max: number;
  windowMs: number;
  /** Why an email is refused when the quota is used up. */
  reason: Reason;
};

/** The quota of the whole site, named like the others so that one statement counts all of them. */
export const siteQuota: Quota<"too-many-from-site"> = {
  name: "emails of site",
  max: sendsOfSiteMax,
  windowMs: quotaWindowMs,
  reason: "too-many-from-site",
};

/** Forms with a minimum gap of their own, so that joining the waitlist doesn't delay signing in. */
const gapForms = ["codes", "waitlist"] as const;

type Names = { emails: string; tries: string };

/** The minimum gap between two emails of a form to an address. Named after the address's tries, so that both are erased together. */
export function gapOf(names: Names, form: (typeof gapForms)[number]): Quota<"too-soon"> {
  return { name: gapName(names, form), max: 1, windowMs: sendGapMs, reason: "too-soon" };
}

function gapName({ tries }: Names, form: (typeof gapForms)[number]): string {
  return `${tries}.${form}`;
}

/** Every name under which an address, or a known browser's reserve for it, is counted. */
export function quotaNamesOf(names: Names): string[] {
  const gaps = gapForms.map((form) => gapName(names, form));
  return [names.emails, names.tries, ...gaps];
}

export function mailboxQuota(emails: string): Quota<"too-many-emails"> {
  return { name: emails, max: sendsPerHourMax, windowMs: quotaWindowMs, reason: "too-many-emails" };
}

/** The other quotas that an email from an unknown browser uses: one for each prefix of its network, and the site's. */
export async function strangerQuotas(
  pepper: string,
  ip: string,
): Promise<Quota<"too-many-from-network" | "too-many-from-site">[]> {
  const ofNetwork = networksOf(ip).map(async ({ bits, network }) => {
    const name = await keyedHash(pepper, "emails of network", network);
    return { name, max: networkMax[bits], windowMs: quotaWindowMs, reason: "too-many-from-network" } as const;
  });
  return [...(await Promise.all(ofNetwork)), siteQuota];
}

/** A full quota, and when it has room again. */
export type Full<Reason extends string = QuotaReason> = { reason: Reason; retryAt: number };
