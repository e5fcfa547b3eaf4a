import type { ShownOrder } from "../pick-rows.ts";
import { paymentPath } from "#app/modules/billing/orders/states.rules.ts";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { unconfirmedMessages } from "../messages.ts";

/** The order may be paid already, so this page doesn't offer to pay it again. The payment's own page refreshes. */
export function Unconfirmed({ order, title }: { order: ShownOrder; title: string }) {
  const messages = useMessages(unconfirmedMessages);
  return (
    <SectionCard title={title} footer={<LinkButton to={paymentPath(order)}>{messages.link}</LinkButton>}>
      <p>{messages.text}</p>
    </SectionCard>
  );
}
