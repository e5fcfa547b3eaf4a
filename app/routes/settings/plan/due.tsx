import { Form } from "react-router";
import { formatMoney } from "#app/core/money/money.ts";
import type { ShownOrder } from "../pick-rows.ts";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { documentForm } from "#app/ui/hooks/document-form.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { unconfirmedMessages } from "../unconfirmed.messages.ts";
import { planMessages } from "./messages.ts";
import type { RunningPage } from "./page-data.ts";
import { Unconfirmed } from "./unconfirmed.tsx";

/** An unpaid renewal: the reason, until when everything works, and the way to pay it. */
export function Due({ page, due }: { page: RunningPage; due: ShownOrder }) {
  const unconfirmed = useMessages(unconfirmedMessages);
  if (due.isUnconfirmed) {
    return <Unconfirmed order={due} title={unconfirmed.titleOf(formatMoney(due, page.reader.locale))} />;
  }
  if (!page.texts.due) return null;
  const { title, tone, texts, action } = page.texts.due;
  return (
    <SectionCard title={title} tone={tone}>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {action.kind === "pay" ? (
        <Pay order={due} action={action} />
      ) : (
        <LinkButton kind={action.isMain ? "primary" : "quiet"} to={action.to}>
          {action.label}
        </LinkButton>
      )}
    </SectionCard>
  );
}

type PayAction = Extract<NonNullable<RunningPage["texts"]["due"]>["action"], { kind: "pay" }>;

function Pay({ order, action }: { order: ShownOrder; action: PayAction }) {
  const { updateCard, updatingCard } = useMessages(planMessages);
  const isPaying = usePending("intent", "retry");
  const isUpdating = usePending("intent", "update-card");
  return (
    <>
      <div className="row">
        {action.label && (
          <Form method="post">
            <input type="hidden" name="order" value={order.id} />
            <Button kind="primary" name="intent" value="retry" pending={isPaying} pendingLabel={action.pending}>
              {action.label}
            </Button>
          </Form>
        )}
        <Form method="post" {...documentForm}>
          <Button
            kind={action.label ? "quiet" : "primary"}
            name="intent"
            value="update-card"
            pending={isUpdating}
            pendingLabel={updatingCard}
          >
            {updateCard}
          </Button>
        </Form>
      </div>
      <p className="quiet">{action.note}</p>
    </>
  );
}
