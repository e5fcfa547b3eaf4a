import type { EmailId } from "#app/core/id.ts";
import type { Base, Billing, Secrets, Site } from "#app/app.ts";
import type { Statement } from "#app/db/batch.server.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { dayMs, formatDay } from "#app/core/time/time.ts";
import { sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { addEmail, justChanged } from "#app/modules/email/queries.server.ts";
import { graceMs, isGraceSpent, unpaidGraceWindowMs } from "#app/modules/subscriptions/rules.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { type OrderEmailFacts, factsOf, receiptFacts } from "./receipt-email.server.ts";
import type { Undone } from "#app/modules/withdrawals/contract.rules.ts";
import type { OrderChange } from "./commands/compare-order.server.ts";
import { occurrences } from "#app/modules/orders/history-events.rules.ts";
import type { MoneyBackEvent } from "#app/modules/orders/money-back.rules.ts";
import type { Order } from "#app/modules/orders/rules.ts";
import { addHistoryEvent, orderIs, orderWasPaid } from "#app/modules/orders/transitions.queries.server.ts";

type Deps = Base & Site & Secrets;

type EmailDeps = Pick<Deps, "clock" | "origin" | "product">;

/**
 * One email about an order, unique by its key however many syncs see it. `occurrence`: its occurrence in the order's history, if that differs.
 */
type News = { key: string; occurrence?: string; content: EmailContent; guard: ReturnType<typeof orderIs> };

/** The emails that payments cause; each has an event in its order's history. */
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
    for (const { key, occurrence = key, content, guard } of newsOf(app, { account, invoices, undone }, change)) {
      const email = await sealEmail(app, account.email, content, `${order.id}.${key}`);
      const historyEvent = { what: "mailed", occurrence } as const;
      statements.push(
        addEmail(app.db, { ...email, orderId: order.id }, guard),
        addHistoryEvent(app.db, order.id, historyEvent, email.now, justChanged),
      );
      ids.push(email.id);
    }
  }
  return { statements, ids };
}

type Context = { account: Account; invoices: Billing["invoices"]; undone: Undone };

function newsOf(app: Deps, context: Context, change: OrderChange): News[] {
  const { account } = context;
  const { order } = change.match;
  const facts = (amountMinor: number) => factsOf(app, account, order, amountMinor);
  switch (change.kind) {
    case "paid": {
      const template = order.state === "processing" ? "payment-arrived" : "receipt";
      const { lines, ...payment } = change.payment;
      const content: EmailContent = {
        template,
        ...receiptFacts(app, account, { ...order, ...payment, state: "paid" }, lines),
      };
      // Also if it was refunded since: it was paid first.
      return [{ key: occurrences.ofEmail.write({ about: "paid" }), content, guard: orderWasPaid(order.id) }];
    }
    case "changed":
      return newsOfTransition(app, context, change, facts(order.amountMinor));
    case "quiet":
      return change.finding.attempts > order.attempts
        ? newsOfTransition(app, context, { ...change, to: order.state }, facts(order.amountMinor))
        : [];
    case "mismatch":
      return [];
    case "money-back":
      return change.news.flatMap((historyEvent) =>
        newsOfMoneyBack(historyEvent, change.match, { facts, undone: context.undone }),
      );
  }
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

type Transition = Pick<Extract<OrderChange, { kind: "changed" }>, "match" | "finding"> & { to: Order["state"] };

/**
 * Declines on the checkout's own page or in a change of plan were shown there: the email is for payments that fail later, or without the
 * customer present.
 */
function newsOfTransition(
  app: Deps,
  { account, invoices }: Context,
  { match, to, finding }: Transition,
  facts: OrderEmailFacts,
): News[] {
  const { order, invoice, checkout } = match;
  const guard = orderIs(order.id, to);
  const isRenewal = order.kind === "renewal";
  const day = (at: number) => formatDay(at, account);
  if (to === "processing")
    return [
      {
        key: occurrences.ofEmail.write({ about: "processing" }),
        content: { template: "payment-processing", ...facts },
        guard,
      },
    ];
  if (to === "failed" && isRenewal) {
    const failedAt = invoice?.createdAt ?? order.createdAt;
    const hasNoGrace = isGraceSpent(invoices, failedAt);
    const content = {
      template: "renewal-failed" as const,
      ...facts,
      nextTry: finding.nextTryAt === null ? null : day(finding.nextTryAt),
      accessUntil: !hasNoGrace && app.clock() < failedAt + graceMs ? day(failedAt + graceMs) : null,
      graceSpentDays: hasNoGrace ? unpaidGraceWindowMs / dayMs : null,
      url: app.origin + segmentPath(app.product, "plan"),
    };
    return [{ key: occurrences.ofEmail.write({ about: "failed", suffix: finding.attempts }), content, guard }];
  }
  if (to === "failed" && checkout?.state === "complete") {
    return [
      { key: occurrences.ofEmail.write({ about: "failed" }), content: { template: "payment-failed", ...facts }, guard },
    ];
  }
  if (to === "needs-action" && isRenewal) {
    const key = occurrences.ofEmail.write({ about: "needs-action", suffix: finding.attempts });
    return [{ key, content: { template: "payment-action", ...facts }, guard }];
  }
  return [];
}

function newsOfMoneyBack(
  { what, occurrence, amountMinor }: MoneyBackEvent,
  { order, invoice }: Pick<OrderChange["match"], "order" | "invoice">,
  { facts, undone }: { facts: (amountMinor: number) => OrderEmailFacts; undone: Undone },
): News[] {
  const newsWith = (subject: "refund" | "dispute", content: EmailContent, outcome?: "won" | "lost"): News[] => {
    const occurrenceOfEmail = occurrences.ofEmail.write({
      about: "money-back",
      occurrence,
      ...(outcome && { outcome }),
    });
    return [
      { key: `${subject}.${occurrenceOfEmail}`, occurrence: occurrenceOfEmail, content, guard: orderWasPaid(order.id) },
    ];
  };
  const content = (template: "friend-discount" | "dispute-opened" | "dispute-won") => ({
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
      return newsWith("dispute", { template: "dispute-lost", ...facts(amountMinor), planEnded }, "lost");
  }
}
