/**
 * An account's former addresses. Other data is stored by address (browsers, quotas, what features store), so erasing an account needs all of
 * them. Invariant: they are encrypted, since nothing else needs to read them. Called when an address changes and when an account is
 * erased.
 */
import { keyedHash } from "#app/core/hash.ts";
import { seal, unseal } from "#app/core/seal.ts";
import { parseStoredAddress } from "#app/core/text/email-address.ts";
import { type FormerAddressId, newId, type Random, type AccountId } from "#app/core/id.ts";

export type FormerAddress = {
  id: FormerAddressId;
  accountId: AccountId;
  sealed: string;
  leftAt: number;
  addressHash: string;
};

/** The hash by which an operator who knows the address finds its former account. */
export function formerAddressHash(pepper: string, canonical: string): Promise<string> {
  return keyedHash(pepper, "former address", canonical);
}

type Deps = { pepper: string; random: Random; clock: () => number };

/** The address that the account has now and is about to lose. */
export async function sealFormerAddress(app: Deps, account: { id: AccountId; email: string }): Promise<FormerAddress> {
  const address = parseStoredAddress(account.email);
  const sealed = await seal(app.pepper, address.canonical, app.random);
  const addressHash = await formerAddressHash(app.pepper, address.canonical);
  return { id: newId("adr", app.random), accountId: account.id, sealed, leftAt: app.clock(), addressHash };
}

/** Null if the address was encrypted with another pepper. No other data of that address can be found then, either. */
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
