import { type CodeFormRefusal, FormRefusalNotice, type FormRefusalNoticeProps } from "./form-refusal.tsx";
import type { CaptchaRefusal } from "./is-captcha-wanted.ts";
import { isSuggestion } from "./is-suggestion.ts";
import type { SuggestionRefusal } from "./refuse-mistyped-domain.ts";
import { SuggestionNotice } from "./suggestion-notice.tsx";

/** The refusals of a form with an email address. */
export type AddressFormRefusal = CodeFormRefusal | SuggestionRefusal | CaptchaRefusal;

/** The same as `FormRefusalNotice`, for a form with an email address: its domain may look mistyped. */
export function AddressRefusalNotice({ refusal, ...texts }: FormRefusalNoticeProps<AddressFormRefusal>) {
  if (refusal && isSuggestion(refusal)) return <SuggestionNotice {...refusal} />;
  return <FormRefusalNotice refusal={refusal} {...texts} />;
}
