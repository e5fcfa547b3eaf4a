import { type EmailId, noEmail, readId } from "#app/core/id.ts";
import * as v from "valibot";
import type { App } from "#app/app.ts";
import { done, type Result } from "#app/core/result.ts";
import { text } from "#app/core/text/text.ts";
import { resendEmail, type ResendEmailRefusal } from "#app/modules/email/commands/resend-email.server.ts";
import { logOperatorCall } from "#app/modules/operators/commands/log-operator-call.server.ts";
import { type ReceiptRefusal, resendReceipt } from "#app/modules/billing/history/commands/resend-receipt.server.ts";
import { findReceiptedOrder } from "#app/modules/billing/history/reads/find-receipted-order.server.ts";
import { readMeantOrder } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { type MeantOrder, spellNumber } from "#app/modules/billing/orders/rules.ts";
import { describeOperatorCall, idField } from "./operator-call.ts";
import { renderPreview } from "./render-preview.ts";

/** An order's displayed number, or its id. */
export const orderField = v.pipe(
  text({ missing: "order-missing", malformed: "order-malformed" }),
  v.transform(readMeantOrder),
  v.nonNullable(v.any(), "order-malformed"),
);

export const emailCall = describeOperatorCall({
  method: "POST",
  path: "/mails",
  summary: "Tries an email again that waits or failed; of a receipt that was sent it writes another",
  body: v.object({ mail: idField("mail") }),
  problems: [
    "no-such-mail",
    "mail-sent",
    "mail-wiped",
    "no-such-order",
    "order-unpaid",
    "receipt-just-sent",
    "account-gone",
  ],
  run: (app, { operator, body: { mail: id } }) =>
    logOperatorCall(app, { operator, call: "resend-mail", subject: id }, () =>
      resend(app, readId("mail", id) ?? noEmail),
    ),
});

async function resend(app: App, id: EmailId): Promise<Result<unknown, ResendEmailRefusal | ReceiptRefusal>> {
  const resent = await resendEmail(app, id);
  if (resent.ok || resent.refusal.reason === "no-such-mail") return resent;
  const order = await findReceiptedOrder(app, id);
  return order ? writeReceipt(app, order) : resent;
}

export const receipts = describeOperatorCall({
  method: "POST",
  path: "/receipts",
  summary: "Emails the receipt of an order once more, with what was refunded since; once a minute",
  body: v.object({ order: orderField }),
  problems: ["no-such-order", "order-unpaid", "receipt-just-sent", "account-gone"],
  run: (app, { operator, body: { order } }) =>
    logOperatorCall(app, { operator, call: "resend-receipt", subject: nameOf(order) }, () => writeReceipt(app, order)),
});

async function writeReceipt(app: App, order: MeantOrder): Promise<Result<unknown, ReceiptRefusal>> {
  const resent = await resendReceipt(app, order);
  if (!resent.ok) return resent;
  const { state, ...sent } = resent.value;
  return done({ state, told: renderPreview(app, { emails: [{ ...sent, when: "now" }], pages: [] }) });
}

/** What the operators' log calls an order. */
function nameOf(order: MeantOrder): string {
  return "id" in order ? order.id : spellNumber(order.year, order.inYear);
}
