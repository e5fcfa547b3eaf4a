/**
 * How the amount of an order comes about: its lines, what was taken off them, and what moved to another invoice make up what was
 * charged, to the last minor unit.
 */
import type { Order } from "#app/modules/orders/rules.ts";

type Amounts = Pick<Order, "amountMinor" | "discountMinor" | "creditMinor">;

/** `kept`: it came to less than nothing. The provider carries over what is too little to be charged alone. */
export type Step = { what: "discount" | "credit" | "kept" | "carried-from" | "carried-to"; amountMinor: number };

/** The steps from the lines to what was charged, without those that change nothing. */
export function stepsToCharge(order: Amounts, lines: { amountMinor: number }[]): Step[] {
  const sum = (parts: { amountMinor: number }[]) => parts.reduce((all, part) => all + part.amountMinor, 0);
  const discount: Step = { what: "discount", amountMinor: -order.discountMinor };
  const credit: Step = { what: order.creditMinor < 0 ? "kept" : "credit", amountMinor: -order.creditMinor };
  // An order has no lines before it is paid, and what is added to it then is a debt.
  if (lines.length === 0)
    return told([discount, credit.amountMinor > 0 ? { ...credit, what: "carried-from" } : credit]);
  const total = sum([...lines, discount]);
  const rest = order.amountMinor - sum([...lines, discount, credit]);
  const isKept = total < 0 && rest > 0;
  return told([
    discount,
    credit,
    { what: isKept ? "kept" : rest > 0 ? "carried-from" : "carried-to", amountMinor: rest },
  ]);
}

function told(steps: Step[]): Step[] {
  return steps.filter(({ amountMinor }) => amountMinor !== 0);
}

/** What an amount is explained by, in the order in which it is said: what it is for, what was taken off, what is left. */
export type Explanation =
  | "first-period"
  | "next-period"
  | "change-now"
  | "change-whole"
  | Step["what"]
  | "credit-all"
  | "nothing-charged";

export function explain(order: Amounts & Pick<Order, "kind">, lines: { amountMinor: number }[]): Explanation[] {
  const steps = stepsToCharge(order, lines).map(({ what }) => what);
  if (isCoveredByCredit(order)) {
    return [whatFor(order.kind, lines), ...steps.filter((what) => what !== "credit"), "credit-all"];
  }
  return [whatFor(order.kind, lines), ...steps, ...(order.amountMinor === 0 ? (["nothing-charged"] as const) : [])];
}

/** Credit took all that there was to charge. */
export function isCoveredByCredit({ amountMinor, creditMinor }: Pick<Order, "amountMinor" | "creditMinor">): boolean {
  return amountMinor === 0 && creditMinor > 0;
}

function whatFor(kind: Order["kind"], lines: { amountMinor: number }[]): Explanation {
  if (kind === "new-plan") return "first-period";
  if (kind === "renewal") return "next-period";
  // Unused time counts against the new price in a line of its own, below zero.
  return lines.some((line) => line.amountMinor < 0) ? "change-now" : "change-whole";
}
