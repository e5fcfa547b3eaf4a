import { href } from "react-router";
import { nameFormat } from "#app/core/text/formats.ts";
import type { Reader } from "#app/core/time/time.ts";
import { DataTable } from "#app/ui/components/data/data-table.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { CollapsibleCard } from "#app/ui/components/layout/collapsible-card.tsx";
import { StateChip } from "#app/ui/components/data/state-chip.tsx";
import { securityMessages } from "./messages.ts";

type ActivityRow = {
  id: string;
  what: string;
  /** Why it was refused. Null if it was done. */
  refused: string | null;
  device: string | null;
  country: string | null;
  network: string | null;
  happenedAt: number;
};
type ActivityProps = { activities: ActivityRow[]; isWhole: boolean; isCut: boolean; reader: Reader };

export function Activity({ activities, isWhole, isCut, reader }: ActivityProps) {
  const { activity: messages } = useMessages(securityMessages);
  const countries = nameFormat(reader.locale);
  return (
    <CollapsibleCard
      id="activity"
      title={messages.title}
      brief={activities[0]?.what}
      footer={
        isCut
          ? messages.cut(activities.length)
          : !isWhole && <Link to={`${href("/settings/security")}?activity=all#activity`}>{messages.all}</Link>
      }
    >
      <DataTable
        caption={messages.title}
        columns={[
          { key: "what", label: messages.what },
          { key: "where", label: messages.where },
          { key: "when", label: messages.when, align: "end" },
        ]}
        rows={activities.map((activity) => ({
          id: activity.id,
          cells: {
            what: (
              <>
                {activity.what} {activity.refused && <StateChip tone="attention">{activity.refused}</StateChip>}
              </>
            ),
            where: [
              activity.device,
              activity.country && countries.of(activity.country),
              activity.network && messages.network(sayNetwork(activity.network)),
            ]
              .filter(Boolean)
              .join(", "),
            when: (
              <Moment
                at={activity.happenedAt}
                timeZone={reader.timeZone}
                locale={reader.locale}
                style="short-date-time"
              />
            ),
          },
        }))}
      />
    </CollapsibleCard>
  );
}

/** Shows "198.51.100.0/24" as "198.51.100.x", since only that part of the address is stored. */
function sayNetwork(network: string): string {
  return network.replace(/\.0\/24$/, ".x").replace(/::\/48$/, ":x");
}
