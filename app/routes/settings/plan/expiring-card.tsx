import { Form } from "react-router";
import { Button } from "#app/ui/components/forms/button.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { documentForm } from "#app/ui/hooks/document-form.ts";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { planMessages } from "./messages.ts";
import type { RunningPage } from "./page-data.ts";

/** The card expires before the next charge, which will fail unless it is replaced. */
export function ExpiringCard({ expiring }: { expiring: NonNullable<RunningPage["texts"]["expiring"]> }) {
  const { updateCard, updatingCard } = useMessages(planMessages);
  const pending = usePending("intent", "update-card");
  return (
    <SectionCard title={expiring.title} tone="attention">
      <p>{expiring.text}</p>
      <Form method="post" {...documentForm}>
        <Button kind="primary" name="intent" value="update-card" pending={pending} pendingLabel={updatingCard}>
          {updateCard}
        </Button>
      </Form>
    </SectionCard>
  );
}
