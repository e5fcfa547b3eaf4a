import { manualRetriesPerDayMax } from "#app/modules/billing-sync/retries.rules.ts";
import { FormRefusalNotice } from "#app/http/forms/form-refusal.tsx";
import { refusalMessages } from "#app/http/forms/form-refusal.messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import type { Route } from "./+types/route";
import { askReasonMessages } from "./ask-reason.messages.ts";
import { planMessages } from "./messages.ts";

export type Refusal = Route.ComponentProps["actionData"];

/** At the top of the page: why nothing was done. */
export function PlanRefused({ refusal }: { refusal: Refusal }) {
  const messages = useMessages(planMessages);
  const { problems } = useMessages(askReasonMessages);
  const waitMessages = useMessages(refusalMessages);
  if (!refusal) return null;
  if ("status" in refusal || "retryAt" in refusal) {
    return <FormRefusalNotice refusal={refusal} problems={problems} />;
  }
  return (
    <Notice kind="problem" title={messages.trouble} live>
      {"text" in refusal
        ? refusal.text
        : refusal.reason === "too-many-retries"
          ? messages["too-many-retries"](manualRetriesPerDayMax, waitMessages.wait(refusal.seconds))
          : messages["too-many-requests"](waitMessages.wait(refusal.seconds))}
    </Notice>
  );
}
