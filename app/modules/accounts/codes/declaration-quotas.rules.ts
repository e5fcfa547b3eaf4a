/**
 * Limits what may be declared without signing in, a withdrawal or a cancellation. Invariants: a declaration is stored whatever was declared
 * or emailed before, unless its own network floods the table; only its email has quotas by mailbox, and waits for them. Called from the
 * commands that declare.
 */
import { keyedHash } from "#app/core/hash.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import {
  declarationEmails,
  mailboxQuota,
  mailboxQuotasOf,
  networkQuotas,
  type Quota,
  quotaWindowMs,
  siteQuota,
} from "./email-quotas.rules.ts";

/** Declarations in an hour by an account that is signed in to the address. */
export const declarationsOfOwnerMax = 20;

/** The declarer's network, and whether the declared address is that of the account that is signed in. */
type DeclarerFacts = { ip: string; isOwn: boolean };

/** What the declaration itself counts against: the declarer's own network, or the signed-in account. Nothing that others can use up. */
export async function declarationQuotas(
  pepper: string,
  canonical: string,
  { ip, isOwn }: DeclarerFacts,
): Promise<[Quota<"too-many-from-network">, ...Quota<"too-many-from-network">[]]> {
  if (!isOwn) return networkQuotas(pepper, ip, "declarations of network");
  return [
    {
      name: await declarationsOfOwner(pepper, canonical),
      max: declarationsOfOwnerMax,
      windowMs: quotaWindowMs,
      reason: "too-many-from-network",
    },
  ];
}

function declarationsOfOwner(pepper: string, canonical: string): Promise<string> {
  return keyedHash(pepper, "declarations of owner", canonical);
}

/** The emails of an account that is signed in to the address. */
function ownerReserve(pepper: string, canonical: string): Promise<string> {
  return keyedHash(pepper, "declaration emails of owner", canonical);
}

/** Every name under which an address's declarations are counted. */
export function declarationNamesOf(pepper: string, canonical: string): Promise<string[]> {
  return Promise.all([declarationsOfOwner, ownerReserve, declarationEmails].map((nameOf) => nameOf(pepper, canonical)));
}

export type WaitedQuota = Quota<"too-many-emails" | "too-many-from-network" | "too-many-from-site">;

/** What its email waits for. An account signed in to the address has a reserve that strangers can't use up. */
export async function declarationEmailQuotas(
  { pepper, product }: { pepper: string; product: Pick<ProductConfig, "emailLimits"> },
  canonical: string,
  { ip, isOwn }: DeclarerFacts,
): Promise<[WaitedQuota, ...WaitedQuota[]]> {
  if (isOwn) return [mailboxQuota(await ownerReserve(pepper, canonical))];
  const ofMailbox = await mailboxQuotasOf(pepper, await declarationEmails(pepper, canonical), ip);
  return [...ofMailbox, ...(await networkQuotas(pepper, ip)), siteQuota(product)];
}
