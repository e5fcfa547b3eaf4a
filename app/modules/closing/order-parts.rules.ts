/** Groups what belongs to orders for the data export. An account may have any number of both, so each part is looked at once. */
import type { OrderId } from "#app/core/id.ts";

type Part = { readonly orderId: OrderId };

/** The parts of each order, by their names and in their order. */
export function groupByOrder(parts: Record<string, readonly Part[]>): (id: OrderId) => Record<string, unknown[]> {
  const grouped = Object.entries(parts).map(([name, all]) => [name, byOrder(all)] as const);
  return (id) => Object.fromEntries(grouped.map(([name, own]) => [name, own.get(id) ?? []]));
}

function byOrder(parts: readonly Part[]): Map<OrderId, unknown[]> {
  const grouped = new Map<OrderId, unknown[]>();
  for (const { orderId, ...part } of parts) {
    const own = grouped.get(orderId) ?? [];
    own.push(part);
    grouped.set(orderId, own);
  }
  return grouped;
}
