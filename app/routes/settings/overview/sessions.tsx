import type { SessionId } from "#app/core/id.ts";
import { Form, Link, href } from "react-router";
import type { ActivityResult, ActivityName } from "#app/modules/accounts/activities.rules.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { DataTable } from "#app/ui/components/data/data-table.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { FoldingCard } from "#app/ui/components/layout/folding-card.tsx";
import { StateChip } from "#app/ui/components/data/state-chip.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { overviewMessages } from "./messages.ts";
import { OverviewForm } from "./form.tsx";
import { nameFormat } from "#app/core/text/formats.ts";

type SessionRow = { id: SessionId; device: string; place: string | null; lastUsedAt: number; isThis: boolean };

export function SignedInBrowsers({ sessions, account }: { sessions: SessionRow[]; account: Account }) {
  const { sessions: messages } = useMessages(overviewMessages);
  const countries = nameFormat(account.locale);
  return (
    <FoldingCard
      id="sessions"
      title={messages.title}
      brief={messages.brief(sessions.length)}
      footer={<SignOuts hasOthers={sessions.length > 1} />}
    >
      <DataTable
        caption={messages.title}
        columns={[
          { key: "browser", label: messages.browser },
          { key: "place", label: messages.place },
          { key: "lastUsed", label: messages.lastUsed },
          { key: "end", label: "", align: "end" },
        ]}
        rows={sessions.map((session) => ({
          id: session.id,
          current: session.isThis && sessions.length > 1,
          cells: {
            browser: (
              <>
                {session.device} {session.isThis && <StateChip tone="good">{messages.thisOne}</StateChip>}
              </>
            ),
            place: session.place ? countries.of(session.place) : messages.unknownPlace,
            lastUsed: (
              <Moment at={session.lastUsedAt} timeZone={account.timeZone} locale={account.locale} style="date-time" />
            ),
            end: !session.isThis && <EndSession session={session} />,
          },
        }))}
      />
    </FoldingCard>
  );
}

function EndSession({ session }: { session: SessionRow }) {
  const { sessions: messages } = useMessages(overviewMessages);
  const pending = usePending("session", session.id);
  return (
    <OverviewForm>
      <input type="hidden" name="session" value={session.id} />
      <Button kind="plain" name="intent" value="end-session" pending={pending} pendingLabel={messages.ending}>
        {messages.end} <span className="visually-hidden">{session.device}</span>
      </Button>
    </OverviewForm>
  );
}

function SignOuts({ hasOthers }: { hasOthers: boolean }) {
  const { sessions: messages } = useMessages(overviewMessages);
  const pending = usePending("intent", "end-other-sessions");
  return (
    <div className="row">
      <Form method="post" action={href("/logout")}>
        <Button>{messages.signOut}</Button>
      </Form>
      {hasOthers && (
        <OverviewForm>
          <Button name="intent" value="end-other-sessions" pending={pending} pendingLabel={messages.ending}>
            {messages.endOthers}
          </Button>
        </OverviewForm>
      )}
    </div>
  );
}

type ActivityRow = {
  id: string;
  what: ActivityName;
  result: ActivityResult;
  reason: string | null;
  device: string | null;
  place: string | null;
  network: string | null;
  happenedAt: number;
};
type ActivityProps = { activities: ActivityRow[]; isWhole: boolean; isCut: boolean; account: Account };

/** Who did what, when and where: the latest entries, or all on request. */
export function Activity({ activities, isWhole, isCut, account }: ActivityProps) {
  const { activity: messages } = useMessages(overviewMessages);
  const countries = nameFormat(account.locale);
  return (
    <FoldingCard
      id="activity"
      title={messages.title}
      brief={activities[0] && messages.did[activities[0].what]}
      footer={
        isCut
          ? messages.cut(activities.length)
          : !isWhole && <Link to={`${href("/settings")}?activity=all#activity`}>{messages.all}</Link>
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
            what: <Did activity={activity} />,
            where: [
              activity.device,
              activity.place && countries.of(activity.place),
              activity.network && messages.network(activity.network),
            ]
              .filter(Boolean)
              .join(", "),
            when: (
              <Moment at={activity.happenedAt} timeZone={account.timeZone} locale={account.locale} style="date-time" />
            ),
          },
        }))}
      />
    </FoldingCard>
  );
}

/** What was done, or attempted without success, and why. */
function Did({ activity: { what, result, reason } }: { activity: ActivityRow }) {
  const { activity: messages } = useMessages(overviewMessages);
  if (result === "done") return messages.did[what];
  const why = messages.reasons[reason ?? ""];
  return (
    <>
      {messages.did[what]}{" "}
      <StateChip tone="attention">{why ? `${messages.refused}: ${why}` : messages.refused}</StateChip>
    </>
  );
}
