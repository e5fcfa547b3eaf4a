import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { findStreak } from "#app/modules/codes/quotas.queries.server.ts";
import { listUses } from "#app/modules/codes/uses.queries.server.ts";
import { type Code, judgeTry, type Carried, type Purpose, type TryRefusal } from "#app/modules/codes/rules.ts";
import { findCode, readCode } from "#app/modules/codes/queries.server.ts";
import { refused, type Result } from "#app/core/result.ts";

/** The code was right but not ours to use any more: somebody was faster, the budget was gone by then, or what `otherwise` says. */
export async function refuseClaim(
  app: Pick<App, "db" | "clock">,
  code: Code,
  tries: string,
  otherwise: ProofRefusal = { reason: "code-used" },
): Promise<Result<never, ProofRefusal>> {
  const now = app.clock();
  const { rows, uses, streaks } = await batchNamed(app.db, {
    rows: findCode(app.db, code.id, code.browserHash),
    uses: listUses(app.db, tries, now),
    streaks: findStreak(app.db, tries),
  });
  const [row] = rows;
  const quota = { triedAts: uses.map((use) => use.usedAt), pausedUntil: streaks[0]?.pausedUntil ?? null };
  return refused(judgeTry(row ? readCode(row) : null, quota, now) ?? otherwise);
}

export type Powers = App;

export type Proof = {
  requestId: string;
  digits: string;
  browserToken: string;
  /** The session cookie that the browser carries already, if any: it is replaced, never adopted. */
  sessionToken: string | null;
  device: string;
  place: string | null;
  /** Of a new account; null: nobody knows, and the product's own is as good as any. */
  timeZone?: string | null;
};

/** The code that was typed, and the budget that it may be used on. */
export type Match = { code: Code; proof: Proof; quotas: { addressHash: string; tries: string } };

export type Proven = {
  requestId: string;
  accountId: string;
  sessionToken: string;
  purpose: Purpose;
  isNew: boolean;
  carried: Carried;
};

export type ProofRefusal =
  | TryRefusal
  | { reason: "address-taken" }
  | { reason: "address-held" }
  /** The gate guards sign-up, and was shut or the invitation ended since the code was asked for. */
  | { reason: "by-invitation" }
  | { reason: "invitation-over" }
  | { reason: "account-not-here" }
  /** The code is right and still there, but its asker's last proof is older than a code for a new address may be. */
  | { reason: "proof-stale" };
