/**
 * How the amount of an order comes about: its lines, what was taken off them, and what moved to another invoice make up what was
 * charged, to the last minor unit.
 */
import type { Order } from "./rules.ts";

type Amounts = Pick<Order, "amountMinor" | "discountMinor" | "creditMinor">;

export type Step = { what: "discount" | "credit" | "carried"; amountMinor: number };

/**
 * The steps from the lines to what was charged, without those that change nothing. Carried is what the provider moved between this
 * invoice and another by the customer's balance, beside credit: a change that cost less than nothing leaves something over.
 */
export function stepsToCharge(order: Amounts, lines: { amountMinor: number }[]): Step[] {
  const steps: Step[] = [
    { what: "discount", amountMinor: -order.discountMinor },
    { what: "credit", amountMinor: -order.creditMinor },
  ];
  // An order has no lines before it is paid.
  if (lines.length > 0) {
    const known = [...lines, ...steps].reduce((sum, part) => sum + part.amountMinor, 0);
    steps.push({ what: "carried", amountMinor: order.amountMinor - known });
  }
  return steps.filter(({ amountMinor }) => amountMinor !== 0);
}

/** What an amount is explained by, in the order in which it is said: what it is for, what was taken off, what is left. */
export type Explanation =
  | "first-period"
  | "next-period"
  | "change-now"
  | "change-whole"
  | Step["what"]
  | "nothing-charged";

export function explain(order: Amounts & Pick<Order, "kind">, lines: { amountMinor: number }[]): Explanation[] {
  return [
    whatFor(order.kind, lines),
    ...stepsToCharge(order, lines).map(({ what }) => what),
    ...(order.amountMinor === 0 ? (["nothing-charged"] as const) : []),
  ];
}

function whatFor(kind: Order["kind"], lines: { amountMinor: number }[]): Explanation {
  if (kind === "new-plan") return "first-period";
  if (kind === "renewal") return "next-period";
  // Unused time counts against the new price in a line of its own, below zero.
  return lines.some((line) => line.amountMinor < 0) ? "change-now" : "change-whole";
}
