import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { hashToken } from "#app/core/hash.ts";
import { done, assertNever, refused, type Result } from "#app/core/result.ts";
import { gatedPlan, gateWord } from "#app/modules/catalogue/gate.rules.ts";
import { invitationVerdict } from "../invitations.rules.ts";
import { changeToAccepted } from "../invitations.queries.server.ts";
import { findEntry } from "../queries.server.ts";

export type AcceptRefusal =
  | { reason: "link-unknown" }
  | { reason: "no-gate" }
  | { reason: "not-invited" }
  | { reason: "invitation-over" }
  | { reason: "invitation-used" }
  /** Another account is signed in here. */
  | { reason: "invitation-elsewhere" };

/**
 * The button on an invited entry's page: leads to the sign-up form or the plan's checkout while the invitation is open. It uses nothing
 * up, so a user who stops can press it again.
 */
export async function acceptInvitation(
  app: Pick<App, "db" | "clock" | "gate">,
  token: string,
  account: { canonical: string } | null,
): Promise<Result<{ planId: string | null }, AcceptRefusal>> {
  const now = app.clock();
  const gate = gateWord(app.gate);
  const entryHash = await hashToken(token);
  const [row] = await findEntry(app.db, entryHash);
  if (!row) return refused({ reason: "link-unknown" });
  const verdict = invitationVerdict(row, gate, now);
  switch (verdict) {
    case "open":
      break;
    case "over":
      return refused({ reason: "invitation-over" });
    case "used":
      return refused({ reason: "invitation-used" });
    case "no-gate":
      return refused({ reason: "no-gate" });
    case "none":
      return refused({ reason: "not-invited" });
    default:
      return assertNever(verdict);
  }
  if (account && account.canonical !== row.emailCanonical) return refused({ reason: "invitation-elsewhere" });
  const {
    entry: [after],
  } = await batchNamed(app.db, {
    accepted: changeToAccepted(app.db, entryHash, row.gate, now),
    entry: findEntry(app.db, entryHash),
  });
  // The entry left, or its invitation ended, between the two reads.
  if (!after || invitationVerdict(after, gate, now) !== "open") return refused({ reason: "not-invited" });
  return done({ planId: gatedPlan(row.gate) });
}
