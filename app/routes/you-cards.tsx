import { Form } from "react-router";
import type { Account } from "#app/domain/accounts/rules.ts";
import { useRefusedFields } from "#app/request/form-refusal.tsx";
import { Button } from "#app/ui/button.tsx";
import { DataTable } from "#app/ui/data-table.tsx";
import { Field, RadioCards, SelectField } from "#app/ui/field.tsx";
import { useWords } from "#app/ui/language.ts";
import { Moment } from "#app/ui/moment.tsx";
import { SectionCard } from "#app/ui/section-card.tsx";
import { StateChip } from "#app/ui/state-chip.tsx";
import { usePending } from "#app/ui/use-pending.ts";
import { youWords } from "./you.words.ts";

type ProfileProps = { account: Account; timeZones: string[]; refusal: { reason: string } | undefined };

export function Profile({ account, timeZones, refusal }: ProfileProps) {
  const { profile: words, problems } = useWords(youWords);
  const pending = usePending("intent", "profile");
  const { problemOf, typedIn } = useRefusedFields(refusal, problems);
  return (
    <SectionCard title={words.title}>
      <Form method="post" className="stack">
        <Field
          label={words.name}
          hint={words.nameHint}
          name="name"
          defaultValue={typedIn("name") ?? account.name ?? ""}
          autoComplete="name"
          maxLength={80}
          error={problemOf("name")}
        />
        <SelectField
          label={words.timeZone}
          hint={words.timeZoneHint}
          name="timeZone"
          defaultValue={typedIn("timeZone") ?? account.timeZone}
          options={timeZones.map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }))}
          error={problemOf("timeZone")}
        />
        <div className="row">
          <Button name="intent" value="profile" pending={pending} pendingLabel={words.pending}>
            {words.save}
          </Button>
        </div>
      </Form>
    </SectionCard>
  );
}

type SessionRow = { id: string; device: string; place: string | null; lastUsedAt: number; isThis: boolean };

export function SignedInBrowsers({ sessions, account }: { sessions: SessionRow[]; account: Account }) {
  const { sessions: words } = useWords(youWords);
  const countries = new Intl.DisplayNames(account.locale, { type: "region" });
  return (
    <SectionCard
      title={words.title}
      footer={
        <Form method="post" action="/logout">
          <Button>{words.signOut}</Button>
        </Form>
      }
    >
      <DataTable
        caption={words.title}
        columns={[
          { key: "browser", label: words.browser },
          { key: "place", label: words.place },
          { key: "lastUsed", label: words.lastUsed, align: "end" },
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
          },
        }))}
      />
    </SectionCard>
  );
}

export function Appearance({ theme }: { theme: string }) {
  const { appearance: words } = useWords(youWords);
  return (
    <SectionCard title={words.title}>
      <Form method="post" className="stack" reloadDocument>
        <RadioCards
          legend={words.legend}
          name="theme"
          defaultValue={theme}
          options={[
            { value: "system", title: words.system },
            { value: "light", title: words.light },
            { value: "dark", title: words.dark },
          ]}
        />
        <div className="row">
          <Button name="intent" value="appearance">
            {words.save}
          </Button>
        </div>
      </Form>
    </SectionCard>
  );
}
