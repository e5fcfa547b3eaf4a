import { type CodeFormRefusal, FormRefusalNotice } from "#app/http/forms/form-refusal.tsx";
import type { SuggestionRefusal } from "#app/http/forms/refuse-mistyped-domain.ts";
import { isSuggestion } from "#app/http/forms/is-suggestion.ts";
import { SuggestionNotice } from "#app/http/forms/suggestion-notice.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { accountMessages } from "./messages.ts";
import type { ShownAccountRefusal } from "./refuse-account-form.ts";

export type AccountRefusal = ShownAccountRefusal | CodeFormRefusal | SuggestionRefusal;
type RefusedProps = { refusal: AccountRefusal | null; fieldsAlone?: readonly string[] };

/** At the top of the page: the refusal and its reason, unless it is shown at the form's only field. */
export function AccountFormRefused({ refusal, fieldsAlone }: RefusedProps) {
  const { problems, changeAddress } = useMessages(accountMessages);
  if (!refusal) return null;
  if (refusal.reason === "invalid-fields" && refusal.errors.every(({ field }) => fieldsAlone?.includes(field)))
    return null;
  if (isSuggestion(refusal)) return <SuggestionNotice {...refusal} button={changeAddress} />;
  if (!hasMessage(refusal)) return <FormRefusalNotice refusal={refusal} problems={problems} />;
  return (
    <Notice kind="problem" title={refusal.title} live>
      {refusal.text}
    </Notice>
  );
}

function hasMessage(refusal: CodeFormRefusal | ShownAccountRefusal): refusal is ShownAccountRefusal {
  return "text" in refusal && !("seconds" in refusal);
}
