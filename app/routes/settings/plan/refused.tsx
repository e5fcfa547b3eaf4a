import { FormRefusalNotice } from "#app/http/forms/form-refusal.tsx";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import type { Route } from "./+types/route";
import { planMessages, reasonProblemMessages } from "./messages.ts";

export type Refusal = Route.ComponentProps["actionData"];

export function PlanRefused({ refusal }: { refusal: Refusal }) {
  const messages = useMessages(planMessages);
  const problems = useMessages(reasonProblemMessages);
  if (!refusal) return null;
  if ("status" in refusal || "retryAt" in refusal) {
    return <FormRefusalNotice refusal={refusal} problems={problems} />;
  }
  return (
    <Notice kind="problem" title={messages.trouble} live>
      {refusal.text}
    </Notice>
  );
}
