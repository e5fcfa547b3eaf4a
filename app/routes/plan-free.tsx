import { formatDay } from "#app/domain/kernel/time.ts";
import { statusOf } from "#app/domain/orders/rules.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { useWords } from "#app/ui/language.ts";
import { SectionCard } from "#app/ui/section-card.tsx";
import type { PlanPageFacts } from "./plan.tsx";
import { planWords } from "./plan.words.ts";

/** Nothing runs: what ended last, and what is about to start. */
export function OnFree({ page }: { page: PlanPageFacts }) {
  const { free, starting } = useWords(planWords);
  const { ended, open, account, planNames } = page;
  const name = (planId: string) => planNames[planId] ?? planId;
  return (
    <>
      {open?.state === "processing" && (
        <SectionCard
          title={starting.title(name(open.planId))}
          footer={<LinkButton to={`/payment/${statusOf[open.state]}?order=${open.id}`}>{starting.link}</LinkButton>}
        >
          <p>{starting.text}</p>
        </SectionCard>
      )}
      <SectionCard
        title={free.title(page.plan.name)}
        footer={
          <LinkButton kind="primary" to="/settings/upgrade">
            {free.upgrade}
          </LinkButton>
        }
      >
        {ended?.endedAt && <p>{free.ended(name(ended.planId), formatDay(ended.endedAt, account))}</p>}
        <p>{free.text}</p>
      </SectionCard>
    </>
  );
}
