import { Form, Link } from "react-router";
import type { ActivityResult, ActivityWord } from "#app/modules/accounts/activities.rules.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { Button } from "#app/ui/components/button.tsx";
import { DataTable } from "#app/ui/components/data-table.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { Moment } from "#app/ui/components/moment.tsx";
import { FoldingCard } from "#app/ui/components/folding-card.tsx";
import { StateChip } from "#app/ui/components/state-chip.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { youWords } from "./messages.ts";
import { YouForm } from "./form.tsx";
import { nameFormat } from "#app/core/text/formats.ts";

type SessionRow = { id: string; device: string; place: string | null; lastUsedAt: number; isThis: boolean };

export function SignedInBrowsers({ sessions, account }: { sessions: SessionRow[]; account: Account }) {
  const { sessions: words } = useWords(youWords);
  const countries = nameFormat(account.locale);
  return (
    <FoldingCard
      id="sessions"
      title={words.title}
      brief={words.brief(sessions.length)}
      footer={<SignOuts hasOthers={sessions.length > 1} />}
    >
      <DataTable
        caption={words.title}
        columns={[
          { key: "browser", label: words.browser },
          { key: "place", label: words.place },
          { key: "lastUsed", label: words.lastUsed },
          { key: "end", label: "", align: "end" },
        ]}
        rows={sessions.map((session) => ({
          id: session.id,
          current: session.isThis && sessions.length > 1,
          cells: {
            browser: (
              <>
                {session.device} {session.isThis && <StateChip tone="good">{words.thisOne}</StateChip>}
              </>
            ),
            place: session.place ? countries.of(session.place) : words.unknownPlace,
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
  const { sessions: words } = useWords(youWords);
  const pending = usePending("session", session.id);
  return (
    <YouForm>
      <input type="hidden" name="session" value={session.id} />
      <Button kind="plain" name="intent" value="end-session" pending={pending} pendingLabel={words.ending}>
        {words.end} <span className="visually-hidden">{session.device}</span>
      </Button>
    </YouForm>
  );
}

function SignOuts({ hasOthers }: { hasOthers: boolean }) {
  const { sessions: words } = useWords(youWords);
  const pending = usePending("intent", "end-other-sessions");
  return (
    <div className="row">
      <Form method="post" action="/logout">
        <Button>{words.signOut}</Button>
      </Form>
      {hasOthers && (
        <YouForm>
          <Button name="intent" value="end-other-sessions" pending={pending} pendingLabel={words.ending}>
            {words.endOthers}
          </Button>
        </YouForm>
      )}
    </div>
  );
}

type ActivityRow = {
  id: string;
  what: ActivityWord;
  result: ActivityResult;
  reason: string | null;
  device: string | null;
  place: string | null;
  network: string | null;
  happenedAt: number;
};
type ActivityProps = { activities: ActivityRow[]; isWhole: boolean; isCut: boolean; account: Account };

/** Who did what, when and where: the last few, or all when asked. */
export function Activity({ activities, isWhole, isCut, account }: ActivityProps) {
  const { activity: words } = useWords(youWords);
  const countries = nameFormat(account.locale);
  return (
    <FoldingCard
      id="activity"
      title={words.title}
      brief={activities[0] && words.did[activities[0].what]}
      footer={
        isCut ? words.cut(activities.length) : !isWhole && <Link to="/settings?activity=all#activity">{words.all}</Link>
      }
    >
      <DataTable
        caption={words.title}
        columns={[
          { key: "what", label: words.what },
          { key: "where", label: words.where },
          { key: "when", label: words.when, align: "end" },
        ]}
        rows={activities.map((activity) => ({
          id: activity.id,
          cells: {
            what: <Did activity={activity} />,
            where: [
              activity.device,
              activity.place && countries.of(activity.place),
              activity.network && words.network(activity.network),
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

/** What was done, or tried in vain, and why. */
function Did({ activity: { what, result, reason } }: { activity: ActivityRow }) {
  const { activity: words } = useWords(youWords);
  if (result === "done") return words.did[what];
  const why = words.reasons[reason ?? ""];
  return (
    <>
      {words.did[what]} <StateChip tone="attention">{why ? `${words.refused}: ${why}` : words.refused}</StateChip>
    </>
  );
}
