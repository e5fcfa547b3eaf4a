import type { Account } from "#app/domain/accounts/rules.ts";
import { mailKinds } from "#app/domain/mail/rules.ts";
import { Button } from "#app/ui/button.tsx";
import { SwitchField } from "#app/ui/field.tsx";
import { useWords } from "#app/ui/language.ts";
import { FoldingCard } from "#app/ui/folding-card.tsx";
import { usePending } from "#app/ui/use-pending.ts";
import { youWords } from "./you.words.ts";
import { YouForm } from "./you-form.tsx";

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
