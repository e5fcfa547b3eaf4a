import type { App } from "#app/context.ts";
import { orderNumber } from "#app/domain/orders/rules.ts";
import { listWithdrawals } from "#app/domain/orders/withdrawals.store.server.ts";
import { listDiscountsUnderReview } from "#app/domain/referrals/discounts.store.server.ts";
import { listUnderReview as listReferralsUnderReview } from "#app/domain/referrals/reviews.store.server.ts";
import { listUnderReview as listFlaggedEntries } from "#app/domain/waitlist/review.store.server.ts";
import { listedMax } from "./rules.ts";
import { listDisputed, listFailedEvents, listFailedMails } from "./store.server.ts";

/** Everything that waits for somebody's eyes: what is flagged, what is declared, what is disputed, and what failed for good. */
export async function listReview({ db }: Pick<App, "db">) {
  const [flagged, referrals, friendDiscounts, withdrawals, disputed, failedMails, failedEvents] = await db.batch([
    listFlaggedEntries(db),
    listReferralsUnderReview(db, listedMax),
    listDiscountsUnderReview(db, listedMax),
    listWithdrawals(db, ["declared", "acknowledged"], listedMax),
    listDisputed(db),
    listFailedMails(db),
    listFailedEvents(db),
  ]);
  const disputes = disputed.map(({ numberYear, numberInYear, ...order }) => ({
    number: orderNumber({ numberYear, numberInYear }),
    ...order,
  }));
  const entries = flagged.map(({ id, gate, state, email, confirmedAt }) => ({ id, gate, state, email, confirmedAt }));
  return { entries, referrals, friendDiscounts, withdrawals, disputes, failedMails, failedEvents };
}
