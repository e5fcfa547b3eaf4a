import type { Account } from "#app/modules/accounts/rules.ts";
import { mailKinds } from "#app/modules/email/rules.ts";
import { Button } from "#app/ui/components/button.tsx";
import { SwitchField } from "#app/ui/components/field.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { FoldingCard } from "#app/ui/components/folding-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { youWords } from "./messages.ts";
import { YouForm } from "./form.tsx";

/** Which of the mails that nobody needs this person wants. A form of its own, since a switch that is off sends nothing. */
export function OptionalMails({ account }: { account: Account }) {
  const { mails: words } = useWords(youWords);
  const pending = usePending("intent", "mails");
  return (
    <FoldingCard
      id="mails"
      title={words.title}
      brief={words.brief(mailKinds.length - account.mailsOff.length, mailKinds.length)}
    >
      <p>{words.text}</p>
      <YouForm className="stack">
        {mailKinds.map((kind) => (
          <SwitchField
            key={kind}
            name={kind}
            {...words.kinds[kind]}
            defaultChecked={!account.mailsOff.includes(kind)}
          />
        ))}
        <div className="row">
          <Button name="intent" value="mails" pending={pending} pendingLabel={words.pending}>
            {words.save}
          </Button>
        </div>
      </YouForm>
    </FoldingCard>
  );
}
