import { href } from "react-router";
import { Button } from "#app/ui/components/forms/button.tsx";
import { ChoiceSwitch } from "#app/ui/components/forms/choice-switch.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { CollapsibleCard } from "#app/ui/components/layout/collapsible-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { AccountForm } from "../account-forms/account-form.tsx";
import { useSavedInPlace } from "../account-forms/use-saved-in-place.ts";
import { profileMessages } from "./messages.ts";

/** The theme, which belongs to the browser and not to the account. It's saved as it changes; without scripts there is a button. */
export function Appearance({ theme }: { theme: string }) {
  const { appearance: messages } = useMessages(profileMessages);
  const pending = usePending("intent", "appearance");
  const page = href("/settings/profile");
  const { form, status } = useSavedInPlace("appearance", page);
  return (
    <CollapsibleCard
      id="appearance"
      title={messages.title}
      brief={theme === "light" || theme === "dark" ? messages[theme] : messages.system}
    >
      <AccountForm page={page} className="stack" {...form}>
        <ChoiceSwitch
          legend={messages.legend}
          name="theme"
          defaultValue={theme}
          options={[
            { value: "system", title: messages.system },
            { value: "light", title: messages.light },
            { value: "dark", title: messages.dark },
          ]}
        />
        <noscript>
          <Button name="intent" value="appearance" pending={pending} pendingLabel={messages.saving}>
            {messages.save}
          </Button>
        </noscript>
        <p className="quiet needs-script" role="status">
          {status && messages[status]}
        </p>
      </AccountForm>
    </CollapsibleCard>
  );
}
