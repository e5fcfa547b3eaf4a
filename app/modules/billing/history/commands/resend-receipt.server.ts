import { occurrences } from "#app/modules/billing/orders/history-events.rules.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, Outbox, Secrets, Site } from "#app/app.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { formatDay, minuteMs } from "#app/core/time/time.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import type { EmailState } from "#app/modules/email/rules.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { addEmail, findEmail, justChanged } from "#app/modules/email/queries.server.ts";
import {
  documentNumber,
  type IssuedDocument,
  moneyLeft,
  splitCreditNotes,
} from "#app/modules/billing/documents/rules.ts";
import { readerOfEmail } from "#app/modules/billing/sync/itemise.rules.ts";
import { receiptFacts } from "#app/modules/billing/sync/receipt-email.server.ts";
import { addHistoryEvent } from "#app/modules/billing/orders/history-events.queries.server.ts";
import { orderWasPaid } from "#app/modules/billing/orders/states.queries.server.ts";
import { findOrderForOperator, readOrder } from "#app/modules/billing/orders/queries.server.ts";
import { type MeantOrder, orderNumber } from "#app/modules/billing/orders/rules.ts";
import { type Receipt, showReceipt } from "../reads/show-receipt.server.ts";

export type ReceiptRefusal =
  | { reason: "no-such-order" }
  | { reason: "order-unpaid" }
  /** Sent or queued within the last minute. */
  | { reason: "receipt-just-sent" }
  /** Its address is erased, so there is no recipient. */
  | { reason: "account-gone" };

type Deps = Base & Site & Secrets & Outbox;

/**
 * Emails an order's receipt again, with refunds since then, once a minute at most. It is rendered again from the order, because a sent
 * email's content is wiped, and goes to the account's present address.
 */
export async function resendReceipt(
  app: Deps,
  meant: MeantOrder,
): Promise<Result<{ state: EmailState; to: string; content: EmailContent }, ReceiptRefusal>> {
  const { db } = app;
  const [found] = await findOrderForOperator(db, meant);
  if (!found) return refused({ reason: "no-such-order" });
  const { id, accountId } = readOrder(found.order);
  const [account] = await findAccount(db, accountId);
  if (!account || account.state === "erased") return refused({ reason: "account-gone" });
  const receipt = await showReceipt(app, accountId, id);
  if (!receipt) return refused({ reason: "order-unpaid" });
  const occurrence = occurrences.ofEmail.write({
    about: "paid",
    suffix: `resent-${Math.floor(app.clock() / minuteMs)}`,
  });
  const content = copyOf(app, account, receipt);
  const email = await sealEmail(app, account.email, content, `${id}.${occurrence}`);
  const { added } = await batchNamed(db, {
    added: addEmail(db, { ...email, orderId: id }, orderWasPaid(id)),
    historyEvent: addHistoryEvent(db, id, { what: "emailed", occurrence }, email.now, justChanged),
  });
  if (added.meta.changes === 0) return refused({ reason: "receipt-just-sent" });
  await deliverEmail(app, email.id);
  const [after] = await findEmail(db, email.id);
  return done({ state: after ? after.state : "queued", to: account.email, content });
}

/** The receipt as its page shows it. A fully refunded order can't be withdrawn from. */
function copyOf(app: Deps, account: Account, { order, invoice, creditNotes }: Receipt): EmailContent {
  const { currency, moneyMinor, timeZone } = invoice;
  const { locale } = readerOfEmail(account);
  const amount = (amountMinor: number) => formatMoney({ amountMinor, currency }, locale);
  const leftMinor = moneyLeft(invoice, creditNotes);
  const { ofMoney, ofCredit } = splitCreditNotes(creditNotes);
  const backOf = (note: IssuedDocument, amountMinor: number) => ({
    what: note.reason ?? "refund",
    number: documentNumber(note),
    on: formatDay(note.issuedAt, { locale, timeZone: note.timeZone }),
    amount: amount(amountMinor),
  });
  return {
    template: "receipt-copy",
    number: orderNumber(order) ?? "",
    ...receiptFacts(app, account, order, invoice),
    ...(leftMinor <= 0 && moneyMinor > 0 && { withdrawUntil: null, withdrawUrl: null }),
    paid: formatDay(invoice.issuedAt, { locale, timeZone }),
    backs: ofMoney.map((note) => backOf(note, note.moneyMinor)),
    credits: ofCredit.map((note) => backOf(note, note.totalMinor)),
    left: leftMinor === moneyMinor ? null : amount(leftMinor),
  };
}
