import type { EmailId } from "#app/core/id.ts";
import type { App } from "#app/app.ts";
import { findEmail } from "#app/modules/email/queries.server.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import type { MeantOrder } from "#app/modules/billing/orders/rules.ts";

/** Emails that are an order's receipt. */
const receiptTemplates: readonly EmailContent["template"][] = ["receipt", "payment-arrived", "receipt-copy"];

/** The order whose receipt an email was. Null if there is no such email or it wasn't a receipt. */
export async function findReceiptedOrder({ db }: Pick<App, "db">, emailId: EmailId): Promise<MeantOrder | null> {
  const [email] = await findEmail(db, emailId);
  if (!email?.orderId || !receiptTemplates.includes(email.template)) return null;
  return { id: email.orderId };
}
