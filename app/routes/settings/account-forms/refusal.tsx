import { data } from "react-router";
import { type CodeFormRefusal, FormRefusalNotice } from "#app/http/forms/form-refusal.tsx";
import { isPasskeyRefusal, type PasskeyRefusal, refusePasskey } from "#app/http/forms/passkey-refusal.ts";
import type { SuggestionRefusal } from "#app/http/forms/refuse-mistyped-domain.ts";
import { isSuggestion, SuggestionNotice } from "#app/http/forms/suggestion-notice.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import {
  isAboutAccountClosing,
  type AccountClosingRefusal,
  accountClosingRefusalStatus,
  closingRefusalMessages,
} from "./closing-refusal.messages.ts";
import { accountMessages } from "./messages.ts";
import { PasskeyProblemNotice } from "#app/client/passkey-problem.tsx";

/** The refusals of the account pages' commands, except an outdated re-authentication, which redirects to a new one. */
export type Refusal = AccountClosingRefusal | PasskeyRefusal | { reason: "session-unknown" };

export function refuseAccountForm(refusal: Refusal) {
  if (refusal.reason === "session-unknown") return data(refusal, { status: 404 });
  if (isPasskeyRefusal(refusal)) return refusePasskey(refusal);
  return data(refusal, { status: accountClosingRefusalStatus(refusal) });
}

export type AccountRefusal = Refusal | CodeFormRefusal | SuggestionRefusal;
type RefusedProps = { refusal: AccountRefusal | null; fieldsAlone?: readonly string[] };

/** At the top of the page: the refusal and its reason, unless it is shown at the form's only field. */
export function AccountFormRefused({ refusal, fieldsAlone }: RefusedProps) {
  const { problems, changeAddress } = useMessages(accountMessages);
  if (!refusal) return null;
  if (refusal.reason === "invalid-fields" && refusal.errors.every(({ field }) => fieldsAlone?.includes(field)))
    return null;
  if (isSuggestion(refusal)) return <SuggestionNotice {...refusal} button={changeAddress} />;
  if (isPasskeyRefusal(refusal)) return <PasskeyProblemNotice problem={refusal.reason} />;
  if (isAboutAccountClosing(refusal)) return <AccountClosingRefused refusal={refusal} />;
  if (refusal.reason !== "session-unknown") return <FormRefusalNotice refusal={refusal} problems={problems} />;
  return (
    <Notice kind="problem" live>
      {problems["session-unknown"]}
    </Notice>
  );
}

function AccountClosingRefused({ refusal }: { refusal: AccountClosingRefusal }) {
  const messages = useMessages(closingRefusalMessages);
  return (
    <Notice kind="problem" title={messages.trouble} live>
      {messages.refusals[refusal.reason]}
    </Notice>
  );
}
