import type { Account } from "#app/modules/accounts/rules.ts";
import { useRefusedFields } from "#app/http/form-refusal.tsx";
import { Button } from "#app/ui/components/forms/button.tsx";
import { Field, RadioCards, SelectField } from "#app/ui/components/forms/field.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { documentForm } from "#app/ui/hooks/document-form.ts";
import { FoldingCard } from "#app/ui/components/layout/folding-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { overviewMessages } from "./messages.ts";
import { OverviewForm } from "./form.tsx";

type ProfileProps = {
  account: Account;
  locales: readonly { value: string; label: string }[];
  timeZones: readonly string[];
  refusal: { reason: string } | undefined;
};

export function Profile({ account, locales, timeZones, refusal }: ProfileProps) {
  const { profile: messages, problems } = useMessages(overviewMessages);
  const pending = usePending("intent", "profile");
  const { problemOf, typedIn } = useRefusedFields(refusal, problems);
  return (
    <FoldingCard id="profile" title={messages.title} brief={messages.brief(account.name, account.timeZone)}>
      <OverviewForm className="stack">
        <Field
          label={messages.name}
          hint={messages.nameHint}
          name="name"
          defaultValue={typedIn("name") ?? account.name ?? ""}
          autoComplete="name"
          maxLength={80}
          error={problemOf("name")}
        />
        <SelectField
          label={messages.locale}
          hint={messages.localeHint}
          name="locale"
          defaultValue={typedIn("locale") ?? account.locale}
          options={locales}
          error={problemOf("locale")}
        />
        <SelectField
          label={messages.timeZone}
          hint={messages.timeZoneHint}
          name="timeZone"
          defaultValue={typedIn("timeZone") ?? account.timeZone}
          options={timeZones.map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }))}
          error={problemOf("timeZone")}
        />
        <div className="row">
          <Button name="intent" value="profile" pending={pending} pendingLabel={messages.pending}>
            {messages.save}
          </Button>
        </div>
      </OverviewForm>
    </FoldingCard>
  );
}

export function Appearance({ theme }: { theme: string }) {
  const { appearance: messages, profile } = useMessages(overviewMessages);
  const pending = usePending("intent", "appearance");
  return (
    <FoldingCard
      id="appearance"
      title={messages.title}
      brief={theme === "light" || theme === "dark" ? messages[theme] : messages.system}
    >
      <OverviewForm className="stack" {...documentForm}>
        <RadioCards
          legend={messages.legend}
          name="theme"
          defaultValue={theme}
          options={[
            { value: "system", title: messages.system },
            { value: "light", title: messages.light },
            { value: "dark", title: messages.dark },
          ]}
        />
        <div className="row">
          <Button name="intent" value="appearance" pending={pending} pendingLabel={profile.pending}>
            {messages.save}
          </Button>
        </div>
      </OverviewForm>
    </FoldingCard>
  );
}
