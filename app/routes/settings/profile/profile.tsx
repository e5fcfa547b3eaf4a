import { href } from "react-router";
import { splitTimeZone } from "#app/core/time/split-time-zone.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { useRefusedFields } from "#app/http/forms/form-refusal.tsx";
import { Button } from "#app/ui/components/forms/button.tsx";
import { Field } from "#app/ui/components/forms/field.tsx";
import { SelectField } from "#app/ui/components/forms/select-field.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { AccountForm } from "../account-forms/account-form.tsx";
import { accountMessages } from "../account-forms/messages.ts";
import { profileMessages } from "./messages.ts";

type ProfileProps = {
  account: Account;
  formats: readonly { value: string; label: string }[];
  timeZones: readonly string[];
  refusal: { reason: string } | null;
};

/** What an account's pages and emails call its owner, and how they write dates. */
export function Profile({ account, formats, timeZones, refusal }: ProfileProps) {
  const { profile: messages } = useMessages(profileMessages);
  const { problems } = useMessages(accountMessages);
  const pending = usePending("intent", "profile");
  const { problemOf, typedIn } = useRefusedFields(refusal ?? undefined, problems);
  return (
    <SectionCard id="profile" title={messages.title}>
      <AccountForm page={href("/settings/profile")} className="stack form-rows">
        <Field
          label={messages.name}
          hint={messages.nameHint}
          name="name"
          defaultValue={typedIn("name") ?? account.name ?? ""}
          autoComplete="name"
          error={problemOf("name")}
        />
        <SelectField
          label={messages.locale}
          hint={messages.localeHint}
          name="locale"
          defaultValue={typedIn("locale") ?? account.locale}
          options={formats}
          error={problemOf("locale")}
        />
        <SelectField
          label={messages.timeZone}
          hint={messages.timeZoneHint}
          name="timeZone"
          defaultValue={typedIn("timeZone") ?? account.timeZone}
          options={zonesByRegion(timeZones)}
          error={problemOf("timeZone")}
        />
        <div className="row">
          <Button kind="primary" name="intent" value="profile" pending={pending} pendingLabel={messages.pending}>
            {messages.save}
          </Button>
        </div>
      </AccountForm>
    </SectionCard>
  );
}

/** "America/Argentina/Buenos_Aires" becomes "Buenos Aires, Argentina" in the group America; UTC is in none. Keeps the order of `zones`. */
function zonesByRegion(zones: readonly string[]) {
  const groups: { group: string; options: { value: string; label: string }[] }[] = [];
  const alone: { value: string; label: string }[] = [];
  for (const zone of zones) {
    const { region, places } = splitTimeZone(zone);
    const option = { value: zone, label: places.toReversed().join(", ") || region };
    const last = groups.at(-1);
    if (places.length === 0) alone.push(option);
    else if (last?.group === region) last.options.push(option);
    else groups.push({ group: region, options: [option] });
  }
  return [...groups, ...alone];
}
