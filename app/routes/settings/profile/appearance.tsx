import { href } from "react-router";
import { Button } from "#app/ui/components/forms/button.tsx";
import { RadioCards } from "#app/ui/components/forms/field.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { documentForm } from "#app/ui/hooks/document-form.ts";
import { CollapsibleCard } from "#app/ui/components/layout/collapsible-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { AccountForm } from "../account-forms/account-form.tsx";
import { profileMessages } from "./messages.ts";

/** The theme, which is the browser's and not the account's. */
export function Appearance({ theme }: { theme: string }) {
  const { appearance: messages, profile } = useMessages(profileMessages);
  const pending = usePending("intent", "appearance");
  return (
    <CollapsibleCard
      id="appearance"
      title={messages.title}
      brief={theme === "light" || theme === "dark" ? messages[theme] : messages.system}
    >
      <AccountForm page={href("/settings/profile")} className="stack" {...documentForm}>
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
      </AccountForm>
    </CollapsibleCard>
  );
}
