import type { AccountId, ReferralId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, Outbox, PaymentAccess, RequestScope, Secrets, Site } from "#app/app.ts";
import { reconcileCustomer } from "#app/modules/billing/sync/commands/reconcile-customer.server.ts";
import { domainHash, mailboxHash, methodHash, ownDomainOf } from "#app/modules/accounts/customer-hashes.rules.ts";
import { listFormerAddresses } from "#app/modules/accounts/former-addresses.queries.server.ts";
import { openFormerAddress } from "#app/modules/accounts/former-addresses.rules.ts";
import { addMethodHashes } from "#app/modules/accounts/customer-hashes.queries.server.ts";
import { hashMailboxes } from "#app/modules/accounts/commands/hash-mailboxes.server.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import { minuteMs } from "#app/core/time/time.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { isAlreadyRefunded } from "#app/core/stripe/provider-refusal.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { addEmail } from "#app/modules/email/queries.server.ts";
import { areMethodsHashed } from "#app/modules/billing/subscriptions/commands/hash-methods.server.ts";
import type { ProviderFailure } from "#app/modules/billing/subscriptions/provider.rules.ts";
import { writeDiscountEmail } from "../discount-email.rules.ts";
import type { DiscountStep, FirstPaymentFacts } from "../discount.rules.ts";
import { changeDiscount, discountIs, findDiscount } from "../discounts.queries.server.ts";
import { changeWaitsUntil } from "../rewards.queries.server.ts";
import { refuseDiscount } from "./refuse-discount.server.ts";
import { addDiscount, voidRefused } from "../open-discount.queries.server.ts";

type Deps = Base & Site & Secrets & Outbox & PaymentAccess & RequestScope;
type Friend = { referralId: ReferralId; referrerId: AccountId; friendId: AccountId; first: FirstPaymentFacts };

/** How long a discount waits for the hashes of older customers before it is checked again. */
const hashesWaitMs = 5 * minuteMs;

/** Returns true if the step was made, and another may follow. */
export async function runDiscountStep(
  app: Deps,
  friend: Friend,
  step: DiscountStep,
): Promise<Result<boolean, ProviderFailure>> {
  switch (step.kind) {
    case "open-discount":
      return openDiscount(app, friend, step);
    case "refuse-discount":
      return refuseDiscount(app, { ...friend, orderId: friend.first.orderId }, step);
    case "pay-discount":
      return payDiscount(app, friend);
    case "end-discount": {
      const change = { to: "refused", why: step.why } as const;
      return done((await changeDiscount(app.db, friend.referralId, change, app.clock())).meta.changes === 1);
    }
  }
}

/**
 * Opens a discount. The payment method is known only now: is the customer new, and is the method theirs alone? The row is written first, so
 * that it happens once.
 */
async function openDiscount(
  app: Deps,
  { referralId, referrerId, friendId, first }: Friend,
  { amountMinor }: Extract<DiscountStep, { kind: "open-discount" }>,
): Promise<Result<boolean, ProviderFailure>> {
  const { db, pepper, payments } = app;
  const now = app.clock();
  if (!payments || first.invoiceId === null) return done(false);
  // The mailboxes and payment methods of all customers have to be hashed first: the cron job does that and then continues here.
  if (!(await hashMailboxes(app)) || !(await areMethodsHashed(app))) {
    await changeWaitsUntil(db, { id: referralId, state: "signed-up" }, now + hashesWaitMs);
    return done(false);
  }
  const [row] = await findAccount(db, friendId);
  if (!row) return done(false);
  const found = await payments.findPaidMethod(first.invoiceId);
  if (!found.ok) return found;
  const address = row.emailCanonical;
  const method = found.value === null ? null : await methodHash(pepper, found.value);
  const [mailbox, domain] = await Promise.all([mailboxHash(pepper, address), readDomain(app, address, referrerId)]);
  const { orderId } = first;
  const { currency } = app.product;
  await db.batch([
    addMethodHashes(db, friendId, method === null ? [] : [{ hash: method, firstAt: now }]),
    addDiscount(db, {
      referralId,
      friendId,
      orderId,
      amountMinor,
      currency,
      mailbox,
      method,
      domain,
      now,
    }),
    voidRefused(db, referralId, now),
  ]);
  await emailAboutDiscount(app, friendId);
  return done(true);
}

/** The domain of an address, if one person may own all its names. Null for a public email provider. */
async function readDomain({ db, pepper }: Deps, address: string, referrerId: AccountId) {
  const name = await ownDomainOf(address);
  if (name === null) return null;
  const {
    account: [referrer],
    former,
  } = await batchNamed(db, { account: findAccount(db, referrerId), former: listFormerAddresses(db, referrerId) });
  const opened = await Promise.all(former.map((row) => openFormerAddress(pepper, row)));
  const addresses = [referrer?.emailCanonical, ...opened.map((each) => each?.address)].filter(
    (each) => each !== undefined,
  );
  const isReferrers = (await Promise.all(addresses.map(ownDomainOf))).includes(name);
  const names = [name, address.slice(address.lastIndexOf("@") + 1)];
  return { names, hash: await domainHash(pepper, name), isReferrers };
}

/**
 * Refunds the discount. If Stripe refuses, an operator reviews it; without an answer the cron job retries with the same idempotency key.
 */
async function payDiscount(
  app: Deps,
  { referralId, friendId, first }: Friend,
): Promise<Result<boolean, ProviderFailure>> {
  const { db, payments } = app;
  const [row] = await findDiscount(db, friendId);
  if (!row || !payments || first.invoiceId === null) return done(false);
  const { amountMinor, createdAt, decidedAt } = row;
  const attempt = String(decidedAt ?? createdAt);
  // Nothing was left of the payment when it was opened: it waited for a decision about the friend alone.
  if (amountMinor === 0) {
    return done((await changeDiscount(db, referralId, { to: "paid" }, app.clock())).meta.changes === 1);
  }
  const paid = await payments.payFriendDiscount({ invoiceId: first.invoiceId, referralId, attempt, amountMinor });
  if (!paid.ok) {
    const { refusal } = paid;
    if (refusal.reason !== "provider-refused") return paid;
    if (isAlreadyRefunded(refusal)) return endReturned(app, { referralId, friendId });
    app.report(new Error(`Stripe refused the discount of referral ${referralId}: ${refusal.code}`));
    const changed = await changeDiscount(db, referralId, { to: "under-review", why: "provider" }, app.clock());
    return done(changed.meta.changes === 1);
  }
  const change = { to: "paid", refundId: paid.value } as const;
  return done((await changeDiscount(db, referralId, change, app.clock())).meta.changes === 1);
}

/** The order was refunded, and the site hadn't heard of it: its event may be late or lost, so the friend's rows are brought up to date. */
async function endReturned(
  app: Deps,
  { referralId, friendId }: Pick<Friend, "referralId" | "friendId">,
): Promise<Result<boolean, ProviderFailure>> {
  const payments = app.payments?.withOwnDeadline() ?? null;
  const reconciled = await reconcileCustomer({ ...app, payments }, friendId);
  if (!reconciled.ok && reconciled.refusal.reason === "provider-unreachable") return refused(reconciled.refusal);
  const change = { to: "refused", why: "money-back" } as const;
  return done((await changeDiscount(app.db, referralId, change, app.clock())).meta.changes === 1);
}

/**
 * Emails the friend that the discount is under review or refused, once each. The refund's own email announces a paid one. Returns what
 * was sent.
 */
export async function emailAboutDiscount(
  app: Deps,
  friendId: AccountId,
): Promise<{ to: string; content: EmailContent } | null> {
  const { db } = app;
  const {
    account: [account],
    discount: [discount],
  } = await batchNamed(db, { account: findAccount(db, friendId), discount: findDiscount(db, friendId) });
  if (!account || !discount || discount.amountMinor === 0) return null;
  const { state, referralId } = discount;
  const { email, locale } = account;
  const content = writeDiscountEmail(app, { locale }, discount);
  if (!content) return null;
  const sealedEmail = await sealEmail(app, email, content, `${referralId}.discount-${state}`);
  const added = await addEmail(db, sealedEmail, discountIs(referralId, state));
  app.later(deliverEmail(app, sealedEmail.id));
  return added.meta.changes > 0 ? { to: email, content } : null;
}
