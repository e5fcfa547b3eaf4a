import { Notice } from "#app/ui/components/feedback/notice.tsx";
import {
  type CodeFormRefusal,
  FormRefusalNotice,
  type FormRefusalNoticeProps,
  useRefusedFields,
} from "./form-refusal.tsx";
import { type ChallengeRefusal, isChallengeWanted } from "./is-challenge-wanted.ts";
import { isSuggestion } from "./is-suggestion.ts";
import type { SuggestionRefusal } from "./refuse-mistyped-domain.ts";
import { SuggestionNotice } from "./suggestion-notice.tsx";

export type AddressFormRefusal = CodeFormRefusal | SuggestionRefusal | ChallengeRefusal;

/** The same as `FormRefusalNotice`, for a form with an email address: its domain may look mistyped, or it asks for a challenge. */
export function AddressRefusalNotice({ refusal, ...texts }: FormRefusalNoticeProps<AddressFormRefusal>) {
  if (refusal && isSuggestion(refusal)) return <SuggestionNotice {...refusal} />;
  if (!isChallengeWanted(refusal)) return <FormRefusalNotice refusal={refusal} {...texts} />;
  // Other people's requests aren't an error of the user's.
  return (
    <Notice kind="attention" live isRefusal>
      {refusal.text}
    </Notice>
  );
}

/** The same as `useRefusedFields`, which also refills a form that asks for a challenge. */
export function useAddressFields(...[refusal, problems]: Parameters<typeof useRefusedFields>) {
  const fields = useRefusedFields(refusal, problems);
  return isChallengeWanted(refusal) ? { ...fields, typedIn: (field: string) => refusal.typed[field] } : fields;
}
