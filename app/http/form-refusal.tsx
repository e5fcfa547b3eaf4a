import type { SendRefusal } from "#app/modules/codes/rules.ts";
import { ErrorSummary } from "#app/ui/components/error-summary.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/notice.tsx";
import { type RefusalTexts, refusalMessages } from "./form-refusal.messages.ts";
import type { FormRefusal } from "./read-form.ts";

/** What any form with a mailed code can be answered: fields, a damaged form, a budget that is used up. */
export type CodeFormRefusal = FormRefusal | (SendRefusal & { seconds: number });

/** Words for what a schema calls a problem; a page names those that its own fields can have. */
export type Problems = Record<string, string | ((field: string) => string)>;

type FormRefusalNoticeProps = { refusal: CodeFormRefusal | undefined; problems?: Problems };

/** Above the form: which fields to look at, or what else kept it from going through. Takes focus. */
export function FormRefusalNotice({ refusal, problems }: FormRefusalNoticeProps) {
  const messages = useMessages(refusalMessages);
  if (!refusal) return null;
  if (refusal.reason !== "invalid-fields") {
    // That it is too soon is nobody's mistake.
    return (
      <Notice kind={refusal.reason === "too-soon" ? "attention" : "problem"} live isRefusal>
        {sayRefusal(messages, refusal)}
      </Notice>
    );
  }
  const errors = refusal.errors.map((error) => ({
    field: error.field,
    message: sayProblem(messages, problems, error),
  }));
  return <ErrorSummary title={messages.summary} errors={errors} />;
}

type RefusedFields = {
  /** Beside a field: its own problem in words, if it has one. */
  problemOf: (field: string) => string | undefined;
  /** What was typed into a field of a form that was refused. */
  typedIn: (field: string) => string | undefined;
};

/** What a refused form says field by field; without a refusal, or with one that isn't about fields, nothing. */
export function useRefusedFields(refusal: { reason: string } | undefined, problems: Problems): RefusedFields {
  const messages = useMessages(refusalMessages);
  if (!refusal || !isAboutFields(refusal)) return { problemOf: () => undefined, typedIn: () => undefined };
  return {
    problemOf: (field) => {
      const error = refusal.errors.find((candidate) => candidate.field === field);
      return error && sayProblem(messages, problems, error);
    },
    typedIn: (field) => refusal.typed[field],
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

function sayRefusal(messages: RefusalTexts, refusal: Exclude<CodeFormRefusal, { reason: "invalid-fields" }>): string {
  switch (refusal.reason) {
    case "malformed-form":
    case "duplicated-field":
    case "form-too-large":
    case "form-too-slow":
      return messages[refusal.reason];
    case "too-soon":
    case "too-many-mails":
    case "too-many-from-network":
    case "too-many-from-site":
    case "too-many-tries":
    case "paused":
      return messages[refusal.reason](messages.wait(refusal.seconds));
  }
}
