import { changeJobCursor, findJobCursor } from "#app/db/job-cursors.server.ts";
import type { AccountId } from "#app/core/id.ts";
import type { App } from "#app/app.ts";
import { isAnswered, pollEach } from "#app/core/stripe/poll-each.ts";
import { minuteMs } from "#app/core/time/time.ts";
import { hashOwners, removeHashes } from "#app/modules/accounts/everyone.queries.server.ts";
import { changeToUnhashed } from "#app/modules/billing/subscriptions/queries.server.ts";
import { comparesCustomers } from "#app/modules/catalogue/rules.ts";
import { hashMailboxes } from "#app/modules/accounts/commands/hash-mailboxes.server.ts";
import { hashMethods } from "#app/modules/billing/subscriptions/commands/hash-methods.server.ts";
import { attributeReferredBefore, attributeReferral } from "./attribute-referral.server.ts";
import {
  listUnattributed,
  listDiscountsDue,
  listDueRewards,
  listOvertaken,
  listPayers,
} from "../everyone.queries.server.ts";
import { earlierIn } from "../attribution.queries.server.ts";
import { advanceReferral } from "./advance-referral.server.ts";
import type { Deps } from "./approve-reward.server.ts";
import { checkOwnCards } from "./check-own-cards.server.ts";

/** Referrals of each kind per run of the cron job. */
const friendsMax = 25;
/** Hashes that one run removes once nothing is compared any more. */
const hashesMax = 250;
/** Overlap between runs: a statement that began before one may be written after it. */
const overlapMs = 10 * minuteMs;

/**
 * The cron job's part: attributes recent sign-ups that weren't, and advances referrals whose payments or time allow it. Idempotent and
 * safe to kill: missing steps are found from the stored rows.
 */
export async function sweepReferrals(app: Deps & Pick<App, "random">): Promise<void> {
  const { db } = app;
  const now = app.clock();
  if (comparesCustomers(app.product)) {
    await hashMailboxes(app);
    await hashMethods(app);
  } else await db.batch([changeToUnhashed(db, hashOwners(hashesMax)), ...removeHashes(db, hashesMax)]);
  if (app.product.referral.state !== "off") await attributeLate(app);
  const { qualifyingAmountMinor: qualifyingMinor } = app.product.referral;
  const since = Math.min(Number(await findJobCursor(db, "referrals")), now) - overlapMs;
  const overtaken = await listOvertaken(db, since, { qualifyingMinor, currency: app.product.currency }, friendsMax);
  const due = await listDueRewards(db, now, friendsMax);
  const discounts = await listDiscountsDue(db, friendsMax);
  const friends = new Set([...overtaken, ...due, ...discounts].map(({ friendId }) => friendId));
  const qualify = async (friendId: AccountId) =>
    isAnswered(await advanceReferral({ ...app, payments: app.payments?.withOwnDeadline() ?? null }, friendId));
  const hasAll = await pollEach(friends, qualify, app.report);
  if (hasAll && overtaken.length < friendsMax) await changeJobCursor(db, "referrals", now);
  await checkPayers(app);
}

/** One that can't be attributed doesn't delay the others. */
async function attributeLate(app: Deps & Pick<App, "random">): Promise<void> {
  for (const { friendId, code } of await listUnattributed(app.db, earlierIn(app), friendsMax)) {
    const attributed = attributeReferral(app, { friendId, code, ip: null });
    await attributed.then(() => attributeReferredBefore(app, friendId)).catch(app.report);
  }
}

/**
 * Compares the cards of referrers who have paid with those of their friends, where that didn't happen because Stripe didn't answer or a
 * Worker died. Reads payments in order, from its cursor on, up to those whose statements are certainly written.
 */
async function checkPayers(app: Deps): Promise<void> {
  const until = app.clock() - overlapMs;
  const payers = await listPayers(app.db, Number(await findJobCursor(app.db, "own-cards")), until, friendsMax);
  for (const { accountId, lastAt } of payers) {
    try {
      const payments = app.payments?.withOwnDeadline() ?? null;
      const checked = await checkOwnCards({ ...app, payments }, accountId);
      if (!checked.ok) return;
    } catch (error) {
      app.report(error);
    }
    await changeJobCursor(app.db, "own-cards", lastAt);
  }
  if (payers.length < friendsMax) await changeJobCursor(app.db, "own-cards", until);
}
