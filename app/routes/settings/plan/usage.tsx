import type { Reader } from "#app/core/time/time.ts";
import { Link } from "#app/ui/components/link.tsx";
import { MeterBar } from "#app/ui/components/data/meter-bar.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { sayMeter } from "#app/http/page/say-meter.ts";
import { usageMessages } from "#app/http/page/usage.messages.ts";
import type { PlanPageFacts } from "./page-data.ts";

type PlanUsageProps = {
  usage: NonNullable<PlanPageFacts["usage"]>;
  reader: Reader;
};

/** What is used of the plan's limits. */
export function PlanUsage({ usage: { counts, meters }, reader }: PlanUsageProps) {
  const messages = useMessages(usageMessages);
  return (
    <>
      <div className="plan-usage">
        {counts.map(({ label, used, limit }) => (
          <MeterBar
            key={label}
            label={label}
            text={messages.countUsed(used, limit)}
            value={used}
            max={limit}
            mayBeFull
          />
        ))}
        {meters.map((meter) => (
          <MeterBar
            key={meter.key}
            label={meter.label}
            text={sayMeter(meter, messages, reader.locale)}
            value={meter.used?.value ?? 0}
            max={meter.limit}
          />
        ))}
      </div>
      {counts.map(
        ({ label, choose }) =>
          choose && (
            <p key={label}>
              <Link to={choose.to}>{choose.text}</Link>
            </p>
          ),
      )}
    </>
  );
}
