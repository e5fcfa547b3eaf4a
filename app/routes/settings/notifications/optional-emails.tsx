import { href } from "react-router";
import type { Account } from "#app/modules/accounts/rules.ts";
import { emailKinds } from "#app/modules/email/rules.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { SwitchField } from "#app/ui/components/forms/switch-field.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { CollapsibleCard } from "#app/ui/components/layout/collapsible-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { AccountForm } from "../account-forms/account-form.tsx";
import { useSavedInPlace } from "../account-forms/use-saved-in-place.ts";
import { notificationsMessages } from "./messages.ts";

/** Which optional emails the user wants. Each switch is saved as it changes; without scripts there is a button. */
export function OptionalEmails({ emailsOff, whyOff }: Pick<Account, "emailsOff"> & { whyOff: string | null }) {
  const { emails: messages } = useMessages(notificationsMessages);
  const pending = usePending("intent", "mails");
  const page = href("/settings/notifications");
  const { form, status } = useSavedInPlace("mails", page);
  return (
    <CollapsibleCard
      id="mails"
      isOpen
      title={messages.title}
      brief={messages.brief(emailKinds.length - emailsOff.length, emailKinds.length)}
    >
      {whyOff && <Notice kind="attention">{whyOff}</Notice>}
      <p>{messages.text}</p>
      <AccountForm page={page} className="stack switches" {...form}>
        {emailKinds.map((kind) => (
          <SwitchField key={kind} name={kind} {...messages.kinds[kind]} defaultChecked={!emailsOff.includes(kind)} />
        ))}
        <noscript>
          <Button kind="primary" name="intent" value="mails" pending={pending} pendingLabel={messages.saving}>
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
