/**
 * Explains the amount of an order: its lines, what was deducted, and what was carried to or from another invoice. Invariant: they add up
 * to the charge, to the minor unit. Called from an order's page, and where its invoice is written.
 */
import { sumMinor } from "#app/core/money/money.ts";
import type { Order } from "./rules.ts";
import { isOpen } from "./states.rules.ts";

type Amounts = Pick<Order, "amountMinor" | "discountMinor" | "creditMinor">;

/**
 * `credited` means that the total was negative. `carried-from` and `carried-to` are amounts that Stripe carries over because they are too
 * small to charge on their own.
 */
export type AmountAdjustment = {
  what: "discount" | "credit" | "credited" | "carried-from" | "carried-to";
  amountMinor: number;
};

/** The steps from the lines to the charge, without those of zero. */
export function stepsToCharge(order: Amounts, lines: readonly { amountMinor: number }[]): AmountAdjustment[] {
  const discount: AmountAdjustment = { what: "discount", amountMinor: -order.discountMinor };
  const credit: AmountAdjustment = {
    what: order.creditMinor < 0 ? "credited" : "credit",
    amountMinor: -order.creditMinor,
  };
  // An order has no lines before it is paid, and an amount added to it then is a debt.
  if (lines.length === 0)
    return withoutZeros([discount, credit.amountMinor > 0 ? { ...credit, what: "carried-from" } : credit]);
  const total = sumMinor([...lines, discount]);
  const rest = order.amountMinor - sumMinor([...lines, discount, credit]);
  const isCredited = total < 0 && rest > 0;
  return withoutZeros([
    discount,
    credit,
    { what: isCredited ? "credited" : rest > 0 ? "carried-from" : "carried-to", amountMinor: rest },
  ]);
}

function withoutZeros(steps: AmountAdjustment[]): AmountAdjustment[] {
  return steps.filter(({ amountMinor }) => amountMinor !== 0);
}

/** What explains an amount, in this order: what it is for, what was deducted, what is left. */
export type Explanation =
  | "first-period"
  | "next-period"
  | "change-now"
  | "change-period"
  | "change-whole"
  | AmountAdjustment["what"]
  | "credit-all"
  | "nothing-charged";

export function explain(order: Amounts & Pick<Order, "kind">, lines: readonly ExplainedLine[]): Explanation[] {
  const steps = stepsToCharge(order, lines).map(({ what }) => what);
  if (isCoveredByCredit(order)) {
    return [whatFor(order.kind, lines), ...steps.filter((what) => what !== "credit"), "credit-all"];
  }
  return [whatFor(order.kind, lines), ...steps, ...(order.amountMinor === 0 ? (["nothing-charged"] as const) : [])];
}

/** Whether credit covered the whole charge. */
export function isCoveredByCredit({ amountMinor, creditMinor }: Pick<Order, "amountMinor" | "creditMinor">): boolean {
  return amountMinor === 0 && creditMinor > 0;
}

type ExplainedLine = { amountMinor: number; periodEndsAt: number | null };

function whatFor(kind: Order["kind"], lines: readonly ExplainedLine[]): Explanation {
  if (kind === "new-plan") return "first-period";
  if (kind === "renewal") return "next-period";
  // A change has a negative line for the unused time.
  const unused = lines.find((line) => line.amountMinor < 0);
  if (!unused) return "change-whole";
  // The unused time and the new plan end together, unless the change is to another billing period.
  return lines.every(({ periodEndsAt }) => periodEndsAt === unused.periodEndsAt) ? "change-now" : "change-period";
}

/** What became of a charge: paid, covered without a payment, possibly paid, still to be paid, or never made. */
export type ChargeResult = "paid" | "covered" | "unconfirmed" | "open" | "never";

export function chargeResult(order: Pick<Order, "state" | "paidAt" | "amountMinor" | "isUnconfirmed">): ChargeResult {
  if (order.paidAt !== null) return order.amountMinor === 0 ? "covered" : "paid";
  if (order.isUnconfirmed) return "unconfirmed";
  return isOpen(order.state) ? "open" : "never";
}

/** A row between the lines and the amount charged. `total` is there if it isn't the amount charged; `excess` is on credit notes alone. */
export type SumRow = { amountMinor: number } & (
  | { what: AmountAdjustment["what"] | "excess" | "net" | "tax-total" | "reverse-charge" | "total" }
  | { what: "tax"; name: string | null; percent: number | null }
);

/** The rows between the lines and the amount of an order without an invoice yet, of which only the total tax is known. */
export function sumRows(order: Amounts & Pick<Order, "taxMinor">, lines: { amountMinor: number }[]): SumRow[] {
  const { taxMinor: amountMinor } = order;
  const steps = stepsToCharge(order, lines);
  return [
    ...steps.filter(({ what }) => what === "discount"),
    ...(amountMinor === 0 ? [] : [{ what: "tax-total" as const, amountMinor }]),
    ...steps.filter(({ what }) => what !== "discount"),
  ];
}
