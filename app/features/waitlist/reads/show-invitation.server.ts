import type { EntryId } from "#app/core/id.ts";
import type { App } from "#app/app.ts";
import { hashToken } from "#app/core/hash.ts";
import type { EmailAddress } from "#app/core/text/email-address.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { type AdmitRefusal, gateWord, type ShownInvitation } from "#app/modules/catalogue/gate.rules.ts";
import { invitationVerdict } from "../invitations.rules.ts";
import { findEntry } from "../queries.server.ts";

export async function showInvitation(app: Pick<App, "db" | "clock" | "gate">, token: string): Promise<ShownInvitation> {
  const found = await resolveInvitation(app, token);
  if (!found) return { verdict: "unknown", address: "", until: 0 };
  const { entry, verdict } = found;
  return { verdict, address: verdict === "open" ? entry.email : "", until: entry.invitationExpiresAt ?? 0 };
}

/**
 * May this address sign up? While sign-up is gated, only with an invitation to this very address; a plan's invitation also applies by
 * address alone. Returns its entry. The answer goes to the link's owner only. The gate is checked again when the code creates the
 * account.
 */
export async function checkAdmission(
  app: Pick<App, "db" | "clock" | "gate">,
  token: string | undefined,
  address: EmailAddress,
): Promise<Result<{ entryId?: EntryId }, AdmitRefusal>> {
  const found = token && app.gate.kind !== "none" ? await resolveInvitation(app, token) : null;
  // While sign-up isn't gated, an account may be created without an invitation.
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
    // A plan's invitation creates no account, and an address that was never invited goes the normal way.
    case "no-gate":
    case "none":
    case undefined:
      return refused({ reason: "by-invitation" });
  }
}

async function resolveInvitation(app: Pick<App, "db" | "clock" | "gate">, token: string) {
  const [entry] = await findEntry(app.db, await hashToken(token));
  if (!entry) return null;
  return { entry, verdict: invitationVerdict(entry, gateWord(app.gate), app.clock()) };
}
