import { type FormEvent, useEffect, useRef } from "react";
import { href, useFetcher } from "react-router";
import type { Account } from "#app/modules/accounts/rules.ts";
import { emailKinds } from "#app/modules/email/rules.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { SwitchField } from "#app/ui/components/forms/field.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { CollapsibleCard } from "#app/ui/components/layout/collapsible-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { AccountForm } from "../account-forms/account-form.tsx";
import { notificationsMessages } from "./messages.ts";

/** Which optional emails the user wants: each switch is saved as it changes; without a script there is a button. */
export function OptionalEmails({ account }: { account: Account }) {
  const { emails: messages } = useMessages(notificationsMessages);
  const pending = usePending("intent", "mails");
  const { form, save, status } = useSavedSwitches();
  return (
    <CollapsibleCard
      id="mails"
      isOpen
      title={messages.title}
      brief={messages.brief(emailKinds.length - account.emailsOff.length, emailKinds.length)}
    >
      <p>{messages.text}</p>
      <AccountForm
        page={href("/settings/notifications")}
        className="stack switches"
        autoComplete="off"
        ref={form}
        onChange={save}
      >
        {emailKinds.map((kind) => (
          <SwitchField
            key={kind}
            name={kind}
            {...messages.kinds[kind]}
            defaultChecked={!account.emailsOff.includes(kind)}
          />
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

/** Sends the form when a switch changes, without leaving the page: the focus stays on the switch. */
function useSavedSwitches() {
  const form = useRef<HTMLFormElement>(null);
  const fetcher = useFetcher<unknown>();
  const send = (sent: HTMLFormElement) => {
    const fields = new FormData(sent);
    fields.set("intent", "mails");
    fields.set("inPlace", "on");
    void fetcher.submit(fields, { method: "post", action: href("/settings/notifications") });
  };
  const isIdle = fetcher.state === "idle";
  const hasSent = useRef(false);
  // The action's answer to a form that was saved in place.
  const isSaved = isIdle && fetcher.data === null;
  useEffect(() => {
    // Not saved: the switches go back to what is stored.
    if (isIdle && hasSent.current && !isSaved) form.current?.reset();
    hasSent.current = !isIdle;
  }, [isIdle, isSaved]);
  const sendEarly = useRef(send);
  useEffect(() => {
    // A switch that was changed before the script ran.
    const boxes = [...(form.current?.querySelectorAll<HTMLInputElement>("[role=switch]") ?? [])];
    if (form.current && boxes.some((box) => box.checked !== box.defaultChecked)) sendEarly.current(form.current);
  }, []);
  const status = isIdle ? (isSaved ? ("saved" as const) : null) : ("saving" as const);
  return { form, save: (event: FormEvent<HTMLFormElement>) => send(event.currentTarget), status };
}
