import type { Reader } from "#app/core/time/time.ts";
import { Link } from "#app/ui/components/link.tsx";
import { MeterBar } from "#app/ui/components/data/meter-bar.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { sayMeter } from "../devices/say-meter.ts";
import { usageMessages } from "../devices/usage.messages.ts";
import type { PlanPageFacts } from "./page-data.ts";

type PlanUsageProps = {
  usage: NonNullable<PlanPageFacts["usage"]>;
  reader: Reader;
  /** How to choose which devices to keep. Null if all of them fit. */
  over?: PlanPageFacts["devicesOver"];
};

/** What is used of the plan's limits, in the words of the page of devices, which has the details. */
export function PlanUsage({ usage: { counts, meters }, reader, over }: PlanUsageProps) {
  const messages = useMessages(usageMessages);
  return (
    <>
      <div className="plan-usage">
        {counts.map(({ name, used, limit }) => (
          <MeterBar
            key={name}
            label={messages.devices}
            text={messages.devicesUsed(used, limit)}
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
      {over && (
        <p>
          <Link to={over.to}>{over.text}</Link>
        </p>
      )}
    </>
  );
}
