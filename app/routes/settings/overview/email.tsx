import type { Account } from "#app/modules/accounts/rules.ts";
import { useRefusedFields } from "#app/http/form-refusal.tsx";
import { Button } from "#app/ui/components/button.tsx";
import { EmailField } from "#app/ui/components/field.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { FoldingCard } from "#app/ui/components/folding-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { youWords } from "./messages.ts";
import { YouForm } from "./form.tsx";

type EmailAddressProps = {
  account: Account;
  /** What stood here before a fresh proof, or before the address was to be corrected. */
  typed: string | undefined;
  refusal: { reason: string } | undefined;
};

export function EmailAddressCard({ account, typed, refusal }: EmailAddressProps) {
  const { email: words, problems } = useWords(youWords);
  const pending = usePending("intent", "change-email");
  const { problemOf, typedIn } = useRefusedFields(refusal, problems);
  return (
    <FoldingCard id="address" title={words.title} brief={account.email}>
      <p>
        {words.now}
        <strong>{account.email}</strong>.
      </p>
      <YouForm className="stack">
        <EmailField
          label={words.label}
          hint={words.hint}
          defaultValue={typedIn("email") ?? typed ?? ""}
          autoFocus={typed !== undefined}
          error={problemOf("email")}
        />
        <div className="row">
          <Button name="intent" value="change-email" pending={pending} pendingLabel={words.pending}>
            {words.submit}
          </Button>
        </div>
      </YouForm>
    </FoldingCard>
  );
}
