/**
 * Decides whether an account can be closed or restored. Invariants: a closed account can be restored until its restore period ends, then
 * every module erases its part; this module owns no table and comes last but one in the order of modules, since the others hold the data.
 * Called from the commands of this module and the settings.
 */
import { fileNamePart } from "#app/core/text/file-name.ts";
import { dayMs } from "#app/core/time/time.ts";
import type { Account } from "#app/modules/accounts/rules.ts";

/** How long a closed account can be restored. */
export const restoreMs = 14 * dayMs;

export type CloseAccountRefusal = { reason: "proof-stale" } | { reason: "account-closed" };

/** Why this account can't be closed now. Null if it can be. */
export function checkClosing(account: Pick<Account, "state">, isReauthenticated: boolean): CloseAccountRefusal | null {
  if (account.state !== "active") return { reason: "account-closed" };
  return isReauthenticated ? null : { reason: "proof-stale" };
}

export type RestoreRefusal = { reason: "not-closed" } | { reason: "restore-too-late" };

/** Why an account wasn't restored, from its state afterwards: the SQL statement decides, this finds the reason. */
export function checkRestore(account: { state: string } | undefined): RestoreRefusal {
  return account?.state === "active" ? { reason: "not-closed" } : { reason: "restore-too-late" };
}

/** "gull-data-2026-11-20.json". */
export function dataFileName(productName: string, now: number): string {
  return `${fileNamePart(productName)}-data-${new Date(now).toISOString().slice(0, 10)}.json`;
}
