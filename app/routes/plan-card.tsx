import { Form } from "react-router";
import { formatMoney } from "#app/domain/kernel/money.ts";
import { formatDay, formatMonth } from "#app/domain/kernel/time.ts";
import { monthOf, nameCard } from "#app/domain/plans/notices.rules.ts";
import { Button } from "#app/ui/button.tsx";
import { useWords } from "#app/ui/language.ts";
import { leavingForm } from "#app/ui/leaving-form.ts";
import { SectionCard } from "#app/ui/section-card.tsx";
import { usePending } from "#app/ui/use-pending.ts";
import type { RunningPage } from "./plan.tsx";
import { planWords } from "./plan.words.ts";

/** The next charge is going to fail unless the card is replaced. */
export function ExpiringCard({ page }: { page: RunningPage }) {
  const { expiring: words, updatingCard } = useWords(planWords);
  const pending = usePending("intent", "update-card");
  const { account, running, next } = page;
  const card = nameCard(running);
  if (!page.isCardExpiring || !next || !card || !running.cardExpires) return null;
  const month = formatMonth(monthOf(running.cardExpires), { ...account, timeZone: "UTC" });
  return (
    <SectionCard title={words.title} tone="attention">
      <p>{words.text(card, month, formatMoney(next, account.locale), formatDay(next.at, account))}</p>
      <Form method="post" {...leavingForm}>
        <Button kind="primary" name="intent" value="update-card" pending={pending} pendingLabel={updatingCard}>
          {words.button}
        </Button>
      </Form>
    </SectionCard>
  );
}
