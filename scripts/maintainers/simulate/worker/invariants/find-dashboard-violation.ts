import type Stripe from "stripe";
import { hourMs, secondMs } from "#app/core/time/time.ts";
import type { Broken } from "../../story.ts";
import type { World } from "../world.ts";
import type { Books, Rows } from "./read-stripe-books.ts";

/** How long something may have been under way when the site got to know of it. */
const underWayMs = hourMs;

/** What the team decided in Stripe's dashboard holds: nothing is charged for a period on hold, or for a debt that was written off. */
export function findDashboardViolation({ dashboard, records }: World): Broken | null {
  const payments = records.objects<Stripe.InvoicePayment>("invoice_payment");
  const invoiceOf = new Map(payments.map(({ payment, invoice }) => [String(payment.payment_intent), String(invoice)]));
  const invoices = new Map(records.objects<Stripe.Invoice>("invoice").map((invoice) => [invoice.id ?? "", invoice]));
  for (const charge of records.objects<Stripe.Charge>("charge")) {
    const invoice = invoices.get(invoiceOf.get(String(charge.payment_intent)) ?? "");
    if (!invoice) continue;
    const subscription = String(invoice.parent?.subscription_details?.subscription);
    const chargedAt = charge.created * secondMs;
    const hold = dashboard.knownHold(subscription, invoice.created * secondMs - underWayMs);
    if (hold && (hold.until === null || hold.until > chargedAt || wasOverWhenFinalized(invoice)))
      return { invariant: "nothing is charged for a period on hold", details: { charge: charge.id, hold } };
    const writeOff = dashboard.writeOffs.find((each) => each.invoice === invoice.id);
    if (writeOff?.knownAt && writeOff.knownAt + underWayMs < chargedAt)
      return { invariant: "a debt that was written off isn't charged", details: { charge: charge.id, writeOff } };
  }
  return null;
}

/** Whether the draft was left until its period had ended. */
function wasOverWhenFinalized({ lines, status_transitions: { finalized_at: finalizedAt } }: Stripe.Invoice): boolean {
  return finalizedAt !== null && lines.data.every(({ period }) => period.end < finalizedAt);
}

/** The site's orders and plans agree with the dashboard, once the site has asked Stripe. */
export function findSettledDashboardViolation(world: World, { orders = [], subscriptions = [] }: Rows, books: Books) {
  for (const writeOff of world.dashboard.writeOffs) {
    const order = orders.find((row) => row.invoice_id === writeOff.invoice);
    const isPaid = books.chargedTo.has(writeOff.invoice);
    if (order && !isPaid && order.state !== "cancelled")
      return { invariant: "a debt that was written off isn't owed", details: { writeOff, order: order.id } };
  }
  const heldAtStripe = new Map(books.subscriptions.map(({ id, pause_collection: pause }) => [id, pause !== null]));
  const other = subscriptions.find(
    ({ id, state, collection }) => state !== "ended" && heldAtStripe.get(String(id)) !== (collection === "on-hold"),
  );
  return other ? { invariant: "a plan is on hold here if it is at Stripe", details: other } : null;
}
