import type { Account } from "#app/modules/accounts/rules.ts";
import { emailKinds } from "#app/modules/email/rules.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { SwitchField } from "#app/ui/components/forms/field.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { FoldingCard } from "#app/ui/components/layout/folding-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { overviewMessages } from "./messages.ts";
import { OverviewForm } from "./form.tsx";

/** Which optional emails the user wants. A form of its own, since a switch that is off sends nothing. */
export function OptionalEmails({ account }: { account: Account }) {
  const { emails: messages } = useMessages(overviewMessages);
  const pending = usePending("intent", "mails");
  return (
    <FoldingCard
      id="mails"
      title={messages.title}
      brief={messages.brief(emailKinds.length - account.emailsOff.length, emailKinds.length)}
    >
      <p>{messages.text}</p>
      <OverviewForm className="stack">
        {emailKinds.map((kind) => (
          <SwitchField
            key={kind}
            name={kind}
            {...messages.kinds[kind]}
            defaultChecked={!account.emailsOff.includes(kind)}
          />
        ))}
        <div className="row">
          <Button name="intent" value="mails" pending={pending} pendingLabel={messages.pending}>
            {messages.save}
          </Button>
        </div>
      </OverviewForm>
    </FoldingCard>
  );
}
