import { formatQuantity } from "#app/domain/kernel/quantity.ts";
import type { Plan, ProductConfig } from "#app/domain/product/rules.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { KeyValues } from "#app/ui/key-values.tsx";
import { useWords } from "#app/ui/language.ts";
import { SectionCard } from "#app/ui/section-card.tsx";
import { devicesWords } from "./devices.words.ts";

type PlanLimitsProps = Pick<Plan, "limits"> & Pick<ProductConfig, "meters"> & { locale: string };

/** What the plan holds beside its seats, meter by meter. */
export function PlanLimits({ limits, meters, locale }: PlanLimitsProps) {
  const { limits: words } = useWords(devicesWords);
  return (
    <SectionCard title={words.title} footer={<LinkButton to="/settings/upgrade">{words.change}</LinkButton>}>
      <KeyValues
        items={meters.map(({ label, unit, limit }) => ({
          label,
          value: words.upTo(formatQuantity(limits[limit] ?? 0, unit, locale)),
        }))}
      />
    </SectionCard>
  );
}
