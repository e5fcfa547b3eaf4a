import { Form } from "react-router";
import type { ShownOrder } from "../pick-rows.ts";
import { paymentPath } from "#app/modules/billing/orders/states.rules.ts";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { unconfirmedMessages } from "../messages.ts";
import { planMessages } from "./messages.ts";
import type { RunningPage } from "./page-data.ts";
import { Unconfirmed } from "./unconfirmed.tsx";

/** The change scheduled for the next period, and the button to cancel it. While another change awaits payment, that one has the button. */
export function PendingChange({ change }: { change: NonNullable<RunningPage["pending"]> }) {
  const { undoing } = useMessages(planMessages);
  const pending = usePending("intent", "undo-change");
  return (
    <SectionCard title={change.title}>
      <p>{change.text}</p>
      {change.undo && (
        <Form method="post">
          <Button name="intent" value="undo-change" pending={pending} pendingLabel={undoing}>
            {change.undo}
          </Button>
        </Form>
      )}
    </SectionCard>
  );
}

/** A confirmed change that isn't paid: its state, and the button to cancel it. */
export function OpenChange({ page, open }: { page: RunningPage; open: ShownOrder }) {
  const unconfirmed = useMessages(unconfirmedMessages);
  const isPending = usePending("intent", "undo-change");
  const { openChange } = page.texts;
  const name = page.planNames[open.planId] ?? "";
  if (open.isUnconfirmed) return <Unconfirmed order={open} title={unconfirmed.titleFor(name)} />;
  if (!openChange) return null;
  const { title, text, link, giveUp, pending } = openChange;
  return (
    <SectionCard title={title} tone={giveUp ? "attention" : "plain"}>
      <p>{text}</p>
      <Form method="post" className="row">
        <LinkButton kind="primary" to={paymentPath(open)}>
          {link}
        </LinkButton>
        {giveUp && (
          <Button name="intent" value="undo-change" pending={isPending} pendingLabel={pending}>
            {giveUp}
          </Button>
        )}
      </Form>
    </SectionCard>
  );
}
