import type { AccountId } from "#app/core/id.ts";
import { batchNamed, type Statement } from "#app/db/batch.server.ts";
import type { App, Base, Outbox, PaymentAccess, Secrets, Site } from "#app/app.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { deliverEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { subscriptionEmails } from "../subscription-emails.server.ts";
import {
  endsAtOnce,
  endsAtOnceForAnyone,
  checkSubscriptionAction,
  type SubscriptionActionRefusal,
  runningSubscription,
  type Subscription,
} from "../rules.ts";
import { changeSubscription, findCustomer, listSubscriptions } from "../queries.server.ts";
import type { ProviderFailure } from "../provider.rules.ts";

type Deps = Base & Site & Secrets & Outbox & PaymentAccess;

/**
 * Cancels the plan at the end of the period or with notice, undoes that, or undoes a scheduled change. An unpaid plan ends immediately without
 * further collection, unless a payment for it is processing, or the cancellation wasn't made by its owner's session (`declaredAt`). Stripe
 * first; our row follows its answer, and orders follow with the next sync.
 */
export async function changeCancellation(
  app: Deps,
  account: Account,
  action: "cancel" | "resume" | "undo-change",
  /** Whether the owner has an open withdrawal from this plan as well, which the email mentions. */
  isWithdrawn: (running: Subscription) => boolean = () => false,
  /** When the plan ends if it doesn't end with its period (notice.rules.ts). */
  noticeOf: (running: Subscription) => number | null = () => null,
  /** When anyone declared it who needn't be the owner. */
  declaredAt: number | null = null,
): Promise<Result<Subscription, SubscriptionActionRefusal | PaymentInProcess | ProviderFailure>> {
  const { db, payments } = app;
  if (!payments) return refused({ reason: "not-on-sale" });
  // The row is written with this time, since it was read before any concurrent sync.
  const askedAt = app.wallClock();
  const { rows, customers } = await batchNamed(db, {
    rows: listSubscriptions(db, account.id),
    customers: findCustomer(db, account.id),
  });
  const running = runningSubscription(rows);
  const noticeEndsAt = running && noticeOf(running);
  const shut = checkSubscriptionAction(action, running, noticeEndsAt ?? undefined);
  if (shut) return refused(shut);
  if (!running) return refused({ reason: "no-plan" });
  const endsNow = declaredAt !== null ? endsAtOnceForAnyone(running, app.clock()) : endsAtOnce(running.state);
  const answer = await applyAtStripe(payments, running, action, { endsNow, noticeEndsAt });
  if (!answer.ok) return answer;
  const changed = { ...running, ...answer.value };
  const steps = await subscriptionEmails(
    app,
    account,
    { stored: [running], rows: [changed], isWithdrawn: isWithdrawn(running), declaredAt },
    customers[0]?.creditMinor ?? 0,
    askedAt,
  );
  const statements: Statement[] = [...steps.statements, changeSubscription(db, account.id, changed, askedAt)];
  const [first, ...others] = statements;
  if (first) await db.batch([first, ...others]);
  for (const id of steps.emailIds) app.later(deliverEmail(app, id));
  return done(changed);
}

/** Refused, because the bank would still debit what the page says isn't charged any more. */
type PaymentInProcess = { reason: "payment-in-process" };

/** Stripe answered, but the subscription is unchanged. */
const unchangedAtStripe: ProviderFailure = { reason: "provider-refused", code: "cancellation-unchanged" };

/** Makes the change at Stripe and returns the columns that follow from it. */
async function applyAtStripe(
  payments: NonNullable<App["payments"]>,
  running: Subscription,
  action: "cancel" | "resume" | "undo-change",
  { endsNow, noticeEndsAt }: { endsNow: boolean; noticeEndsAt: number | null },
): Promise<Result<Partial<Subscription>, PaymentInProcess | ProviderFailure>> {
  const nothingPending = { pendingPlanId: null, pendingInterval: null, pendingAt: null, pendingMinor: null };
  if (action === "resume") {
    const answer = await payments.changeCancellation(running.id, false);
    if (!answer.ok) return answer;
    // Writes and emails nothing unless Stripe itself says that the plan renews.
    return answer.value === null ? done({ cancelsAt: null, endsByNotice: false }) : refused(unchangedAtStripe);
  }
  if (action === "undo-change") {
    const released = await payments.releaseChange(running.id);
    return released.ok ? done(nothingPending) : released;
  }
  if (endsNow) {
    const inProcess = await payments.isPaymentInProcess(running.id);
    if (!inProcess.ok) return inProcess;
    if (inProcess.value) return refused({ reason: "payment-in-process" });
    const ended = await payments.endUnpaid(running.id);
    return ended.ok ? done({ ...nothingPending, state: "ended", endedAt: ended.value }) : ended;
  }
  const endsByNotice = noticeEndsAt !== null;
  const answer = await payments.changeCancellation(running.id, endsByNotice ? { endsAt: noticeEndsAt } : true);
  if (!answer.ok) return answer;
  return answer.value === null
    ? refused(unchangedAtStripe)
    : done({ ...nothingPending, cancelsAt: answer.value, endsByNotice });
}

/** Opens Stripe's billing portal, for payment methods and billing details. */
export async function openPortal(
  app: Pick<App, "db" | "origin" | "payments">,
  accountId: AccountId,
  returnPath: string,
): Promise<Result<{ url: string }, SubscriptionActionRefusal | ProviderFailure>> {
  if (!app.payments) return refused({ reason: "not-on-sale" });
  const [customer] = await findCustomer(app.db, accountId);
  if (!customer) return refused({ reason: "no-plan" });
  const portal = await app.payments.openPortal(customer.providerId, app.origin + returnPath);
  return portal.ok ? done({ url: portal.value }) : portal;
}
