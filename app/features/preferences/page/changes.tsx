import type { Reader } from "#app/core/time/time.ts";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { preferencesMessages } from "./messages.ts";
import type { ShownPreferences } from "./page-data.ts";

type ByDevicesProps = { saved: ShownPreferences; reader: Reader };

/** Changes made by devices since the owner last saved this page: the latest device, the time, and the values. */
export function ChangedByDevices({ saved: { byDevices, updatedAt }, reader }: ByDevicesProps) {
  const { byDevices: messages } = useMessages(preferencesMessages);
  if (byDevices === null || updatedAt === null) return null;
  return (
    <Notice kind="info" title={messages.title(byDevices.device ?? messages.gone)}>
      <ul>
        {byDevices.changes.map(({ label, from, to }) => (
          <li key={label}>{messages.change(label, from, to)}</li>
        ))}
      </ul>
      <p className="quiet">
        {messages.at}
        <Moment at={updatedAt} timeZone={reader.timeZone} locale={reader.locale} style="date-time" />
      </p>
    </Notice>
  );
}

/** The submission was based on outdated values. Both versions are merged below, and nothing is saved yet. */
export function ChangedElsewhere({ path }: { path: string }) {
  const { changedElsewhere: messages } = useMessages(preferencesMessages);
  return (
    <Notice kind="attention" title={messages.title} live isRefusal>
      <p>{messages.text}</p>
      <LinkButton to={path}>{messages.take}</LinkButton>
    </Notice>
  );
}
