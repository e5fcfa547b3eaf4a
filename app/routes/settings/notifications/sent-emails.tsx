import type { Reader } from "#app/core/time/time.ts";
import { recentEmailsMax, type EmailState } from "#app/modules/email/rules.ts";
import { DataTable } from "#app/ui/components/data/data-table.tsx";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { StateChip } from "#app/ui/components/data/state-chip.tsx";
import { CollapsibleCard } from "#app/ui/components/layout/collapsible-card.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { notificationsMessages } from "./messages.ts";

/** The server chooses `what`, so that browsers don't load the names of all templates. */
type SentEmail = { id: string; what: string; state: EmailState; at: number };

type UnsentState = Exclude<EmailState, "sent">;

const tones = { queued: "waiting", failed: "bad" } as const satisfies Record<UnsentState, string>;

/** The newest emails to this account: what each is about, when it was sent, and whether it left. We don't store what they say. */
export function SentEmails({ emails, reader }: { emails: SentEmail[]; reader: Reader }) {
  const { sent: messages } = useMessages(notificationsMessages);
  return (
    <CollapsibleCard
      id="sent"
      title={messages.title}
      brief={messages.brief(emails.length)}
      footer={emails.length === recentEmailsMax && messages.older(emails.length)}
    >
      {emails.length === 0 ? (
        <p className="quiet">{messages.none}</p>
      ) : (
        <DataTable
          caption={messages.title}
          columns={[
            { key: "what", label: messages.what },
            { key: "when", label: messages.when, align: "end" },
          ]}
          rows={emails.map(({ id, what, state, at }) => ({
            id,
            cells: {
              what: state === "sent" ? what : <Unsent what={what} state={state} />,
              when: <Moment at={at} timeZone={reader.timeZone} locale={reader.locale} style="short-date-time" />,
            },
          }))}
        />
      )}
    </CollapsibleCard>
  );
}

function Unsent({ what, state }: { what: string; state: UnsentState }) {
  const { sent: messages } = useMessages(notificationsMessages);
  return (
    <>
      {what} <StateChip tone={tones[state]}>{messages.states[state]}</StateChip>
    </>
  );
}
