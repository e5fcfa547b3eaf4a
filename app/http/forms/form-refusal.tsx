import type { SendRefusal } from "#app/modules/accounts/codes/rules.ts";
import { ErrorSummary } from "#app/ui/components/forms/error-summary.tsx";
import { FieldFocus } from "#app/ui/components/forms/field-focus.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { type RefusalTexts, refusalMessages } from "./form-refusal.messages.ts";
import type { FormRefusal } from "./read-form.ts";
import { isSuggestion } from "./is-suggestion.ts";

/** The refusals of any form with an emailed code: invalid fields, a malformed form, a used-up quota. */
export type CodeFormRefusal = FormRefusal | (SendRefusal & { seconds: number; text: string });

/** Messages for schema problems; a page lists those its own fields can have. */
export type Problems = Record<string, string | ((field: string) => string)>;

export type FormRefusalNoticeProps<Refusal = CodeFormRefusal> = {
  refusal: Refusal | undefined;
  problems?: Problems;
  /** The form's only field: its error is shown there, and not repeated above the form. */
  onlyField?: string;
  /** The labels of fields whose problems don't name them. */
  labels?: Record<string, string>;
};

/** Shown above the form: the fields to correct, or the other reason why it was refused. Takes focus. */
export function FormRefusalNotice({ refusal, problems, onlyField, labels }: FormRefusalNoticeProps) {
  const messages = useMessages(refusalMessages);
  if (!refusal) return null;
  if (refusal.reason !== "invalid-fields") {
    // Being too early isn't an error of the user's.
    return (
      <Notice kind={refusal.reason === "too-soon" ? "attention" : "problem"} live isRefusal>
        {"text" in refusal ? refusal.text : messages[refusal.reason]}
      </Notice>
    );
  }
  if (onlyField && refusal.errors.every(({ field }) => field === onlyField)) {
    return <FieldFocus id={onlyField} arrival={refusal} />;
  }
  const errors = refusal.errors.map((error) => {
    const { field } = error;
    const problem = sayProblem(messages, problems, error);
    const label = labels?.[field];
    return { field, message: label === undefined ? problem : messages.ofField(label, problem) };
  });
  return <ErrorSummary title={messages.summary} errors={errors} />;
}

type RefusedFields = {
  /** The message to show beside a field, if it has a problem. */
  problemOf: (field: string) => string | undefined;
  typedIn: (field: string) => string | undefined;
};

/** The refusal's messages by field; empty without a refusal, or with one that isn't about fields. */
export function useRefusedFields(refusal: { reason: string } | undefined, problems: Problems): RefusedFields {
  const messages = useMessages(refusalMessages);
  const errors = refusal && isAboutFields(refusal) ? refusal.errors : [];
  const typed = refusal && (isAboutFields(refusal) || isSuggestion(refusal)) ? refusal.typed : {};
  return {
    problemOf: (field) => {
      const error = errors.find((candidate) => candidate.field === field);
      return error && sayProblem(messages, problems, error);
    },
    typedIn: (field) => typed[field],
  };
}

function sayProblem(
  messages: RefusalTexts,
  problems: Problems | undefined,
  { field, problem }: { field: string; problem: string },
): string {
  const own = problems?.[problem];
  return typeof own === "function" ? own(field) : (own ?? messages.anywhere[problem] ?? messages.unreadable);
}

function isAboutFields(refusal: { reason: string }): refusal is Extract<FormRefusal, { reason: "invalid-fields" }> {
  return refusal.reason === "invalid-fields";
}
