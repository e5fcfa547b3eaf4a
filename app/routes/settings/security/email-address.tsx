import { href } from "react-router";
import { useRefusedFields } from "#app/http/forms/form-refusal.tsx";
import { Button } from "#app/ui/components/forms/button.tsx";
import { EmailField } from "#app/ui/components/forms/field.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { CollapsibleCard } from "#app/ui/components/layout/collapsible-card.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { useFocusOnRefusal } from "#app/ui/hooks/use-focus-on-refusal.ts";
import { AccountForm } from "../account-forms/account-form.tsx";
import { accountMessages } from "../account-forms/messages.ts";
import { securityMessages } from "./messages.ts";

type EmailAddressProps = {
  email: string;
  /** The value typed before re-authentication, or before the address was to be corrected. */
  typed: string | undefined;
  refusal: { reason: string } | null;
};

/** The address that signs in and gets the emails, and the form to change it. */
export function EmailAddressSection({ email, typed, refusal }: EmailAddressProps) {
  const { email: messages } = useMessages(securityMessages);
  const { problems, changeAddress } = useMessages(accountMessages);
  const pending = usePending("intent", "change-email");
  const { problemOf, typedIn } = useRefusedFields(refusal ?? undefined, problems);
  const error = problemOf("email");
  useFocusOnRefusal("email", error ? refusal : null);
  return (
    <CollapsibleCard id="address" title={messages.title} brief={email}>
      <p>
        {messages.now}
        <strong>{email}</strong>.
      </p>
      <AccountForm page={href("/settings/security")} className="stack form-rows">
        <EmailField
          label={messages.label}
          hint={messages.hint}
          defaultValue={typedIn("email") ?? typed ?? ""}
          autoFocus={error !== undefined || typed !== undefined}
          error={error}
        />
        <div className="row">
          <Button name="intent" value="change-email" pending={pending} pendingLabel={messages.pending}>
            {changeAddress}
          </Button>
        </div>
      </AccountForm>
    </CollapsibleCard>
  );
}
