import type { App } from "#app/app.ts";
import { hashToken } from "#app/core/digest.ts";
import type { EmailAddress } from "#app/core/text/email-address.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { gateWord } from "#app/modules/catalogue/gate.rules.ts";
import { type InvitationVerdict, judgeInvitation } from "../invitations.rules.ts";
import { findEntry, readEntry } from "../queries.server.ts";

/**
 * What the form of sign-up says of an invitation; `unknown`: its link never was one. The address is told to whoever holds the link
 * of an open one, which was mailed to it: a slip in it would lose the invitation.
 */
export type ShownInvitation = { verdict: InvitationVerdict | "unknown"; address: string; until: number };

export async function showInvitation(app: Pick<App, "db" | "clock" | "gate">, token: string): Promise<ShownInvitation> {
  const found = await judge(app, token);
  if (!found) return { verdict: "unknown", address: "", until: 0 };
  const { entry, verdict } = found;
  return { verdict, address: verdict === "open" ? entry.email : "", until: entry.invitationExpiresAt ?? 0 };
}

export type AdmitRefusal =
  | { reason: "by-invitation" }
  | { reason: "invitation-over" }
  | { reason: "invitation-used" }
  | { reason: "invitation-elsewhere" };

/**
 * May somebody sign up with this address? While the gate guards sign-up, only by an invitation, and by one to this very address; so is
 * an invitation to a plan met by its address alone. The answer names its entry. What it says, it says to whoever holds the link. That a code for the address opens an account is judged once more where it does.
 */
export async function admit(
  app: Pick<App, "db" | "clock" | "gate">,
  token: string | undefined,
  address: EmailAddress,
): Promise<Result<{ entryId?: string }, AdmitRefusal>> {
  const found = token && app.gate.kind !== "none" ? await judge(app, token) : null;
  // Without it, an account may be opened all the same.
  if (app.gate.kind !== "signup" && found?.verdict !== "open") return done({});
  switch (found?.verdict) {
    case "open":
      return found.entry.emailCanonical === address.canonical
        ? done({ entryId: found.entry.id })
        : refused({ reason: "invitation-elsewhere" });
    case "over":
      return refused({ reason: "invitation-over" });
    case "used":
      return refused({ reason: "invitation-used" });
    // One for a plan opens no account; and whoever was never invited asks like everybody else.
    case "no-gate":
    case "none":
    case undefined:
      return refused({ reason: "by-invitation" });
  }
}

async function judge(app: Pick<App, "db" | "clock" | "gate">, token: string) {
  const [row] = await findEntry(app.db, await hashToken(token));
  if (!row) return null;
  const entry = readEntry(row);
  return { entry, verdict: judgeInvitation(entry, gateWord(app.gate), app.clock()) };
}
