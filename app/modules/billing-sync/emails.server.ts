import type { EmailId } from "#app/core/id.ts";
import type { Base, Billing, Secrets, Site } from "#app/app.ts";
import type { Statement } from "#app/db/batch.server.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { dayMs, formatDay } from "#app/core/time/time.ts";
import { sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { addEmail, justChanged } from "#app/modules/email/queries.server.ts";
import { graceMs, isGraceSpent, unpaidGraceWindowMs } from "#app/modules/subscriptions/rules.ts";
import { whatIsSold } from "#app/modules/catalogue/plan-names.messages.ts";
import { segmentPath } from "#app/modules/catalogue/rules.ts";
import type { Undone } from "#app/modules/withdrawals/contract.rules.ts";
import type { OrderChange } from "./commands/compare-orders.server.ts";
import { mailedCause } from "#app/modules/orders/moments.rules.ts";
import type { MoneyBackMoment } from "#app/modules/orders/money-back.rules.ts";
import type { Order } from "#app/modules/orders/rules.ts";
import { addMoment, orderIs, orderWasPaid } from "#app/modules/orders/transitions.queries.server.ts";
import { openWithdrawal } from "#app/modules/withdrawals/withdrawals.rules.ts";

type Deps = Base & Site & Secrets;

type EmailDeps = Pick<Deps, "clock" | "origin" | "product">;

/**
 * One email about an order, unique by its cause however many syncs see it. `timelineCause`: the cause in the order's timeline, if it
 * differs.
 */
type News = { cause: string; timelineCause?: string; content: EmailContent; guard: ReturnType<typeof orderIs> };

/** The emails that payments cause; each has an entry in its order's timeline. */
export async function emailsFor(
  app: Deps,
  account: Account,
  changes: OrderChange[],
  { invoices, undone }: Pick<Billing, "invoices"> & { undone: Undone },
) {
  const statements: Statement[] = [];
  const ids: EmailId[] = [];
  for (const change of changes) {
    const { order } = change.match;
    for (const { cause, timelineCause = cause, content, guard } of newsOf(app, { account, invoices, undone }, change)) {
      const email = await sealEmail(app, account.email, content, `${order.id}.${cause}`);
      const moment = { what: "mailed", cause: timelineCause } as const;
      statements.push(
        addEmail(app.db, { ...email, orderId: order.id }, guard),
        addMoment(app.db, order.id, moment, email.now, justChanged),
      );
      ids.push(email.id);
    }
  }
  return { statements, ids };
}

type Context = { account: Account; invoices: Billing["invoices"]; undone: Undone };

function newsOf(app: Deps, news: Context, change: OrderChange): News[] {
  const { account } = news;
  const { order } = change.match;
  const facts = (amountMinor: number) => factsOf(app, account, order, amountMinor);
  switch (change.kind) {
    case "paid": {
      const template = order.state === "processing" ? "payment-arrived" : "receipt";
      const { amountMinor, paidAt } = change.payment;
      const way = wayOut(app, account, { ...order, paidAt, state: "paid" });
      // Also if it was refunded since: it was paid first.
      const guard = orderWasPaid(order.id);
      return [{ cause: mailedCause({ about: "paid" }), content: { template, ...facts(amountMinor), ...way }, guard }];
    }
    case "changed":
      return newsOfTransition(app, news, change, facts(order.amountMinor));
    case "quiet":
      return change.finding.attempts > order.attempts
        ? newsOfTransition(app, news, { ...change, to: order.state }, facts(order.amountMinor))
        : [];
    case "mismatch":
      return [];
    case "money-back":
      return change.news.flatMap((moment) => newsOfMoneyBack(moment, change.match, { facts, undone: news.undone }));
  }
}

function factsOf(app: EmailDeps, account: Account, order: Order, amountMinor: number): Facts {
  return {
    what: whatIsSold(app.product, order.planId),
    amount: formatMoney({ amountMinor, currency: order.currency }, account.locale),
    url: `${app.origin}/settings/orders?order=${order.id}`,
  };
}

/** What every receipt of a paid order says. */
export function receiptFacts(app: EmailDeps, account: Account, order: Order) {
  return { ...factsOf(app, account, order, order.amountMinor), ...wayOut(app, account, order) };
}

/** The email to a friend about the refund of their discount. */
export function friendDiscountEmail(app: EmailDeps, account: Account, order: Order, amountMinor: number): EmailContent {
  return { template: "friend-discount", ...factsOf(app, account, order, amountMinor) };
}

export function refundEmail(
  app: EmailDeps,
  account: Account,
  order: Order,
  { amountMinor, planEnded }: { amountMinor: number; planEnded: boolean },
): EmailContent {
  return { template: "refund", ...factsOf(app, account, order, amountMinor), planEnded };
}

/** A receipt says until when, and where, the contract can be withdrawn from. */
function wayOut(app: EmailDeps, account: Account, order: Order) {
  const open = openWithdrawal(order, app.product, app.clock());
  if (!open) return { withdrawUntil: null, withdrawUrl: null };
  // The period's last day is the one before the next begins.
  return {
    withdrawUntil: formatDay(open.until - 1, account),
    withdrawUrl: `${app.origin}/withdraw?order=${order.id}`,
  };
}

type Transition = Pick<Extract<OrderChange, { kind: "changed" }>, "match" | "finding"> & { to: Order["state"] };
type Facts = { what: string; amount: string; url: string };

/**
 * Declines on the checkout's own page or in a change of plan were shown there: the email is for payments that fail later, or without the
 * customer present.
 */
function newsOfTransition(
  app: Deps,
  { account, invoices }: Context,
  { match, to, finding }: Transition,
  facts: Facts,
): News[] {
  const { order, invoice, checkout } = match;
  const guard = orderIs(order.id, to);
  const isRenewal = order.kind === "renewal";
  const day = (at: number) => formatDay(at, account);
  if (to === "processing")
    return [
      { cause: mailedCause({ about: "processing" }), content: { template: "payment-processing", ...facts }, guard },
    ];
  if (to === "failed" && isRenewal) {
    const failedAt = invoice?.createdAt ?? order.createdAt;
    const graceIsSpent = isGraceSpent(invoices, failedAt);
    const content = {
      template: "renewal-failed" as const,
      ...facts,
      nextTry: finding.nextTryAt === null ? null : day(finding.nextTryAt),
      accessUntil: !graceIsSpent && app.clock() < failedAt + graceMs ? day(failedAt + graceMs) : null,
      graceSpentDays: graceIsSpent ? unpaidGraceWindowMs / dayMs : null,
      url: app.origin + segmentPath(app.product, "plan"),
    };
    return [{ cause: mailedCause({ about: "failed", suffix: finding.attempts }), content, guard }];
  }
  if (to === "failed" && checkout?.state === "complete") {
    return [{ cause: mailedCause({ about: "failed" }), content: { template: "payment-failed", ...facts }, guard }];
  }
  if (to === "needs-action" && isRenewal) {
    const cause = mailedCause({ about: "needs-action", suffix: finding.attempts });
    return [{ cause, content: { template: "payment-action", ...facts }, guard }];
  }
  return [];
}

function newsOfMoneyBack(
  { what, cause, amountMinor }: MoneyBackMoment,
  { order, invoice }: Pick<OrderChange["match"], "order" | "invoice">,
  { facts, undone }: { facts: (amountMinor: number) => Facts; undone: Undone },
): News[] {
  const newsWith = (subject: "refund" | "dispute", content: EmailContent, outcome?: "won" | "lost"): News[] => {
    const timelineCause = mailedCause({ about: "money-back", cause, ...(outcome && { outcome }) });
    return [{ cause: `${subject}.${timelineCause}`, timelineCause, content, guard: orderWasPaid(order.id) }];
  };
  const content = (template: "friend-discount" | "dispute-opened" | "dispute-won" | "dispute-lost") => ({
    template,
    ...facts(amountMinor),
  });
  const planEnded = invoice !== null && undone.ended.has(invoice.id);
  switch (what) {
    case "refund":
      return newsWith("refund", { template: "refund", ...facts(amountMinor), planEnded });
    case "friend-discount":
      return newsWith("refund", content("friend-discount"));
    // The bank returned the refund: an operator finds another way and informs the customer.
    case "refund-failed":
      return [];
    case "dispute":
      return newsWith("dispute", content("dispute-opened"));
    case "dispute-won":
      return newsWith("dispute", content("dispute-won"), "won");
    case "dispute-lost":
      return newsWith("dispute", content("dispute-lost"), "lost");
  }
}
