import type { Reader } from "#app/core/time/time.ts";
import type { SessionId } from "#app/core/id.ts";
import { Form, href } from "react-router";
import type { SignInMethod } from "#app/modules/accounts/rules.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { DataTable } from "#app/ui/components/data/data-table.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { CollapsibleCard } from "#app/ui/components/layout/collapsible-card.tsx";
import { StateChip } from "#app/ui/components/data/state-chip.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { nameFormat } from "#app/core/text/formats.ts";
import { AccountForm } from "../account-forms/account-form.tsx";
import { securityMessages } from "./messages.ts";

type SessionRow = {
  id: SessionId;
  device: string;
  country: string | null;
  /** Null if the user signed in before we stored this. */
  method: SignInMethod | null;
  createdAt: number;
  lastUsedAt: number;
  isThis: boolean;
};

export function Sessions({ sessions, reader }: { sessions: SessionRow[]; reader: Reader }) {
  const { sessions: messages } = useMessages(securityMessages);
  const { timeZone, locale } = reader;
  return (
    <CollapsibleCard
      id="sessions"
      title={messages.title}
      brief={messages.brief(sessions.length)}
      footer={<SignOuts hasOthers={sessions.length > 1} />}
    >
      <DataTable
        caption={messages.title}
        columns={[
          { key: "browser", label: messages.browser },
          { key: "since", label: messages.since },
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
                <SignedIn session={session} locale={locale} />
              </>
            ),
            since: <Moment at={session.createdAt} timeZone={timeZone} locale={locale} style="short" />,
            lastUsed: <Moment at={session.lastUsedAt} timeZone={timeZone} locale={locale} style="short-date-time" />,
            end: !session.isThis && <EndSession session={session} />,
          },
        }))}
      />
    </CollapsibleCard>
  );
}

/** How the user signed in and from which country, as far as we know. */
function SignedIn({ session: { method, country }, locale }: { session: SessionRow; locale: string }) {
  const { sessions: messages } = useMessages(securityMessages);
  const facts = [method && messages.methods[method], country && nameFormat(locale).of(country)].filter(Boolean);
  return facts.length > 0 && <div className="quiet">{facts.join(", ")}</div>;
}

function EndSession({ session }: { session: SessionRow }) {
  const { sessions: messages } = useMessages(securityMessages);
  const pending = usePending("session", session.id);
  return (
    <AccountForm page={href("/settings/security")}>
      <input type="hidden" name="session" value={session.id} />
      <Button kind="plain" name="intent" value="end-session" pending={pending} pendingLabel={messages.ending}>
        {messages.end} <span className="visually-hidden">{session.device}</span>
      </Button>
    </AccountForm>
  );
}

function SignOuts({ hasOthers }: { hasOthers: boolean }) {
  const { sessions: messages } = useMessages(securityMessages);
  const pending = usePending("intent", "end-other-sessions");
  return (
    <div className="row">
      <Form method="post" action={href("/logout")}>
        <Button>{messages.signOut}</Button>
      </Form>
      {hasOthers && (
        <AccountForm page={href("/settings/security")}>
          <Button name="intent" value="end-other-sessions" pending={pending} pendingLabel={messages.ending}>
            {messages.endOthers}
          </Button>
        </AccountForm>
      )}
    </div>
  );
}
