import { KeyValues } from "#app/ui/components/data/key-values.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { MeterBar } from "#app/ui/components/data/meter-bar.tsx";
import { StateChip } from "#app/ui/components/data/state-chip.tsx";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import type { WithdrawalRow } from "../say-withdrawal.ts";
import { withdrawalRows } from "../withdrawal-rows.tsx";
import type { PlanFacts } from "./plan-facts.ts";
import type { MeterFacts } from "./usage-facts.ts";

type PlanCardProps = {
  plan: PlanFacts;
  meters: MeterFacts[];
  /** Declared, and neither refunded nor contested. */
  withdrawals: WithdrawalRow[];
};

export function PlanCard({ plan, meters, withdrawals }: PlanCardProps) {
  const { title, status, price, text, details, link } = plan;
  const linked = details.map(({ label, value, to }) => ({ label, value: to ? <Link to={to}>{value}</Link> : value }));
  const items = [...linked, ...withdrawalRows(withdrawals)];
  return (
    <SectionCard title={title}>
      <div className="text-and-button">
        <div>
          {price && (
            <p className="plan-price">
              {price} {status && <StateChip tone={status.tone}>{status.text}</StateChip>}
            </p>
          )}
          {text && <p>{text}</p>}
        </div>
        <LinkButton kind={link.kind} to={link.to}>
          {link.text}
        </LinkButton>
      </div>
      {meters.length > 0 && (
        <div className="meters">
          {meters.map(({ label, text: used, value, max, mayBeFull }) => (
            <MeterBar key={label} label={label} text={used} value={value} max={max} mayBeFull={mayBeFull} />
          ))}
        </div>
      )}
      {items.length > 0 && <KeyValues items={items} />}
    </SectionCard>
  );
}
