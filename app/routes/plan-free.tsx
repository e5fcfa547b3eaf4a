import { formatDay } from "#app/domain/kernel/time.ts";
import { statusOf } from "#app/domain/orders/rules.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { useWords } from "#app/ui/language.ts";
import { SectionCard } from "#app/ui/section-card.tsx";
import type { PlanPageFacts } from "./plan.tsx";
import { planWords } from "./plan.words.ts";

/** Nothing runs: what ended last, and what is about to start. */
export function OnFree({ page }: { page: PlanPageFacts }) {
  const { free, starting, unfinished } = useWords(planWords);
  const { ended, open, account, planNames } = page;
  const name = (planId: string) => planNames[planId] ?? planId;
  const says = open?.state === "processing" ? starting : unfinished;
  return (
    <>
      {open && open.state !== "draft" && (
        <SectionCard
          title={says.title(name(open.planId))}
          tone={says === starting ? "plain" : "attention"}
          footer={<LinkButton to={`/payment/${statusOf[open.state]}?order=${open.id}`}>{starting.link}</LinkButton>}
        >
          <p>{says === starting ? starting.text : unfinished.text(name(open.planId))}</p>
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
