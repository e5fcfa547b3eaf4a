import type { App } from "#app/app.ts";
import { findAccount, readAccount } from "#app/modules/accounts/queries.server.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { minuteMs } from "#app/core/time/time.ts";
import { deliverMail, sealEmail } from "#app/modules/email/commands/deliver-mail.server.ts";
import type { MailState } from "#app/modules/email/rules.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { addMail, findMail, justChanged, readMail } from "#app/modules/email/queries.server.ts";
import { receiptOf } from "#app/modules/billing-sync/emails.server.ts";
import { addMoment, orderWasPaid } from "#app/modules/orders/moves.queries.server.ts";
import { findMeantOrder, readOrder } from "#app/modules/orders/queries.server.ts";
import type { MeantOrder } from "#app/modules/orders/rules.ts";

export type ReceiptRefusal =
  | { reason: "no-such-order" }
  | { reason: "order-unpaid" }
  /** Its address is erased: there is nobody to send it to. */
  | { reason: "account-gone" };

type Powers = Pick<App, "db" | "clock" | "random" | "pepper" | "origin" | "product" | "mail" | "report">;

/**
 * Emails the receipt of an order once more, written anew from the order, since what a sent email said is wiped; to the address that the
 * account has now. Once a minute, however often it is asked for.
 */
export async function resendReceipt(
  app: Powers,
  meant: MeantOrder,
): Promise<Result<{ state: MailState; to: string; content: EmailContent }, ReceiptRefusal>> {
  const { db } = app;
  const [found] = await findMeantOrder(db, meant);
  if (!found) return refused({ reason: "no-such-order" });
  const order = readOrder(found.order);
  const [row] = await findAccount(db, order.accountId);
  if (!row || row.state === "gone") return refused({ reason: "account-gone" });
  if (order.paidAt === null) return refused({ reason: "order-unpaid" });
  const account = readAccount(row);
  const cause = `paid.resent-${Math.floor(app.clock() / minuteMs)}`;
  const content = receiptOf(app, account, order);
  const mail = await sealEmail(app, account.email, content, `${order.id}.${cause}`);
  await db.batch([
    addMail(db, mail, orderWasPaid(order.id)),
    addMoment(db, order.id, { what: "mailed", cause }, mail.now, justChanged),
  ]);
  await deliverMail(app, mail.id);
  const [after] = await findMail(db, mail.id);
  return done({ state: after ? readMail(after).state : "queued", to: account.email, content });
}

/** The order of which an email was the receipt, by the email's name. Null: it was none. */
export function receiptedOrder(mailId: string): MeantOrder | null {
  const [, id] = /^mail_(ord_[a-z0-9]{1,40})\.paid(?:\.|$)/.exec(mailId) ?? [];
  return id === undefined ? null : { id };
}
