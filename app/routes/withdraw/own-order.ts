import type { RouterContextProvider } from "react-router";
import type { App } from "#app/app.ts";
import type { OrderId } from "#app/core/id.ts";
import { formatMoment } from "#app/core/time/time.ts";
import { appContext, sessionCookieContext, viewerContext } from "#app/http/request/contexts.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { showOrder } from "#app/modules/billing/history/reads/show-order.server.ts";
import { orderNumber } from "#app/modules/billing/orders/rules.ts";
import { findDeclaredOrder } from "#app/modules/billing/withdrawals/declared-order.queries.server.ts";
import {
  type DeclarationInput,
  isDeclaredByOwner,
  isUnanswered,
  prefillOrder,
  readMeantOrder,
} from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { earliestWithdrawable, withdrawalEnd } from "#app/modules/billing/withdrawals/withdrawal-period.rules.ts";
import { findWithdrawable } from "#app/modules/billing/orders/queries.server.ts";
import { formatRefundDay } from "#app/modules/billing/withdrawals/format-refund-day.rules.ts";
import { sayRefund } from "#app/routes/settings/orders/order/say-refund.ts";
import { withdrawMessages } from "./messages.ts";

/** The signed-in user, and the order of that id if it's theirs. Only an order's owner learns anything about it here. */
export async function findOwn(context: Readonly<RouterContextProvider>, orderId: OrderId | null) {
  const cookie = context.get(sessionCookieContext);
  const reads = cookie && orderId ? showOrder(context.get(appContext), cookie.accountId, orderId) : null;
  const [viewer, detail] = await Promise.all([context.get(viewerContext), reads]);
  return { account: viewer?.account ?? null, detail: viewer ? detail : null };
}

/**
 * For an address that names no order: the account's newest one with a right of withdrawal. Null if that right ended, or if the owner's
 * withdrawal is settled.
 */
export async function findNewestOwn(app: App, { id }: Pick<Account, "id">) {
  const [found] = await findWithdrawable(app.db, id, earliestWithdrawable(app.product, app.clock()));
  const detail = found ? await showOrder(app, id, found.id) : null;
  const declared = detail?.withdrawal.declared;
  if (!detail || (declared && !(isDeclaredByOwner(declared) && isUnanswered(declared)))) return null;
  return declared || detail.withdrawal.offer ? detail : null;
}

type Own = Awaited<ReturnType<typeof findOwn>>;

/** Where the confirmation was emailed, and by when the order is refunded. */
export function sayOwn({ product, clock }: App, { account, detail }: Own) {
  const number = detail && orderNumber(detail.order);
  if (!account || !detail || !number) return null;
  const { own } = withdrawMessages.en.declared;
  const end = withdrawalEnd(detail.order, product, [account.timeZone]);
  const isInTime = end !== null && clock() < end.until;
  return {
    lead: own.lead(account.email),
    next: isInTime ? own.refund(formatRefundDay(clock(), product, account)) : own.late(number),
  };
}

/** Says that the owner has already withdrawn from this contract. Null if we know of no withdrawal. */
export function sayAlready({ product }: App, { account, detail }: Own) {
  const declared = detail?.withdrawal.declared;
  if (!account || !detail || !declared || !isDeclaredByOwner(declared)) return null;
  const by = isUnanswered(declared) ? formatRefundDay(declared.declaredAt, product, account) : null;
  const number = orderNumber(detail.order) ?? detail.order.id;
  const text = withdrawMessages.en.already.text(number, formatMoment(declared.declaredAt, account), by);
  return { text, orderId: detail.order.id };
}

/** The orders that a withdrawal by the account's owner would cover, and what is refunded. Null if none is theirs, or if it's too late. */
export async function findRefund(app: App, account: Account, { order, email }: DeclarationInput) {
  const meant = readMeantOrder(order);
  const [found] = await findDeclaredOrder(app.db, { email: email.canonical, meant, accountId: account.id });
  const detail = found?.isOfAddress === 1 ? await showOrder(app, account.id, found.id) : null;
  const offer = detail?.withdrawal.offer;
  return offer ? sayRefund(offer, detail.order, account.locale) : null;
}

/** Prefilled when signed in: the customer's name as the order was billed, their address, and the order by its number. */
export function prefillFor(account: Account | null, own: Own["detail"], order: string | null) {
  if (!account) return { name: "", order: prefillOrder(order), email: "" };
  const { name, email } = account;
  // An order of an account without a name is billed to its address.
  const buyer = own?.invoice?.buyer.name;
  return {
    name: (buyer === email ? null : buyer) ?? name ?? "",
    order: (own && orderNumber(own.order)) ?? prefillOrder(order),
    email,
  };
}
