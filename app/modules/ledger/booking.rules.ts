/**
 * Decides how the ledger and the customer's balance at Stripe are brought to agree. Stripe knows what invoices used, the ledger what was
 * earned and why credit is deducted; each is recorded on the other side. Invariant: credit never falls below zero on either side. Called
 * from `followCredit`.
 */
import { type Line, type Why, whys } from "./rules.ts";
import { type Taking } from "./takings.rules.ts";

/** A transaction on Stripe's customer balance. */
export type Move = {
  id: string;
  /** The metadata that this site wrote; all null if it didn't create the transaction. */
  lineId: string | null;
  /** The line whose transaction deducted more than there was. */
  backFor: string | null;
  taking: { kind: string; why: string; referralId: string | null; wantedMinor: number } | null;
  /** Created for an invoice, or because an invoice was voided. */
  cause: "invoice" | "invoice-given-up" | "other";
  invoiceId: string | null;
  /** Positive if it adds credit. */
  amountMinor: number;
  /** The customer's balance after it; negative if they owe. */
  afterMinor: number;
  at: number;
};

/** A transaction to create at Stripe. */
export type Call =
  | { kind: "book"; line: Line }
  | { kind: "take"; taking: Taking; amountMinor: number }
  | { kind: "give-back"; lineId: string; amountMinor: number };

/** The transaction to store on an existing line. `invoiceId` if it is known by now: a checkout has none until it is paid. */
export type Booking = { lineId: string; providerId: string | null; invoiceId?: string };

/** What Stripe's transactions change in the ledger, and what to create at Stripe. */
export type Plan = { bookings: Booking[]; lines: Line[]; calls: Call[] };

type Facts = { lines: Line[]; moves: Move[]; customerId: string; currency: string };

/** Transactions oldest first. */
export function planBooking(facts: Facts): Plan {
  const plan: Plan = { bookings: [], lines: [], calls: [] };
  const bookedAs = new Map(facts.lines.flatMap(({ id, providerId }) => (providerId ? [[providerId, id]] : [])));
  const taken = new Set<string>();
  for (const move of facts.moves) {
    const own = facts.lines.find(({ id }) => id === move.lineId);
    const isFirst = move.lineId !== null && !taken.has(move.lineId);
    if (isFirst && move.lineId !== null) taken.add(move.lineId);
    if (own && isFirst) {
      if (own.providerId !== move.id) plan.bookings.push({ lineId: own.id, providerId: move.id });
      plan.lines.push(...differenceOf(move, creditChange(move) - own.amountMinor, facts));
    } else if (bookedAs.has(move.id)) {
      plan.bookings.push(...invoiceNoted(move, facts));
    } else {
      plan.lines.push(...(isFirst && move.taking ? [takingLine(move, facts)] : foreignLine(move, facts)));
    }
  }
  plan.lines = plan.lines.filter(({ id }) => !facts.lines.some((line) => line.id === id));
  // Lines over zero need no transaction at any customer.
  const empty = facts.lines.filter((line) => line.amountMinor === 0 && line.customerId !== facts.customerId);
  plan.bookings.push(...empty.map(({ id }) => ({ lineId: id, providerId: null })));
  plan.calls = callsFor(facts, taken);
  return plan;
}

/** For a line written before its checkout had an invoice. */
function invoiceNoted({ id, cause, invoiceId }: Move, { lines }: Facts): Booking[] {
  const line = lines.find(({ providerId }) => providerId === id);
  if (!line || cause === "other" || invoiceId === null || line.invoiceId === invoiceId) return [];
  return [{ lineId: line.id, providerId: id, invoiceId }];
}

/** How a transaction changed the credit for the next charges: owing less isn't credit. */
function creditChange({ amountMinor, afterMinor }: Move): number {
  return Math.max(0, afterMinor) - Math.max(0, afterMinor - amountMinor);
}

/** The credit for the next charges. */
export function creditAt(moves: Move[]): number {
  return Math.max(0, moves.at(-1)?.afterMinor ?? 0);
}

function callsFor({ lines, moves, customerId }: Facts, taken: Set<string>): Call[] {
  const isGivenBack = (lineId: string) => moves.some(({ backFor }) => backFor === lineId);
  const overdrawn = moves.flatMap((move): Call[] => {
    const { lineId, amountMinor, afterMinor } = move;
    if (lineId === null || amountMinor >= 0 || afterMinor >= 0 || isGivenBack(lineId)) return [];
    return [{ kind: "give-back", lineId, amountMinor: Math.min(-amountMinor, -afterMinor) }];
  });
  const unbooked = lines.filter(
    (line) => line.customerId !== customerId && line.amountMinor !== 0 && !taken.has(line.id),
  );
  return [...overdrawn, ...unbooked.map((line): Call => ({ kind: "book", line }))];
}

/** The balance was in debt, or held less than was to be deducted: the rest gets a line of its own. */
function differenceOf(move: Move, amountMinor: number, facts: Facts): Line[] {
  if (amountMinor === 0) return [];
  const kind = amountMinor < 0 ? "applied" : "reversed";
  const why = amountMinor < 0 ? "debt" : "used-first";
  // The transaction belongs to the other line; this one explains the difference.
  return [{ ...lineOf(move, facts), providerId: null, kind, amountMinor, why }];
}

/** A deduction made at Stripe whose line wasn't written because the Worker died. */
function takingLine(move: Move, facts: Facts): Line {
  const { kind = "", why = "", referralId = null, wantedMinor = 0 } = move.taking ?? {};
  const amountMinor = creditChange(move);
  return {
    ...lineOf(move, facts),
    id: move.lineId ?? "",
    kind: kind === "expired" ? "expired" : "reversed",
    amountMinor,
    why: whys.find((known) => known === why) ?? "taken",
    referralId,
    owedMinor: Math.max(0, wantedMinor + amountMinor),
  };
}

function foreignLine(move: Move, facts: Facts): Line[] {
  const amountMinor = creditChange(move);
  if (amountMinor === 0) return [];
  return [{ ...lineOf(move, facts), amountMinor, ...sayForeign(move, amountMinor) }];
}

/** Used by an invoice, returned by a voided one, left over from one, or changed by a team member. */
function sayForeign({ cause, backFor }: Move, amountMinor: number): { kind: Line["kind"]; why: Why } {
  const gives = amountMinor > 0;
  if (backFor !== null) return { kind: "reversed", why: "used-first" };
  switch (cause) {
    case "invoice":
      return gives ? { kind: "earned", why: "left-over" } : { kind: "applied", why: "order" };
    case "invoice-given-up":
      return { kind: "applied", why: gives ? "order-void" : "debt" };
    case "other":
      return gives ? { kind: "earned", why: "given" } : { kind: "reversed", why: "taken" };
  }
}

/** The lines after the plan is written. */
export function withPlan(lines: Line[], plan: Plan, customerId: string): Line[] {
  const booked = lines.map((line) => {
    const booking = plan.bookings.find(({ lineId }) => lineId === line.id);
    if (!booking) return line;
    const { providerId, invoiceId = line.invoiceId } = booking;
    return { ...line, providerId, invoiceId, customerId };
  });
  return [...booked, ...plan.lines];
}

/** Limits deductions to the available credit. Without any, no transaction is needed: a line records it at once, with what stays owed. */
export function planTaking(
  takings: Taking[],
  creditMinor: number,
  { customerId, currency, now }: { customerId: string | null; currency: string; now: number },
): { calls: Extract<Call, { kind: "take" }>[]; lines: Line[] } {
  const calls: Extract<Call, { kind: "take" }>[] = [];
  const lines: Line[] = [];
  let left = creditMinor;
  for (const taking of takings) {
    const amountMinor = Math.min(taking.takeMinor, left);
    left -= amountMinor;
    if (customerId !== null && amountMinor > 0) calls.push({ kind: "take", taking, amountMinor });
    else if (amountMinor > 0 || taking.kind === "reversed") {
      const { id, kind, why, referralId, wantedMinor } = taking;
      const facts = { id, kind, why, referralId, currency, customerId, happenedAt: now };
      const rest = { invoiceId: null, expiresAt: null, providerId: null, askedBack: null, closedAt: null };
      lines.push({ ...facts, ...rest, amountMinor: 0 - amountMinor, owedMinor: wantedMinor - amountMinor });
    }
  }
  return { calls, lines };
}

function lineOf(move: Move, { customerId, currency }: Facts) {
  return {
    id: `line_${move.id}`,
    currency,
    referralId: null,
    invoiceId: move.invoiceId,
    owedMinor: 0,
    happenedAt: move.at,
    expiresAt: null,
    customerId,
    providerId: move.id,
    askedBack: null,
    closedAt: null,
  };
}
