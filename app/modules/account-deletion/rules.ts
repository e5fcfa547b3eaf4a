/**
 * The leaving module: how somebody closes an account, has it back for a while, takes all data along, and is forgotten. It owns no
 * table. It stands last in the order of modules since each of them holds a part of what a person leaves behind.
 */
import { fileNamePart } from "#app/core/text/file-name.ts";
import { dayMs } from "#app/core/time/time.ts";

/** How long a closed account can be restored. */
export const restoreMs = 14 * dayMs;

type Standing = { state: "active" | "leaving" | "gone"; leavingUntil: number | null };

export type LeaveRefusal = { reason: "proof-stale" } | { reason: "account-leaving" };

/** May this account be closed now? Null: yes. */
export function judgeLeave(account: Standing, isReauthenticated: boolean): LeaveRefusal | null {
  if (account.state !== "active") return { reason: "account-leaving" };
  return isReauthenticated ? null : { reason: "proof-stale" };
}

export type RestoreRefusal = { reason: "not-leaving" } | { reason: "restore-too-late" };

/** Why an account was not had back, by how it stands afterwards: the store's statement decides, this says its reason. */
export function judgeRestore(account: { state: string } | undefined): RestoreRefusal {
  return account?.state === "active" ? { reason: "not-leaving" } : { reason: "restore-too-late" };
}

/** "gull-data-2026-11-20.json". */
export function dataFileName(productName: string, now: number): string {
  return `${fileNamePart(productName)}-data-${new Date(now).toISOString().slice(0, 10)}.json`;
}
