import { href } from "react-router";
import { knowsPasskeys, type PasskeyOffer as Offer } from "#app/client/ask-for-passkey.ts";
import { PasskeyForm } from "#app/client/passkey-form.tsx";
import { Button } from "#app/ui/components/forms/button.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { useHydrated } from "#app/ui/hooks/use-hydrated.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { AccountForm } from "../account-forms/account-form.tsx";
import { overviewMessages } from "./messages.ts";

/** After a sign-in by code, while the account has no passkey: one press adds one, another declines for this browser. Not without scripts. */
export function PasskeyOffer({ offer }: { offer: Offer }) {
  const { passkey: messages } = useMessages(overviewMessages);
  const pending = usePending("intent", "decline-passkey");
  if (useHydrated() && !knowsPasskeys()) return null;
  return (
    <div className="needs-script">
      <SectionCard title={messages.title}>
        <p>{messages.text}</p>
        <div className="row">
          <PasskeyForm
            action={href("/settings/security")}
            intent="add-passkey"
            ceremony="add"
            offer={offer}
            label={messages.add}
            pendingLabel={messages.adding}
          />
          <AccountForm page={href("/settings/security")}>
            <Button kind="plain" name="intent" value="decline-passkey" pending={pending}>
              {messages.decline}
            </Button>
          </AccountForm>
        </div>
      </SectionCard>
    </div>
  );
}
