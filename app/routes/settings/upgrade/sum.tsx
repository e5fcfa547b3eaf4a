import type { ChangeCharge } from "#app/modules/billing/changes/reads/offer-change.server.ts";
import type { Plan } from "#app/modules/catalogue/rules.ts";
import { formatDay } from "#app/core/time/time.ts";
import { KeyValues } from "#app/ui/components/data/key-values.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Money } from "#app/ui/components/data/money.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { changeMessages } from "./change.messages.ts";
import type { RunningUpgradePage } from "./page-data.ts";

/** What is charged now, line by line as calculated by Stripe, to the cent. */
export function ChangeSum({ page, plan, charge }: { page: RunningUpgradePage; plan: Plan; charge: ChangeCharge }) {
  const messages = useMessages(changeMessages);
  const { locale } = page.reader;
  const amount = (amountMinor: number) => <Money value={{ amountMinor, currency: charge.currency }} locale={locale} />;
  const row = (label: string, amountMinor: number) =>
    amountMinor === 0 ? [] : [{ label, value: amount(amountMinor) }];
  const unusedMinor = charge.lines.reduce((sum, line) => sum + Math.min(0, line.amountMinor), 0);
  const remainingMinor = charge.lines.reduce((sum, line) => sum + Math.max(0, line.amountMinor), 0);
  const { creditMinor, carriedMinor } = charge;
  return (
    <SectionCard title={messages.sum}>
      <KeyValues
        sums
        items={[
          ...row(messages.remaining(plan.name, formatDay(charge.periodEndsAt, page.reader)), remainingMinor),
          ...row(messages.unused(page.current.name), unusedMinor),
          ...row(messages.discount, -charge.discountMinor),
          ...row(creditMinor > 0 ? messages.credit : messages.credited, -creditMinor),
          ...row(carriedMinor > 0 ? messages.earlier : messages.later, carriedMinor),
          ...row(messages.tax, charge.taxMinor),
          { label: messages.total, value: <strong>{amount(charge.amountMinor)}</strong> },
        ]}
      />
    </SectionCard>
  );
}
