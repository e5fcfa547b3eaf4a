/**
 * Addresses that an account had before its present one. What else is known of a person goes by the address (places on the
 * waitlist, browsers, budgets), so that an erasure has to know them all; sealed, since nothing else needs to.
 */
import { keyedHash, seal, unseal } from "#app/core/digest.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { newId, type Random } from "#app/core/id.ts";

export type FormerAddress = { id: string; accountId: string; sealed: string; leftAt: number; addressHash: string };

/** Under which an operator who knows the address finds whose it was. */
export function formerAddressHash(pepper: string, canonical: string): Promise<string> {
  return keyedHash(pepper, "former address", canonical);
}

type Powers = { pepper: string; random: Random; clock: () => number };

/** The address that the account has now, and leaves. */
export async function sealFormerAddress(app: Powers, account: { id: string; email: string }): Promise<FormerAddress> {
  const address = parseEmailAddress(account.email);
  if (!address) throw new Error("A stored address does not parse");
  const sealed = await seal(app.pepper, address.canonical, app.random);
  const addressHash = await formerAddressHash(app.pepper, address.canonical);
  return { id: newId("adr", app.random), accountId: account.id, sealed, leftAt: app.clock(), addressHash };
}

/** Null: sealed under another pepper, under which nothing else of that address can be found any more either. */
export async function openFormerAddress(
  pepper: string,
  { sealed, leftAt }: Pick<FormerAddress, "sealed" | "leftAt">,
): Promise<{ address: string; leftAt: number } | null> {
  try {
    return { address: await unseal(pepper, sealed), leftAt };
  } catch {
    return null;
  }
}
