import { href } from "react-router";
import type { AdmitRefusal, ShownInvitation } from "#app/modules/catalogue/gate.rules.ts";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { StatusIllustration } from "#app/ui/components/feedback/status-illustration.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { FormPage } from "#app/ui/components/layout/page-shell.tsx";
import { gatePages } from "#app/features.ts";
import { signupMessages } from "./messages.ts";

type Gated = { isFull: boolean; invitation: (ShownInvitation & { token: string }) | null };

/** Sign-up is by invitation and there is no valid one here: the reason, and the alternative. */
export function ByInvitationPage({ page, refusal }: { page: Gated; refusal?: AdmitRefusal["reason"] }) {
  const { byInvitation } = useMessages(signupMessages);
  const gate = gatePages();
  const state = stateOf(page, refusal);
  const messages = { ...useMessages(gate.messages).signUp, used: byInvitation.used }[state];
  const entry = new URLSearchParams({ entry: page.invitation?.token ?? "" });
  const to = {
    shut: gate.path,
    full: href("/"),
    over: `${gate.path}?${entry}`,
    waiting: `${gate.path}?${entry}`,
    used: href("/login"),
    unknown: gate.path,
  }[state];
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

function stateOf({ isFull, invitation }: Gated, refusal: AdmitRefusal["reason"] | undefined) {
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
      return isFull ? "full" : "shut";
  }
}
