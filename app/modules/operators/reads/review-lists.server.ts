import type { Base, Secrets, Site } from "#app/app.ts";
import { readRecipient } from "#app/modules/email/reads/read-recipient.server.ts";
import { resendableUntil } from "#app/modules/email/failed-emails.rules.ts";
import { addRefunds } from "#app/modules/billing/history/reads/add-refunds.server.ts";
import { orderNumber } from "#app/modules/billing/orders/rules.ts";
import {
  refundDueAt,
  refundDueOn,
  unansweredWithdrawals,
  type WithdrawalState,
} from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { withdrawalCursor } from "#app/modules/billing/withdrawals/withdrawals.queries.server.ts";
import { countWithdrawals, listWithdrawals } from "#app/modules/billing/withdrawals/everyone.queries.server.ts";
import { whatToDoAbout } from "#app/modules/billing/cancellations/cancellations.rules.ts";
import {
  countCancellationsToDo,
  listCancellationsToDo,
} from "#app/modules/billing/cancellations/everyone.queries.server.ts";
import {
  countDiscountsUnderReview,
  listDiscountsUnderReview,
  countReferralsUnderReview as countReferrals,
  listReferralsUnderReview as listReferrals,
} from "#app/modules/referrals/everyone.queries.server.ts";
import type { CoreReviewList } from "../rules.ts";
import type { List } from "./read-page.server.ts";
import { countFraudWarnings, listFraudWarnings } from "#app/modules/billing/sync/everyone.queries.server.ts";
import { nameFraudType, whatToDo as todoOfWarning } from "#app/modules/billing/sync/fraud-warnings.rules.ts";
import { reviewOf, unclaimedTodo } from "../plans-to-review.rules.ts";
import { whatToDo } from "../mismatches.rules.ts";
import {
  countDisputed,
  countMismatched,
  countFailedEvents,
  countFailedEmails,
  countOperatorLog,
  countPlansToReview,
  countUnclaimed,
  listDisputed,
  listMismatched,
  listFailedEvents,
  listFailedEmails,
  listOperatorLog,
  listPlansToReview,
  listUnclaimed,
} from "../everyone.queries.server.ts";

type Deps = Base & Site & Secrets;

/** Infers the rows' type. */
const list = <Row, Shown>(described: List<Row, Shown>) => described;
const asTheyAre = <Row>(rows: Row[]): Row[] => rows;

/** Withdrawals; those with an order first, by when the refund is due. */
export function withdrawalsList(app: Deps, states: readonly WithdrawalState[]) {
  return list({
    ask: (after, limit) => listWithdrawals(app.db, states, after, limit),
    count: () => countWithdrawals(app.db, states),
    keys: 3,
    keysOf: withdrawalCursor,
    show: (rows) =>
      addRefunds(
        app,
        rows.map((row) => {
          const dueAt = refundDueAt(row, app.product);
          return { ...row, number: orderNumber(row), refundDueAt: dueAt, refundDueOn: refundDueOn(dueAt, app.product) };
        }),
      ),
  });
}

/** The operators' log, newest first. */
export function operatorLogList({ db }: Deps) {
  return list({
    ask: (after, limit) => listOperatorLog(db, after, limit),
    count: () => countOperatorLog(db),
    keys: 2,
    keysOf: ({ beganAt, id }) => [beganAt, id],
    show: asTheyAre,
  });
}

/** Referrals held back because of a burst of sign-ups: at `waitsUntil` they are released automatically. */
function referralsList({ db }: Deps) {
  return list({
    ask: (after, limit) => listReferrals(db, after, limit),
    count: () => countReferrals(db),
    keys: 2,
    keysOf: ({ waitsUntil, id }) => [waitsUntil ?? 0, id],
    show: asTheyAre,
  });
}

function discountsList({ db }: Deps) {
  return list({
    ask: (after, limit) => listDiscountsUnderReview(db, after, limit),
    count: () => countDiscountsUnderReview(db),
    keys: 2,
    keysOf: ({ createdAt, id }) => [createdAt, id],
    show: asTheyAre,
  });
}

/** Cancellations that matched nothing, give a reason to end at once, or couldn't be carried out, each with what to do. */
function cancellationsList({ db }: Deps) {
  return list({
    ask: (after, limit) => listCancellationsToDo(db, after, limit),
    count: () => countCancellationsToDo(db),
    keys: 2,
    keysOf: ({ declaredAt, id }) => [declaredAt, id],
    show: (rows) =>
      rows.map(({ numberYear, numberInYear, closedAt, ...row }) => ({
        ...row,
        number: orderNumber({ numberYear, numberInYear }),
        todo: whatToDoAbout({ ...row, closedAt }),
      })),
  });
}

/** Payments that weren't what was asked for, each with what to do. */
function mismatchesList({ db, clock }: Deps) {
  const now = clock();
  return list({
    ask: (after, limit) => listMismatched(db, now, after, limit),
    count: () => countMismatched(db, now),
    keys: 2,
    keysOf: ({ paidAt, id }) => [paidAt ?? 0, id],
    show: (rows) =>
      rows.map(({ numberYear, numberInYear, ...order }) => ({
        number: orderNumber({ numberYear, numberInYear }),
        ...order,
        todo: whatToDo(order, now),
      })),
  });
}

function disputesList({ db }: Deps) {
  return list({
    ask: (after, limit) => listDisputed(db, after, limit),
    count: () => countDisputed(db),
    keys: 3,
    keysOf: ({ disputeDueAt, paidAt, id }) => [disputeDueAt === null ? 1 : 0, disputeDueAt ?? paidAt ?? 0, id],
    show: (rows) =>
      rows.map(({ numberYear, numberInYear, ...order }) => ({
        number: orderNumber({ numberYear, numberInYear }),
        ...order,
      })),
  });
}

/** Payments that their bank reported as fraud, each with what to do. */
function fraudWarningsList({ db, clock }: Deps) {
  const now = clock();
  return list({
    ask: (after, limit) => listFraudWarnings(db, now, after, limit),
    count: () => countFraudWarnings(db, now),
    keys: 2,
    keysOf: ({ warnedAt, eventId }) => [warnedAt, eventId],
    show: (rows) =>
      rows.map(({ eventId: id, numberYear, numberInYear, orderId, state, dispute, ...warning }) => ({
        id,
        number: orderNumber({ numberYear, numberInYear }),
        orderId,
        ...warning,
        fraudType: nameFraudType(warning.fraudType ?? ""),
        todo: todoOfWarning(state === null || dispute === null ? null : { state, dispute }, warning.fraudType),
      })),
  });
}

/** Plans that were paused at Stripe, or ended otherwise than by their owner, each with what to do. */
function plansList({ db, clock }: Deps) {
  const now = clock();
  return list({
    ask: (after, limit) => listPlansToReview(db, now, after, limit),
    count: () => countPlansToReview(db, now),
    keys: 2,
    keysOf: ({ endedAt, id }) => [endedAt ?? Number.MAX_SAFE_INTEGER, id],
    show: (rows) => rows.map((row) => ({ ...row, ...reviewOf(row, now) })),
  });
}

/** Stripe's customers with a plan that belong to no account, each with what to do. */
function unclaimedList({ db }: Deps) {
  return list({
    ask: (after, limit) => listUnclaimed(db, after, limit),
    count: () => countUnclaimed(db),
    keys: 2,
    keysOf: ({ foundAt, providerId }) => [foundAt, providerId],
    show: (rows) => rows.map(({ providerId: id, ...row }) => ({ id, ...row, todo: unclaimedTodo[row.reason] })),
  });
}

function failedEmailsList(app: Deps) {
  const { db } = app;
  return list({
    ask: (after, limit) => listFailedEmails(db, after, limit),
    count: () => countFailedEmails(db),
    keys: 2,
    keysOf: ({ createdAt, id }) => [createdAt, id],
    show: (rows) => Promise.all(rows.map((row) => showFailedEmail(app, row))),
  });
}

/** The recipient, as long as it is stored. */
async function showFailedEmail(app: Deps, row: Awaited<ReturnType<typeof listFailedEmails>>[number]) {
  const { sealed, ...facts } = row;
  const to = await readRecipient(app, sealed);
  return { ...facts, to, resendableUntil: resendableUntil({ ...facts, isStored: sealed !== null }) };
}

function failedEventsList({ db }: Deps) {
  return list({
    ask: (after, limit) => listFailedEvents(db, after, limit),
    count: () => countFailedEvents(db),
    keys: 2,
    keysOf: ({ receivedAt, id }) => [receivedAt, id],
    show: asTheyAre,
  });
}

/** Everything that waits for an operator, by the name of its list in the answer. */
export const reviewLists = {
  referrals: referralsList,
  friendDiscounts: discountsList,
  withdrawals: (app: Deps) => withdrawalsList(app, unansweredWithdrawals),
  cancellations: cancellationsList,
  mismatches: mismatchesList,
  disputes: disputesList,
  fraudWarnings: fraudWarningsList,
  plans: plansList,
  unclaimed: unclaimedList,
  failedMails: failedEmailsList,
  failedEvents: failedEventsList,
} satisfies Record<CoreReviewList, unknown>;
