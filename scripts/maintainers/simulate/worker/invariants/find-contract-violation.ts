import type Stripe from "stripe";
import { amountStep } from "#app/core/money/round-amount.ts";
import type { Broken } from "../../story.ts";
import { type Books, minor, type Rows } from "./read-stripe-books.ts";

/** An invoice of a contract, with what was charged for it and refunded of that; times in Stripe's seconds. */
type Part = {
  paidAt: number;
  continues: boolean;
  lines: Stripe.InvoiceLineItem[];
  /** What was charged, less a friend's discount. */
  price: number;
  byTeam: { amount: number; created: number }[];
  bySite: number;
};

/**
 * When the team refunds an order in full, the site refunds what was unused of the rest of its contract; when a renewed year ends with a
 * month's notice, what was unused of it. Computed here from Stripe's
 * invoices alone, in whole numbers: each line by the seconds that were left of its period, as a part of what was paid. Contracts about
 * which a bank or a withdrawal decides are left to other invariants.
 */
export function findContractViolation(rows: Rows, books: Books): Broken | null {
  const named = new Set((rows.withdrawals ?? []).map(({ order_id: id }) => id));
  const special = new Set(
    (rows.orders ?? [])
      .filter(({ id, failure }) => named.has(id) || String(failure).startsWith("mismatch"))
      .map(({ invoice_id: invoice }) => String(invoice)),
  );
  for (const { id, ended_at: endedAt, cancel_at: cancelAt, metadata } of books.subscriptions) {
    // What is left of a renewed year after a month's notice comes back, also if it ended earlier for another reason.
    const noticeAt = metadata.notice === "month" && endedAt !== null ? Math.max(endedAt, cancelAt ?? endedAt) : null;
    const own = [...books.invoices.values()].filter(
      ({ status, parent }) => status === "paid" && String(parent?.subscription_details?.subscription) === id,
    );
    const parts = own.map((invoice) => readPart(invoice, books));
    const isSpecial = own.some((invoice) => special.has(String(invoice.id)) || isContested(invoice, books));
    const currency = own[0]?.currency.toUpperCase() ?? "";
    const expected = isSpecial
      ? null
      : owedOf(
          parts.toSorted((left, right) => left.paidAt - right.paidAt),
          { endedAt, noticeAt },
          currency,
        );
    const sent = parts.reduce((sum, { bySite }) => sum + bySite, 0);
    if (expected !== null && sent !== expected)
      return {
        invariant: "what the site refunds of a contract is what was unused",
        details: { subscription: id, expected, sent, parts },
      };
  }
  return null;
}

function isContested(invoice: Stripe.Invoice, { chargedTo, contested }: Books): boolean {
  return (chargedTo.get(String(invoice.id))?.charges ?? []).some((charge) => contested.has(charge));
}

function readPart(invoice: Stripe.Invoice, { chargedTo, refunds }: Books): Part {
  const { amountMinor = 0, charges = [] } = chargedTo.get(String(invoice.id)) ?? {};
  const own = refunds.filter(({ charge }) => charges.includes(String(charge)));
  const ofPurpose = (purpose: string | undefined) => own.filter(({ metadata }) => metadata?.purpose === purpose);
  const sumOf = (each: Stripe.Refund[]) => each.reduce((sum, { amount }) => sum + amount, 0);
  const leftOver = Math.max(0, minor(invoice.starting_balance) - minor(invoice.ending_balance));
  return {
    paidAt: invoice.status_transitions.paid_at ?? 0,
    continues: invoice.billing_reason === "subscription_update" && invoice.lines.data.some(({ amount }) => amount < 0),
    lines: invoice.lines.data,
    price: amountMinor - sumOf(ofPurpose("friend-discount")) - leftOver,
    byTeam: ofPurpose(undefined).map(({ amount, created }) => ({ amount, created })),
    bySite: sumOf(ofPurpose("rest-of-contract")),
  };
}

const teamSum = ({ byTeam }: Part) => byTeam.reduce((sum, { amount }) => sum + amount, 0);

/**
 * What the site owes of a plan's orders, oldest first. `noticeAt` is when the notice was over with which the plan ended. Null if something
 * else happened, about which this knows no formula.
 */
function owedOf(
  parts: readonly Part[],
  { endedAt, noticeAt }: { endedAt: number | null; noticeAt: number | null },
  currency: string,
): number | null {
  const begins = parts.findLastIndex(({ continues }) => !continues);
  const contract = parts.slice(Math.max(0, begins));
  const isWhole = (part: Part) => part.price > 0 && teamSum(part) >= part.price;
  // A plan that was refunded before its next charge, or a change that left credit over.
  if (parts.slice(0, begins).some((part) => part.byTeam.length > 0) || contract.some(({ price }) => price < 0))
    return null;
  const [trigger, ...others] = contract.filter(isWhole);
  if (!trigger && endedAt !== null && parts.some(({ paidAt }) => paidAt > endedAt)) return null;
  if (!trigger && noticeAt === null) return 0;
  const at = trigger ? Math.max(trigger.paidAt, ...trigger.byTeam.map(({ created }) => created)) : (noticeAt ?? 0);
  const isLater = contract.some(({ paidAt, byTeam }) => paidAt > at || byTeam.some(({ created }) => created > at));
  if (others.length > 0 || isLater || (trigger && endedAt !== null && endedAt < at)) return null;
  return unusedOf(contract, trigger, at, currency);
}

/** What was unused at that time, as a part of what was paid; less what the team refunded of the order that it refunded in full. */
function unusedOf(contract: readonly Part[], trigger: Part | undefined, at: number, currency: string): number {
  const lines = contract.flatMap((part) => part.lines);
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  if (total <= 0) return 0;
  const paid = contract.reduce((sum, part) => sum + part.price - (part === trigger ? 0 : teamSum(part)), 0);
  const unused = lines.map(({ amount, period }) => {
    const length = Math.max(1, period.end - period.start);
    return { over: BigInt(amount * Math.min(length, Math.max(0, period.end - at))), under: BigInt(length) };
  });
  const under = unused.reduce((product, each) => product * each.under, 1n);
  const over = unused.reduce((sum, each) => sum + (each.over * under) / each.under, 0n);
  const clamped = over < 0n ? 0n : over > BigInt(total) * under ? BigInt(total) * under : over;
  const share = nearest(BigInt(paid) * clamped, BigInt(total) * under, BigInt(amountStep(currency)));
  const left = contract.reduce((sum, part) => sum + Math.max(0, part.price - teamSum(part)), 0);
  return Math.min(left, Math.max(0, share - (trigger ? teamSum(trigger) : 0)));
}

/** A fraction, rounded to the step, halves up. */
function nearest(over: bigint, under: bigint, step: bigint): number {
  return Number(((2n * over + under * step) / (2n * under * step)) * step);
}
