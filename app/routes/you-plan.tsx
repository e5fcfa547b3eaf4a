import type { Account } from "#app/domain/accounts/rules.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { useWords } from "#app/ui/language.ts";
import { Moment } from "#app/ui/moment.tsx";
import { SectionCard } from "#app/ui/section-card.tsx";
import { youWords } from "./you.words.ts";

type Plan = { name: string; periodEndsAt: number | null; cancelsAt: number | null };

export function PlanCard({ plan, account, planPath }: { plan: Plan; account: Account; planPath: string }) {
  const { plan: words } = useWords(youWords);
  const at = plan.cancelsAt ?? plan.periodEndsAt;
  const says = plan.cancelsAt ? words.ends(plan.name) : words.renews(plan.name);
  return (
    <SectionCard
      title={words.title}
      footer={<LinkButton to={at ? planPath : "/settings/upgrade"}>{at ? words.manage : words.upgrade}</LinkButton>}
    >
      <p>
        {at ? says : words.free(plan.name)}
        {at && <Moment at={at} timeZone={account.timeZone} locale={account.locale} />}
      </p>
    </SectionCard>
  );
}
