import type { AccountId, OrderId, ReferralId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, Outbox, Secrets, Site } from "#app/app.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import { done, type Result } from "#app/core/result.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { addEmail, justChanged } from "#app/modules/email/queries.server.ts";
import { writeDiscountEmail } from "../discount-email.rules.ts";
import type { DiscountStep } from "../discount.rules.ts";
import { addRefusal } from "../open-discount.queries.server.ts";

type Deps = Base & Site & Secrets & Outbox;
type Refused = { referralId: ReferralId; friendId: AccountId; orderId: OrderId };
type Refusal = Pick<Extract<DiscountStep, { kind: "refuse-discount" }>, "amountMinor" | "why">;

/** Refuses a discount because of a known mailbox or an operator's decision. The friend is informed with the first payment, once. */
export async function refuseDiscount(app: Deps, friend: Refused, refusal: Refusal): Promise<Result<boolean, never>> {
  const prepared = await prepareRefusal(app, friend, refusal);
  if (!prepared) return done(false);
  const { refusal: written } = await batchNamed(app.db, prepared.statements);
  app.later(deliverEmail(app, prepared.emailId));
  return done(written.meta.changes === 1);
}

/** The row and the email, for one batch. They have no effect unless the referral is void for that reason by then. */
export async function prepareRefusal(app: Deps, friend: Refused, { amountMinor, why }: Refusal) {
  const { db } = app;
  const [account] = await findAccount(db, friend.friendId);
  const { currency } = app.product;
  const content =
    account && writeDiscountEmail(app, account, { ...friend, state: "refused", why, amountMinor, currency });
  if (!content) return null;
  const email = await sealEmail(app, account.email, content, `${friend.referralId}.discount-refused`);
  const row = addRefusal(db, { ...friend, amountMinor, currency, why, now: app.clock() });
  return {
    statements: { refusal: row, refusalEmail: addEmail(db, email, justChanged) },
    emailId: email.id,
    email: { to: account.email, content },
  };
}
