import type { Account } from "#app/modules/accounts/rules.ts";
import { useRefusedFields } from "#app/http/form-refusal.tsx";
import { Button } from "#app/ui/components/button.tsx";
import { Field, RadioCards, SelectField } from "#app/ui/components/field.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { leavingForm } from "#app/ui/hooks/leaving-form.ts";
import { FoldingCard } from "#app/ui/components/folding-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { youWords } from "./messages.ts";
import { YouForm } from "./form.tsx";

type ProfileProps = {
  account: Account;
  locales: readonly { value: string; label: string }[];
  timeZones: readonly string[];
  refusal: { reason: string } | undefined;
};

export function Profile({ account, locales, timeZones, refusal }: ProfileProps) {
  const { profile: words, problems } = useWords(youWords);
  const pending = usePending("intent", "profile");
  const { problemOf, typedIn } = useRefusedFields(refusal, problems);
  return (
    <FoldingCard id="profile" title={words.title} brief={words.brief(account.name, account.timeZone)}>
      <YouForm className="stack">
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
          label={words.locale}
          hint={words.localeHint}
          name="locale"
          defaultValue={typedIn("locale") ?? account.locale}
          options={locales}
          error={problemOf("locale")}
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
      </YouForm>
    </FoldingCard>
  );
}

export function Appearance({ theme }: { theme: string }) {
  const { appearance: words, profile } = useWords(youWords);
  const pending = usePending("intent", "appearance");
  return (
    <FoldingCard
      id="appearance"
      title={words.title}
      brief={theme === "light" || theme === "dark" ? words[theme] : words.system}
    >
      <YouForm className="stack" {...leavingForm}>
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
          <Button name="intent" value="appearance" pending={pending} pendingLabel={profile.pending}>
            {words.save}
          </Button>
        </div>
      </YouForm>
    </FoldingCard>
  );
}
