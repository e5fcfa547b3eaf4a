import { data } from "react-router";
import { type CodeFormRefusal, FormRefusalNotice } from "#app/http/form-refusal.tsx";
import { isPasskeyRefusal, type PasskeyRefusal, refusePasskey } from "#app/http/passkey-refusal.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { overviewMessages } from "./messages.ts";
import { AccountClosingRefused } from "./closing.tsx";
import { isAboutAccountClosing, type AccountClosingRefusal, accountClosingRefusalStatus } from "./closing.messages.ts";
import { PasskeyProblemNotice } from "#app/client/passkey-problem.tsx";

/** The refusals of this page's commands, except an outdated re-authentication, which redirects to a new one. */
export type Refusal = AccountClosingRefusal | PasskeyRefusal | { reason: "session-unknown" };

export function refuse(refusal: Refusal) {
  if (refusal.reason === "session-unknown") return data(refusal, { status: 404 });
  if (isPasskeyRefusal(refusal)) return refusePasskey(refusal);
  return data(refusal, { status: accountClosingRefusalStatus(refusal) });
}

/** At the top of the page: the refusal and its reason. */
export function Refused({ refusal }: { refusal: Refusal | CodeFormRefusal | undefined }) {
  const { problems } = useMessages(overviewMessages);
  if (!refusal) return null;
  if (isPasskeyRefusal(refusal)) return <PasskeyProblemNotice problem={refusal.reason} />;
  if (isAboutAccountClosing(refusal)) return <AccountClosingRefused refusal={refusal} />;
  if (refusal.reason !== "session-unknown") return <FormRefusalNotice refusal={refusal} problems={problems} />;
  return (
    <Notice kind="problem" live>
      {problems["session-unknown"]}
    </Notice>
  );
}
