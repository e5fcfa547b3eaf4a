import { reviewPath } from "#app/core/page-paths.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { intervalsOf } from "#app/modules/catalogue/rules.ts";
import { IntervalSwitch } from "#app/ui/components/forms/interval-switch.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { upgradeMessages } from "./messages.ts";
import type { UpgradePage } from "./page-data.ts";

/** Monthly or yearly, on the page that confirms another plan; absent where the plan is sold for one of them. */
export function IntervalChoice({ page }: { page: UpgradePage }) {
  const messages = useMessages(upgradeMessages);
  const { chosen, current, interval, offer, isPaused } = page;
  if (!chosen || !offer || offer.kind === "refused" || intervalsOf(chosen).length < 2) return null;
  // For the active plan, one of the two would change nothing.
  if (chosen.id === current?.id && !isPaused) return null;
  const to = (value: Interval) => reviewPath({ planId: chosen.id, interval: value });
  return (
    <IntervalSwitch
      label={messages.switchLabel}
      current={interval}
      options={[
        { value: "month", label: messages.month, to: to("month") },
        { value: "year", label: messages.year, note: messages.yearNote(page.monthsLess), to: to("year") },
      ]}
    />
  );
}
