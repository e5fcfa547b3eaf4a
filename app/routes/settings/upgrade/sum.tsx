import type { ChangeCharge } from "#app/modules/plan-changes/reads/offer-change.server.ts";
import type { Plan } from "#app/modules/catalogue/rules.ts";
import { formatDay } from "#app/core/time/time.ts";
import { KeyValues } from "#app/ui/components/key-values.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { Money } from "#app/ui/components/money.tsx";
import { SectionCard } from "#app/ui/components/section-card.tsx";
import { changeWords } from "./change.messages.ts";
import type { RunningUpgradePage } from "./page-data.ts";

/** What is charged now, line by line as the provider reckons it, to the last cent. */
export function ChangeSum({ page, plan, charge }: { page: RunningUpgradePage; plan: Plan; charge: ChangeCharge }) {
  const words = useWords(changeWords);
  const { locale } = page.account;
  const amount = (amountMinor: number) => <Money value={{ amountMinor, currency: charge.currency }} locale={locale} />;
  const row = (label: string, amountMinor: number) =>
    amountMinor === 0 ? [] : [{ label, value: amount(amountMinor) }];
  const unusedMinor = charge.lines.reduce((sum, line) => sum + Math.min(0, line.amountMinor), 0);
  const remainingMinor = charge.lines.reduce((sum, line) => sum + Math.max(0, line.amountMinor), 0);
  const { creditMinor, carriedMinor } = charge;
  return (
    <SectionCard title={words.sum}>
      <KeyValues
        sums
        items={[
          ...row(words.remaining(plan.name, formatDay(charge.nextChargeAt, page.account)), remainingMinor),
          ...row(words.unused(page.current.name), unusedMinor),
          ...row(words.discount, -charge.discountMinor),
          ...row(creditMinor > 0 ? words.credit : words.kept, -creditMinor),
          ...row(carriedMinor > 0 ? words.earlier : words.later, carriedMinor),
          ...row(words.tax, charge.taxMinor),
          { label: words.total, value: <strong>{amount(charge.amountMinor)}</strong> },
        ]}
      />
    </SectionCard>
  );
}
