import type { AccountId, RequestId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App, Base, Outbox, RequestScope, Secrets, Site } from "#app/app.ts";
import { findStreak } from "#app/modules/codes/quotas.queries.server.ts";
import { listUses } from "#app/modules/codes/quota-uses.queries.server.ts";
import { type Code, checkTry, type Carried, type Purpose, type TryRefusal } from "#app/modules/codes/rules.ts";
import { findCode } from "#app/modules/codes/queries.server.ts";
import { refused, type Result } from "#app/core/result.ts";

/** Why the right code couldn't be used up: another request used it first, the quota ran out meanwhile, or `otherwise`. */
export async function explainUnusedCode(
  app: Pick<App, "db" | "clock">,
  code: Code,
  tries: string,
  otherwise: CodeProofRefusal = { reason: "code-used" },
): Promise<Result<never, CodeProofRefusal>> {
  const now = app.clock();
  const { rows, uses, streaks } = await batchNamed(app.db, {
    rows: findCode(app.db, code.id, code.browserHash),
    uses: listUses(app.db, tries, now),
    streaks: findStreak(app.db, tries),
  });
  const [row] = rows;
  const quota = { triedAts: uses.map((use) => use.usedAt), pausedUntil: streaks[0]?.pausedUntil ?? null };
  return refused(checkTry(row ?? null, quota, now) ?? otherwise);
}

export type Deps = Base & Site & Secrets & Outbox & RequestScope;

export type Proof = {
  requestId: RequestId;
  digits: string;
  browserToken: string;
  /** The browser's present session cookie, if any: its session is replaced, never reused. */
  sessionToken: string | null;
  device: string;
  country: string | null;
  /** For a new account; null: unknown, and the product's default applies. */
  timeZone?: string | null;
};

/** The code that was entered, and the quota it counts against. */
export type CodeMatch = { code: Code; proof: Proof; quotas: { addressHash: string; tries: string } };

export type Proven = {
  requestId: RequestId;
  accountId: AccountId;
  sessionToken: string;
  purpose: Purpose;
  isNew: boolean;
  carried: Carried;
};

export type CodeProofRefusal =
  | TryRefusal
  | { reason: "address-taken" }
  | { reason: "address-held" }
  /** Sign-up is gated, and the gate closed or the invitation ended since the code was requested. */
  | { reason: "by-invitation" }
  | { reason: "invitation-over" }
  | { reason: "account-not-here" }
  /** The code is right and still valid, but the session's last proof is too old for a change of address. */
  | { reason: "proof-stale" };
