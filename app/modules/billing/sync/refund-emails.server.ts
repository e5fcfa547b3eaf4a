import type { SQL } from "drizzle-orm";
import type { OrderId } from "#app/core/id.ts";
import type { InvoiceId } from "#app/core/stripe/ids.ts";
import type { Base, Billing, Secrets, Site } from "#app/app.ts";
import { formatDay } from "#app/core/time/time.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { type NewCreditNote, returnOf } from "#app/modules/billing/documents/issue.rules.ts";
import { isIssued } from "#app/modules/billing/documents/queries.server.ts";
import { occurrences } from "#app/modules/billing/orders/history-events.rules.ts";
import type { MoneyBackEvent } from "#app/modules/billing/orders/money-back.rules.ts";
import { type Order, orderNumber } from "#app/modules/billing/orders/rules.ts";
import { orderWasPaid } from "#app/modules/billing/orders/states.queries.server.ts";
import type { Undone } from "#app/modules/billing/withdrawals/contract.rules.ts";
import { type Declared, isUnanswered } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import type { OrderChange } from "./commands/compare-order.server.ts";
import { itemise, readerOfEmail } from "./itemise.rules.ts";
import { factsOf, type OrderEmailFacts } from "./receipt-email.server.ts";

type Deps = Base & Site & Secrets;
type EmailDeps = Pick<Deps, "clock" | "origin" | "product">;

/**
 * One email about an order, unique by its key however many syncs see it. `occurrence` is that of its history event, if it isn't the key.
 */
export type News = {
  key: string;
  occurrence?: string;
  content: EmailContent;
  /** The cause of the credit note in it. */
  noteCause?: string | undefined;
  guard: SQL;
};

/** What the emails about one customer's orders depend on. */
export type EmailContext = {
  account: Account;
  /** Orders whose money is all back. */
  refunded: ReadonlySet<OrderId>;
  invoices: Billing["invoices"];
  /** The credit notes that are issued now, by their causes. */
  notes: ReadonlyMap<string, NewCreditNote>;
  /** The causes of those that emails about refunds and disputes contain. */
  sentNotes?: ReadonlySet<string>;
  subscriptions: Billing["subscriptions"];
  undone: Undone;
  /** The account's withdrawals. */
  declarations: (Pick<Declared, "state" | "declaredAt"> & { id: InvoiceId | null })[];
};

/** The emails about refunds and disputes. */
export function newsOfMoneyBack(
  app: Deps,
  { what, occurrence, amountMinor, isOfMismatch, isRest }: MoneyBackEvent,
  { order, invoice }: Pick<OrderChange["match"], "order" | "invoice">,
  { facts, ...context }: EmailContext & { facts: (amountMinor: number) => OrderEmailFacts },
): News[] {
  const note = context.notes.get(occurrence);
  const newsWith = (subject: "refund" | "dispute", content: EmailContent, outcome?: "won" | "lost"): News[] => {
    const occurrenceOfEmail = occurrences.ofEmail.write({
      about: "money-back",
      occurrence,
      ...(outcome && { outcome }),
    });
    return [
      {
        key: `${subject}.${occurrenceOfEmail}`,
        occurrence: occurrenceOfEmail,
        content,
        noteCause: "creditNote" in content && content.creditNote ? note?.cause : undefined,
        guard: orderWasPaid(order.id),
      },
    ];
  };
  const creditNote = note ? itemiseNote(context.account, note) : null;
  const isSuperseded = context.subscriptions.some(
    ({ id, endCause }) => id === invoice?.subscriptionId && endCause === "duplicate",
  );
  const planEnded = invoice !== null && context.undone.ended.has(invoice.id);
  switch (what) {
    case "refund":
      // Other emails say so: about the payment, or about the plan that ended for a newer one.
      if (isOfMismatch || (isRest && isSuperseded)) return [];
      return newsWith("refund", {
        ...refundEmail(app, context.account, order, {
          amountMinor,
          planEnded,
          withdrawnAt: withdrawnAtOf(context, invoice),
        }),
        creditNote,
      });
    case "friend-discount":
      return newsWith("refund", { template: "friend-discount", ...facts(amountMinor), creditNote });
    // The bank returned the refund: an operator finds another way and informs the customer.
    case "refund-failed":
      return [];
    case "dispute":
      return newsWith("dispute", {
        template: "dispute-opened",
        ...facts(amountMinor),
        pausesPlan: app.product.duringDispute === "pause",
      });
    case "dispute-won":
      // Its credit note is taken back in the same sync, and sent by itself.
      return newsWith(
        "dispute",
        { template: "dispute-won", ...facts(amountMinor), wasReturned: context.notes.has(returnOf(occurrence)) },
        "won",
      );
    case "dispute-lost":
      return newsWith("dispute", { template: "dispute-lost", ...facts(amountMinor), planEnded, creditNote }, "lost");
  }
}

function itemiseNote(account: Account, note: NewCreditNote) {
  return itemise(readerOfEmail(account), { ...note, kind: "credit-note", corrects: note.takesBack });
}

/** The email with a credit note that no other one contains: every document reaches its buyer. */
export function newsOfNote(
  app: EmailDeps,
  { account }: Pick<EmailContext, "account">,
  order: Order,
  note: NewCreditNote,
): News {
  const { cause, reason: why, moneyMinor, totalMinor } = note;
  const facts = factsOf(app, readerOfEmail(account), order, Math.abs(moneyMinor === 0 ? totalMinor : moneyMinor));
  return {
    key: occurrences.ofEmail.write({ about: "credit-note", cause }),
    content: { template: "credit-note", why, ...facts, creditNote: itemiseNote(account, note) },
    guard: isIssued(order.id, cause),
  };
}

/** The email to a friend about the refund of their discount. */
export function friendDiscountEmail(app: EmailDeps, account: Account, order: Order, amountMinor: number): EmailContent {
  return { template: "friend-discount", ...factsOf(app, account, order, amountMinor) };
}

export function refundEmail(
  app: EmailDeps,
  account: Account,
  order: Order,
  { amountMinor, planEnded, withdrawnAt }: { amountMinor: number; planEnded: boolean; withdrawnAt: number | null },
): Extract<EmailContent, { template: "refund" }> {
  const withdrawn = withdrawnAt === null ? null : formatDay(withdrawnAt, account);
  const number = orderNumber(order);
  return { template: "refund", ...factsOf(app, account, order, amountMinor), number, planEnded, withdrawn };
}

/** When the withdrawal was declared that a refund of this invoice settles. Null if it settles none. */
function withdrawnAtOf({ undone, declarations }: EmailContext, invoice: { id: InvoiceId } | null): number | null {
  if (!invoice || !undone.withdrawn.has(invoice.id)) return null;
  const settled = declarations.find((each) => isUnanswered(each) && each.id !== null && undone.withdrawn.has(each.id));
  return settled?.declaredAt ?? null;
}
