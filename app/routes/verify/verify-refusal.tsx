import type { RevertRefusal } from "#app/modules/accounts/address-change.rules.ts";
import { type CodeFormRefusal, FormRefusalNotice } from "#app/http/forms/form-refusal.tsx";
import { refusalMessages } from "#app/http/forms/form-refusal.messages.ts";
import { isPasskeyRefusal, type PasskeyRefusal } from "#app/http/forms/passkey-refusal.ts";
import { FieldFocus } from "#app/ui/components/forms/field-focus.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { signUpFieldsMessages } from "#app/routes/signup/messages.ts";
import { verifyMessages } from "./messages.ts";
import { PasskeyProblemNotice } from "#app/client/passkey-problem.tsx";
import type { CodeProofRefusal } from "#app/modules/accounts/proof.rules.ts";

/** All refusals of this page's forms, except an outdated re-authentication, which redirects. */
export type Refusal =
  | (Exclude<CodeProofRefusal, { reason: "proof-stale" }> & { seconds?: number })
  | CodeFormRefusal
  | PasskeyRefusal
  | { reason: "code-missing" | "code-malformed" | "asked-elsewhere" }
  | RevertRefusal;

/** The digits are wrong, or no code is accepted; not a passkey's refusal, nor the form's own. */
export function isAboutCode({ reason }: Refusal): boolean {
  return reason === "wrong-code" || reason === "too-many-tries" || reason === "paused" || reason.startsWith("code-");
}

/** Other digits could be correct. For a code that is no longer valid, no field is marked. */
function isAboutField({ reason }: Refusal): boolean {
  return ["wrong-code", "code-missing", "code-malformed", "code-superseded"].includes(reason);
}

/**
 * Above the form: what was wrong with the passkey, the form itself or a code that is no longer valid. Wrong digits are reported at the
 * field.
 */
export function ProofRefused({ refusal, field }: { refusal: Refusal | undefined; field?: string }) {
  const { problems } = useMessages(verifyMessages);
  const signUp = useMessages(signUpFieldsMessages).problems;
  const problem = useProblem(refusal);
  if (!refusal || problem === null) return null;
  if (isPasskeyRefusal(refusal)) return <PasskeyProblemNotice problem={refusal.reason} />;
  if (typeof problem === "object") {
    const { "same-address": same, "code-malformed": malformed } = problems;
    return (
      <FormRefusalNotice
        refusal={problem}
        problems={{ ...signUp, "same-address": same, "code-malformed": malformed }}
      />
    );
  }
  if (field && isAboutField(refusal)) return <FieldFocus id={field} arrival={refusal} selects />;
  return (
    <Notice kind="problem" live>
      {problem}
    </Notice>
  );
}

/** The message for wrong digits; nothing when the form itself was refused. */
export function useCodeProblem(refusal: Refusal | undefined): string | undefined {
  const problem = useProblem(refusal);
  return typeof problem === "string" && refusal && isAboutField(refusal) ? problem : undefined;
}

/** The message for a problem of the code, the refusal itself for one of the form, null where the rest of the page says it. */
function useProblem(refusal: Refusal | undefined): string | CodeFormRefusal | null {
  const { problems } = useMessages(verifyMessages);
  const { wait } = useMessages(refusalMessages);
  if (!refusal) return null;
  if (isPasskeyRefusal(refusal)) return refusal.reason;
  switch (refusal.reason) {
    case "wrong-code":
      return problems["wrong-code"](refusal.triesLeft);
    case "code-expired":
    case "code-exhausted":
    case "code-used":
    case "code-superseded":
    case "no-request":
    case "address-taken":
    case "address-held":
    case "by-invitation":
    case "invitation-over":
    case "account-not-here":
    case "asked-elsewhere":
    case "code-missing":
    case "code-malformed":
      return problems[refusal.reason];
    case "too-many-tries":
    case "paused":
      return problems[refusal.reason](wait(refusal.seconds ?? 0));
    case "malformed-form":
    case "duplicated-field":
    case "form-too-large":
    case "form-too-slow":
    case "invalid-fields":
    case "too-soon":
    case "too-many-emails":
    case "too-many-from-network":
    case "too-many-from-site":
    case "challenge-wanted":
      return refusal;
    case "link-unknown":
    case "link-used":
    case "link-overtaken":
    case "link-expired":
      return null;
  }
}
