import type { EmailId } from "#app/core/id.ts";
import type { Base, Secrets, Site } from "#app/app.ts";
import type { Statement } from "#app/db/batch.server.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { formatMoney } from "#app/core/money/money.ts";
import { dayMs, formatDay } from "#app/core/time/time.ts";
import { sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { addEmail, justChanged } from "#app/modules/email/queries.server.ts";
import { graceMs, isGraceSpent, unpaidGraceWindowMs } from "#app/modules/billing/subscriptions/rules.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { type OrderEmailFacts, factsOf, receiptFacts } from "./receipt-email.server.ts";
import { type EmailContext, type News, newsOfMoneyBack, newsOfNote } from "./refund-emails.server.ts";
import type { OrderChange } from "./commands/compare-order.server.ts";
import type { OrderMatch } from "./commands/match-orders.server.ts";
import { isSubscriptionEnded } from "#app/core/stripe/states.ts";
import { occurrences } from "#app/modules/billing/orders/history-events.rules.ts";
import type { Order } from "#app/modules/billing/orders/rules.ts";
import { addHistoryEvent } from "#app/modules/billing/orders/history-events.queries.server.ts";
import { orderIs, orderWasPaid } from "#app/modules/billing/orders/states.queries.server.ts";

type Deps = Base & Site & Secrets;

/** The emails that payments cause; each has an event in its order's history. */
export async function emailsFor(
  app: Deps,
  account: Account,
  changes: OrderChange[],
  about: Omit<EmailContext, "account" | "refunded" | "notes" | "sentNotes">,
) {
  const statements: Statement[] = [];
  const ids: EmailId[] = [];
  const back = changes.flatMap((each) => (each.kind === "money-back" && each.back.state === "refunded" ? each : []));
  const corrected = changes.flatMap((each) => (each.kind === "corrected" ? each.notes : []));
  const notes = new Map(corrected.map((note) => [note.cause, note]));
  const money = { account, ...about, refunded: new Set(back.map(({ match }) => match.order.id)), notes };
  const carried = changes.flatMap((each) => (each.kind === "money-back" ? newsOf(app, money, each) : []));
  const context = { ...money, sentNotes: new Set(carried.flatMap(({ noteCause }) => noteCause ?? [])) };
  for (const change of changes) {
    const { order } = change.match;
    for (const { key, occurrence = key, content, guard } of newsOf(app, context, change)) {
      const email = await sealEmail(app, account.email, content, `${order.id}.${key}`);
      const historyEvent = { what: "emailed", occurrence } as const;
      statements.push(
        addEmail(app.db, { ...email, orderId: order.id }, guard),
        addHistoryEvent(app.db, order.id, historyEvent, email.now, justChanged),
      );
      ids.push(email.id);
    }
  }
  return { statements, ids };
}

/** `sentNotes` is known once the emails about refunds and disputes are. */
function newsOf(app: Deps, { sentNotes = new Set(), ...context }: EmailContext, change: OrderChange): News[] {
  const { account } = context;
  const { order } = change.match;
  const facts = (amountMinor: number) => factsOf(app, account, order, amountMinor);
  switch (change.kind) {
    case "paid": {
      const template = order.state === "processing" ? "payment-arrived" : "receipt";
      const { lines: _lines, mismatch, ...payment } = change.payment;
      const paid = { ...order, ...payment, state: "paid" } as const;
      const asked =
        mismatch && formatMoney({ amountMinor: mismatch.askedMinor, currency: mismatch.askedCurrency }, account.locale);
      const receipt = receiptFacts(app, account, paid, { ...change.invoice, kind: "invoice" });
      const content: EmailContent =
        mismatch?.outcome === "mismatch-refunded"
          ? { ...mismatchEmail(app, context, { ...change.match, order: paid }, asked ?? ""), receipt: receipt.receipt }
          : { template, ...receipt, asked };
      // Sent even if the order was refunded since, because it was paid first.
      return [{ key: occurrences.ofEmail.write({ about: "paid" }), content, guard: orderWasPaid(order.id) }];
    }
    case "changed":
      return newsOfTransition(app, context, change, facts(order.amountMinor));
    case "quiet":
      return change.finding.attempts > order.attempts
        ? newsOfTransition(app, context, { ...change, to: order.state }, facts(order.amountMinor))
        : [];
    case "corrected":
      return change.notes
        .filter(({ cause }) => !sentNotes.has(cause))
        .map((note) => newsOfNote(app, context, order, note));
    case "money-back":
      return change.news.flatMap((historyEvent) =>
        newsOfMoneyBack(app, historyEvent, change.match, { ...context, facts }),
      );
  }
}

/** In place of the receipt and of the email about the refund. */
function mismatchEmail(
  app: Deps,
  { account, refunded, subscriptions }: EmailContext,
  { order, invoice }: Pick<OrderMatch, "invoice"> & { order: Order },
  asked: string,
) {
  const facts = factsOf(app, account, order, order.amountMinor);
  const isRefunded = refunded.has(order.id);
  const running = subscriptions.find(
    ({ id, status }) => id === invoice?.subscriptionId && !isSubscriptionEnded(status),
  );
  const endsOn = running?.cancelsAt == null ? null : formatDay(running.cancelsAt, account);
  return {
    template: "payment-mismatch" as const,
    ...facts,
    asked,
    isRefunded,
    isChange: order.kind === "change",
    endsOn,
  };
}

type Transition = Pick<Extract<OrderChange, { kind: "changed" }>, "match" | "failure" | "finding"> & {
  to: Order["state"];
};

/**
 * Declines on the checkout's own page or in a change of plan were shown there: the email is for payments that fail later, or without the
 * customer present.
 */
function newsOfTransition(
  app: Deps,
  { account, invoices, subscriptions }: EmailContext,
  { match, to, failure, finding }: Transition,
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
    // Stripe has paused the plan or stopped trying before the days of grace are over, as its dashboard can be set.
    const isLocked = subscriptions.some(({ id, status }) => id === invoice?.subscriptionId && status === "unpaid");
    const content = {
      template: "renewal-failed" as const,
      ...facts,
      nextTry: finding.nextTryAt === null ? null : day(finding.nextTryAt),
      accessUntil: !hasNoGrace && !isLocked && app.clock() < failedAt + graceMs ? day(failedAt + graceMs) : null,
      graceSpentDays: hasNoGrace ? unpaidGraceWindowMs / dayMs : null,
      failure,
      url: app.origin + segmentPath(app.product, "plan"),
    };
    return [{ key: occurrences.ofEmail.write({ about: "failed", suffix: finding.attempts }), content, guard }];
  }
  if (to === "failed" && checkout?.state === "complete") {
    return [
      {
        key: occurrences.ofEmail.write({ about: "failed" }),
        content: { template: "payment-failed", ...facts, failure },
        guard,
      },
    ];
  }
  if (to === "needs-action" && isRenewal) {
    const key = occurrences.ofEmail.write({ about: "needs-action", suffix: finding.attempts });
    return [{ key, content: { template: "payment-action", ...facts }, guard }];
  }
  return [];
}
