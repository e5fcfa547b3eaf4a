import type { App } from "#app/context.ts";
import { attributeReferral } from "./attribute-referral.server.ts";
import { listUnattributed } from "./store.server.ts";

/** The clock's share: sign-ups of the last day that a friend's link brought, and that nobody attributed. Safe to run twice. */
export async function sweepReferrals(app: Pick<App, "db" | "clock" | "random" | "pepper">): Promise<void> {
  for (const { friendId, code } of await listUnattributed(app.db, 25)) await attributeReferral(app, { friendId, code });
}
