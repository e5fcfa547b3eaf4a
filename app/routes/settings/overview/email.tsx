import type { Account } from "#app/modules/accounts/rules.ts";
import { useRefusedFields } from "#app/http/form-refusal.tsx";
import { Button } from "#app/ui/components/forms/button.tsx";
import { EmailField } from "#app/ui/components/forms/field.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { FoldingCard } from "#app/ui/components/layout/folding-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { overviewMessages } from "./messages.ts";
import { OverviewForm } from "./form.tsx";

type EmailAddressProps = {
  account: Account;
  /** The value typed before re-authentication, or before the address was to be corrected. */
  typed: string | undefined;
  refusal: { reason: string } | undefined;
};

export function EmailAddressCard({ account, typed, refusal }: EmailAddressProps) {
  const { email: messages, problems } = useMessages(overviewMessages);
  const pending = usePending("intent", "change-email");
  const { problemOf, typedIn } = useRefusedFields(refusal, problems);
  return (
    <FoldingCard id="address" title={messages.title} brief={account.email}>
      <p>
        {messages.now}
        <strong>{account.email}</strong>.
      </p>
      <OverviewForm className="stack">
        <EmailField
          label={messages.label}
          hint={messages.hint}
          defaultValue={typedIn("email") ?? typed ?? ""}
          autoFocus={typed !== undefined}
          error={problemOf("email")}
        />
        <div className="row">
          <Button name="intent" value="change-email" pending={pending} pendingLabel={messages.pending}>
            {messages.submit}
          </Button>
        </div>
      </OverviewForm>
    </FoldingCard>
  );
}
