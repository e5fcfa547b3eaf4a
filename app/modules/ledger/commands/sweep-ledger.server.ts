import { followCredit, type Powers } from "./follow-credit.server.ts";
import type { App } from "#app/app.ts";
import { listBehind } from "../queries.server.ts";

/** Accounts in one run of the cron job. */
const accountsMax = 10;
/** Unanswered calls in a row after which Stripe counts as down and the run ends. */
const silencesMax = 2;

/**
 * The clock's share: books what waits, notes what was missed, and takes what ran out or is asked back. Safe to run twice and to be
 * killed anywhere: what is to be done follows from the lines as they stand.
 */
export async function sweepLedger(app: Powers & Pick<App, "report">): Promise<void> {
  let silences = 0;
  for (const { accountId } of await listBehind(app.db, app.clock(), accountsMax)) {
    const payments = app.payments?.withOwnDeadline() ?? null;
    try {
      const followed = await followCredit({ ...app, payments }, accountId);
      silences = followed.ok || followed.refusal.reason !== "provider-unreachable" ? 0 : silences + 1;
    } catch (error) {
      // One account in a state that can't be is told of, and keeps nobody else waiting.
      app.report(error);
    }
    if (silences === silencesMax) return;
  }
}
