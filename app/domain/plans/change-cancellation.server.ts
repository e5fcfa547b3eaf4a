import type { App } from "#app/context.ts";
import { done, refused, type Result } from "#app/domain/kernel/result.ts";
import { judgeMove, type PlanMoveRefusal, runningSubscription, type Subscription } from "./rules.ts";
import { changeSubscription, findCustomer, listSubscriptions, readSubscription } from "./store.server.ts";

type Powers = Pick<App, "db" | "wallClock" | "origin" | "payments">;

export type ProviderTrouble =
  | { reason: "not-on-sale" }
  | { reason: "provider-unreachable"; isFinal: boolean }
  | { reason: "provider-refused"; code: string };

/** Ends the plan with its period, or takes that back. The provider is told first; our row follows its answer. */
export async function changeCancellation(
  app: Powers,
  accountId: string,
  move: "cancel" | "resume",
): Promise<Result<Subscription, PlanMoveRefusal | ProviderTrouble>> {
  if (!app.payments) return refused({ reason: "not-on-sale" });
  // What is read here is written whole below: as old as this, whatever a sync finds out meanwhile.
  const askedAt = app.wallClock();
  const rows = await listSubscriptions(app.db, accountId);
  const running = runningSubscription(rows.map(readSubscription));
  const shut = judgeMove(move, running);
  if (shut) return refused(shut);
  if (!running) return refused({ reason: "no-plan" });
  const told = await app.payments.changeCancellation(running.id, move === "cancel");
  if (!told.ok) return told;
  const changed = { ...running, cancelsAt: move === "cancel" ? running.periodEndsAt : null };
  await changeSubscription(app.db, accountId, changed, askedAt);
  return done(changed);
}

/** The provider's own page for cards and billing details. */
export async function openPortal(
  app: Powers,
  accountId: string,
  returnPath: string,
): Promise<Result<{ url: string }, PlanMoveRefusal | ProviderTrouble>> {
  if (!app.payments) return refused({ reason: "not-on-sale" });
  const [customer] = await findCustomer(app.db, accountId);
  if (!customer) return refused({ reason: "no-plan" });
  const portal = await app.payments.openPortal(customer.providerId, app.origin + returnPath);
  return portal.ok ? done({ url: portal.value }) : portal;
}
