import { Form } from "react-router";
import { formatMoney } from "#app/core/money/money.ts";
import { formatDay, formatMonth } from "#app/core/time/time.ts";
import { cardMonthOf, nameMethod } from "#app/modules/subscriptions/reminders.rules.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { documentForm } from "#app/ui/hooks/document-form.ts";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { planMessages } from "./messages.ts";
import type { RunningPage } from "./page-data.ts";

/** The card expires before the next charge, which will fail unless it is replaced. */
export function ExpiringCard({ page }: { page: RunningPage }) {
  const { expiring: messages, updatingCard } = useMessages(planMessages);
  const pending = usePending("intent", "update-card");
  const { account, running, next } = page;
  const card = nameMethod(running);
  if (!page.isCardExpiring || !next || !card || !running.cardExpires) return null;
  const month = formatMonth(cardMonthOf(running.cardExpires), { ...account, timeZone: "UTC" });
  return (
    <SectionCard title={messages.title} tone="attention">
      <p>{messages.text(card, month, formatMoney(next, account.locale), formatDay(next.at, account))}</p>
      <Form method="post" {...documentForm}>
        <Button kind="primary" name="intent" value="update-card" pending={pending} pendingLabel={updatingCard}>
          {messages.button}
        </Button>
      </Form>
    </SectionCard>
  );
}
