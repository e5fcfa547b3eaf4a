import type { IssuedDocument } from "#app/modules/billing/documents/rules.ts";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { documentPath } from "./document-path.ts";
import { orderDetailMessages } from "./messages.ts";

/** The invoice of a paid order. Its credit notes are linked where they are listed. */
export function OrderDocuments({ invoice }: { invoice: IssuedDocument }) {
  const messages = useMessages(orderDetailMessages);
  return (
    <LinkButton kind="primary" to={documentPath(invoice)}>
      {messages.invoice}
    </LinkButton>
  );
}
