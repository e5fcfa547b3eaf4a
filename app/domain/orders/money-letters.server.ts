import type { App } from "#app/context.ts";
import type { Account } from "#app/domain/accounts/rules.ts";
import { formatMoney } from "#app/domain/kernel/money.ts";
import { sealLetter } from "#app/domain/mail/deliver-mail.server.ts";
import type { Letter } from "#app/domain/mail/rules.ts";
import { addMail } from "#app/domain/mail/store.server.ts";
import { findPlan } from "#app/domain/product/rules.ts";
import type { Change } from "./settle-orders.server.ts";
import { orderIs } from "./store.server.ts";

type Powers = Pick<App, "db" | "clock" | "random" | "pepper" | "origin" | "product">;
type Statement = Parameters<App["db"]["batch"]>[0][number];

/** Mails that money calls for, each under the name of its cause: however many syncs see the change, one is queued. */
export async function lettersFor(app: Powers, account: Account, changes: Change[]) {
  const statements: Statement[] = [];
  const ids: string[] = [];
  for (const change of changes) {
    const letter = letterFor(app, account, change);
    if (!letter) continue;
    const state = change.kind === "paid" ? "paid" : change.kind === "moved" ? change.to : null;
    if (!state) continue;
    const mail = await sealLetter(app, account.email, letter, `${change.order.id}.${state}`);
    statements.push(addMail(app.db, mail, orderIs(change.order.id, state)));
    ids.push(mail.id);
  }
  return { statements, ids };
}

function letterFor(app: Powers, account: Account, change: Change): Letter | null {
  const { order } = change;
  const what = `${app.product.name} ${findPlan(app.product, order.planId)?.name ?? order.planId}`;
  const amountMinor = change.kind === "paid" ? change.payment.amountMinor : order.amountMinor;
  const amount = formatMoney({ amountMinor, currency: order.currency }, account.locale);
  const url = `${app.origin}/settings/orders?order=${order.id}`;
  if (change.kind === "paid") return { template: "receipt", what, amount, url };
  if (change.kind === "moved" && change.to === "processing")
    return { template: "payment-processing", what, amount, url };
  // A decline on the checkout's own page was said there; a mail is for the payment that failed days later.
  if (change.kind === "moved" && change.to === "failed" && order.state === "processing") {
    return { template: "payment-failed", what, amount, url };
  }
  return null;
}
