import { href } from "react-router";
import type { Order } from "#app/modules/orders/rules.ts";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { Icon } from "#app/ui/components/icons.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { orderDetailMessages } from "./messages.ts";

/** Documents of a paid order: Stripe's invoice as a PDF, and our receipt to print. */
export function OrderDocuments({ order }: { order: Order }) {
  const messages = useMessages(orderDetailMessages);
  return (
    <>
      {order.invoiceId && (
        <LinkButton kind="primary" to={`${href("/settings/orders/invoice")}?order=${order.id}&file=pdf`} reloadDocument>
          <Icon name="download" />
          {messages.invoice}
        </LinkButton>
      )}
      <LinkButton
        kind={order.invoiceId ? "quiet" : "primary"}
        to={`${href("/settings/orders/receipt")}?order=${order.id}`}
      >
        {messages.print}
      </LinkButton>
    </>
  );
}
