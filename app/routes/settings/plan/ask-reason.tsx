import { Form, useLocation } from "react-router";
import { reasonsToCancel } from "#app/modules/billing/subscriptions/cancellation-reasons.rules.ts";
import { useRefusedFields } from "#app/http/forms/form-refusal.tsx";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { RadioCards, TextAreaField } from "#app/ui/components/forms/field.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { reasonProblemMessages } from "./messages.ts";
import type { PlanPageFacts } from "./page-data.ts";
import type { Refusal } from "./refused.tsx";

type AskReasonProps = {
  question: NonNullable<PlanPageFacts["question"]>;
  refusal: Refusal;
};

/** Why the plan was cancelled: nothing depends on the answer, and skipping it is one click. */
export function AskReason({ question: { given, messages }, refusal }: AskReasonProps) {
  const problems = useMessages(reasonProblemMessages);
  const { pathname } = useLocation();
  const pending = usePending("intent", "give-reason");
  const { problemOf, typedIn } = useRefusedFields(refusal, problems);
  return (
    <SectionCard id="why" title={messages.title}>
      <p>{messages.text}</p>
      <Form method="post" className="stack" noValidate>
        <RadioCards
          legend={messages.legend}
          name="reason"
          options={reasonsToCancel.map((value) => ({ value, title: messages.reasons[value] }))}
          defaultValue={typedIn("reason") ?? given?.reason}
          error={problemOf("reason")}
        />
        <TextAreaField
          name="comment"
          label={messages.comment}
          hint={messages.commentHint}
          defaultValue={typedIn("comment") ?? given?.comment ?? ""}
          error={problemOf("comment")}
        />
        <div className="row">
          <Button name="intent" value="give-reason" pending={pending} pendingLabel={messages.pending}>
            {messages.button}
          </Button>
          <LinkButton kind="plain" to={pathname}>
            {messages.skip}
          </LinkButton>
        </div>
      </Form>
    </SectionCard>
  );
}
