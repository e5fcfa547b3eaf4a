import { formatCalendarDay } from "#app/core/time/calendar.ts";
import type { Base, Site } from "#app/app.ts";
import { formatMoney } from "#app/core/money/money.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { whatIsSold } from "#app/modules/catalogue/plan-names.messages.ts";
import { findPlan } from "#app/modules/catalogue/rules.ts";
import { orderPath, pagePaths } from "#app/core/page-paths.ts";
import { type MarkedOrder, type Order, orderNumber } from "#app/modules/billing/orders/rules.ts";
import { openWithdrawal } from "#app/modules/billing/withdrawals/withdrawal-period.rules.ts";
import { type EmailedDocument, itemise, readerOfEmail } from "./itemise.rules.ts";

type EmailDeps = Pick<Base & Site, "clock" | "origin" | "product">;

/** What every email about an order says. */
export type OrderEmailFacts = { what: string; amount: string; url: string };

export function factsOf(
  app: EmailDeps,
  account: Account,
  order: Pick<Order, "id" | "planId" | "currency">,
  amountMinor: number,
): OrderEmailFacts {
  return {
    what: whatIsSold(app.product, order.planId),
    amount: formatMoney({ amountMinor, currency: order.currency }, account.locale),
    url: app.origin + orderPath(order.id),
  };
}

/** What every receipt of a paid order says. */
export function receiptFacts(app: EmailDeps, account: Account, order: Order, invoice: EmailedDocument) {
  const reader = readerOfEmail(account);
  return {
    ...factsOf(app, reader, order, invoice.moneyMinor),
    plan: findPlan(app.product, order.planId)?.name || null,
    receipt: itemise(reader, invoice),
    // It has just been paid.
    ...wayOut(app, reader, { ...order, lostMinor: 0 }),
  };
}

/** Until when, and where, an order's contract can be withdrawn from. */
export function wayOut(app: EmailDeps, account: Account, order: Order & Pick<MarkedOrder, "lostMinor">) {
  const open = openWithdrawal(order, app.product, { timeZone: account.timeZone, now: app.clock() });
  if (!open) return { withdrawUntil: null, withdrawUrl: null };
  return {
    withdrawUntil: formatCalendarDay(open.lastDay, account),
    withdrawUrl: `${app.origin}${pagePaths.withdraw}?${new URLSearchParams({ order: orderNumber(order) ?? order.id, ref: order.id })}`,
  };
}
