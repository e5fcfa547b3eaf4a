import { pagePaths } from "#app/core/page-paths.ts";
import type { App } from "#app/app.ts";
import { sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { addEmail, justChanged } from "#app/modules/email/queries.server.ts";
import { changeToJoined, changeToInformed } from "../joining.queries.server.ts";
import { listUninformedWaiting } from "../everyone.queries.server.ts";
import type { InvitingDeps } from "./invite-next.server.ts";
import { gatedPlan, gateName } from "#app/modules/catalogue/gate.rules.ts";
import { type Entry } from "../rules.ts";

/**
 * Once there is no gate, the cron job emails every waiting entry that sign-up is open: once each, a few per run. One that fails doesn't
 * delay the others.
 */
export async function announceOpening(app: InvitingDeps & Pick<App, "report">, portionMax: number): Promise<void> {
  if (app.gate.kind !== "none") return;
  for (const row of await listUninformedWaiting(app.db, portionMax)) await announce(app, row).catch(app.report);
}

async function announce(app: InvitingDeps, entry: Entry): Promise<void> {
  const sealedEmail = await writeEmail(app, entry);
  const now = app.clock();
  await app.db.batch([
    // Entries whose owner has signed up already get the email about that.
    changeToJoined(app.db, entry.id, now),
    changeToInformed(app.db, entry.id, "doors-open", now),
    addEmail(app.db, { ...sealedEmail, entryId: entry.id }, justChanged),
  ]);
}

async function writeEmail(app: InvitingDeps, { id, gate, email, createdAt }: Entry) {
  const planId = gatedPlan(gate);
  const url = `${app.origin}${pagePaths.signUp}${planId ? `?${new URLSearchParams({ plan: planId })}` : ""}`;
  const content = { template: "doors-open", what: gateName(app.product, gate), url } as const;
  return sealEmail(app, email, content, `${id}.doors-open.${createdAt}`);
}
