import { href } from "react-router";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { planMessages } from "./messages.ts";
import type { RunningPage } from "./page-data.ts";

/** The customer withdrew from this plan, and waits for the outcome: nothing else about its future is certain. */
export function OpenWithdrawal({ page }: { page: RunningPage }) {
  const { withdrawal: messages } = useMessages(planMessages);
  const [first] = page.withdrawals;
  if (!first) return null;
  return (
    <SectionCard
      title={messages.title}
      footer={<LinkButton to={href("/settings/orders/:order", { order: first.orderId })}>{messages.link}</LinkButton>}
    >
      <p>
        {first.text} {messages.text}
      </p>
    </SectionCard>
  );
}
