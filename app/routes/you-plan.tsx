import type { Account } from "#app/domain/accounts/rules.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { useWords } from "#app/ui/language.ts";
import { Moment } from "#app/ui/moment.tsx";
import { SectionCard } from "#app/ui/section-card.tsx";
import { youWords } from "./you.words.ts";

type PlanCardProps = {
  plan: { name: string; periodEndsAt: number | null; cancelsAt: number | null };
  planPath: string;
  account: Account;
};

/** Which plan, and when it is charged for again or ends. */
export function PlanCard({ plan, planPath, account }: PlanCardProps) {
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
        {at && (
          <>
            <Moment at={at} timeZone={account.timeZone} locale={account.locale} />.
          </>
        )}
      </p>
    </SectionCard>
  );
}
