/**
 * Decides what a line of an invoice is called. Invariant: nothing is removed but a date that the line's period repeats. Called from the
 * pages and emails that itemise an order.
 */
type Line = { description: string; periodStartsAt: number | null };

/** Stripe writes the number itself ("1 × …"); a line of several that doesn't say so gets it. */
export function nameQuantity(label: string, quantity: number): string {
  return quantity === 1 || /^\d+ × /.test(label) ? label : `${quantity} × ${label}`;
}

/** Stripe's "Unused time on a plan after 27 Nov 2026" is for the period from that day, which is written beside it. */
export function nameLine({ description, periodStartsAt }: Line): string {
  return periodStartsAt === null ? description : description.replace(/ after \d{1,2} \w{3} \d{4}$/, "");
}
