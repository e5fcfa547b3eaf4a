import type { App, Statement } from "#app/context.ts";
import type { Account } from "#app/domain/accounts/rules.ts";
import { formatMoney } from "#app/domain/kernel/money.ts";
import { sealLetter } from "#app/domain/mail/deliver-mail.server.ts";
import type { Letter } from "#app/domain/mail/rules.ts";
import { addMail } from "#app/domain/mail/store.server.ts";
import { findPlan } from "#app/domain/product/rules.ts";
import type { Order, OrderState } from "./rules.ts";
import { orderIs } from "./store.server.ts";

type Powers = Pick<App, "db" | "clock" | "random" | "pepper" | "origin" | "product">;

/** What happened to an order, as far as a mail may tell of it. */
export type MoneyNews = { order: Order; to: OrderState; amountMinor: number };

/** Mails that money calls for, each under the name of its cause: however many syncs see the news, one is queued. */
export async function lettersFor(app: Powers, account: Account, news: MoneyNews[]) {
  const statements: Statement[] = [];
  const ids: string[] = [];
  for (const { order, to, amountMinor } of news) {
    const template = templateFor(order.state, to);
    if (!template) continue;
    const what = `${app.product.name} ${findPlan(app.product, order.planId)?.name ?? order.planId}`;
    const amount = formatMoney({ amountMinor, currency: order.currency }, account.locale);
    const letter: Letter = { template, what, amount, url: `${app.origin}/settings/orders?order=${order.id}` };
    const mail = await sealLetter(app, account.email, letter, `${order.id}.${to}`);
    statements.push(addMail(app.db, mail, orderIs(order.id, to)));
    ids.push(mail.id);
  }
  return { statements, ids };
}

type News = "receipt" | "payment-processing" | "payment-arrived" | "payment-failed";

function templateFor(from: OrderState, to: OrderState): News | null {
  if (to === "paid") return from === "processing" ? "payment-arrived" : "receipt";
  if (to === "processing") return "payment-processing";
  // A decline on the checkout's own page was said there; a mail is for the payment that failed days later.
  return to === "failed" && from === "processing" ? "payment-failed" : null;
}
