import { isOpen, type OrderState, paymentPath } from "#app/modules/billing/orders/states.rules.ts";
import { reviewPath } from "#app/core/page-paths.ts";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { Disclosure } from "#app/ui/components/layout/disclosure.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { OrdersTable } from "./list.tsx";
import { ordersMessages, type OrdersTexts } from "./messages.ts";
import type { OrdersPageData } from "./page-data.ts";

/**
 * Checkouts that failed or were abandoned, listed separately from the charges. The list is folded if there are charges, unless a checkout
 * can still be continued; at most one can, since a new one ends the one before.
 */
export function UnfinishedAttempts({ page }: { page: OrdersPageData }) {
  const { attempts: messages } = useMessages(ordersMessages);
  // A closed account pays nothing more.
  const open = page.isClosed ? undefined : page.attempts.find(({ state }) => isOpen(state));
  return (
    <Disclosure label={messages.title(page.attempts.length)} open={page.orders.length === 0 || open !== undefined}>
      <p className="quiet">{messages.text}</p>
      {open && (
        <p className="no-print">
          <LinkButton to={open.state === "failed" ? reviewPath(open) : paymentPath(open)}>
            {wayOn(open.state, messages)}
          </LinkButton>
        </p>
      )}
      <div className="card no-print">
        <OrdersTable caption={messages.caption} orders={page.attempts} page={page} />
      </div>
    </Disclosure>
  );
}

function wayOn(state: OrderState, { again, confirm, link }: OrdersTexts["attempts"]): string {
  if (state === "failed") return again;
  return state === "needs-action" ? confirm : link;
}
