import { href } from "react-router";
import type { AdmitRefusal, ShownInvitation } from "#app/modules/waitlist/reads/show-invitation.server.ts";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { StatusIllustration } from "#app/ui/components/feedback/status-illustration.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { FormPage } from "#app/ui/components/layout/page-shell.tsx";
import { signupMessages } from "./messages.ts";

type Gated = { list: "open" | "full"; invitation: (ShownInvitation & { token: string }) | null };

/** Sign-up is by invitation and there is no valid one here: the reason, and the alternative. */
export function ByInvitationPage({ page, refusal }: { page: Gated; refusal?: AdmitRefusal["reason"] }) {
  const { byInvitation } = useMessages(signupMessages);
  const messages = byInvitation[deliveryStateOf(page, refusal)];
  const isOver = page.invitation?.verdict === "over" || page.invitation?.verdict === "none";
  const to = isOver
    ? `${href("/waitlist")}?${new URLSearchParams({ entry: page.invitation?.token ?? "" })}`
    : messages.to;
  return (
    <FormPage
      title={messages.title}
      lead={messages.text}
      aside={<p>{byInvitation.invited}</p>}
      picture={<StatusIllustration state={page.invitation?.verdict === "unknown" ? "missing" : "queue"} />}
    >
      {refusal && (
        <Notice kind="problem" live>
          {byInvitation.refusals[refusal]}
        </Notice>
      )}
      <LinkButton kind="primary" wide to={to}>
        {messages.link}
      </LinkButton>
    </FormPage>
  );
}

function deliveryStateOf({ list, invitation }: Gated, refusal: AdmitRefusal["reason"] | undefined) {
  switch (invitation?.verdict) {
    case "over":
    case "used":
      return invitation.verdict;
    case "none":
      return "waiting";
    case "unknown":
    case "no-gate":
      return "unknown";
    default:
      if (refusal === "invitation-used") return "used";
      return list === "full" ? "full" : "shut";
  }
}
