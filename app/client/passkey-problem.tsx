import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { type PasskeyProblem, passkeyProblemMessages } from "./passkey-refusal.messages.ts";

export function PasskeyProblemNotice({ problem }: { problem: PasskeyProblem }) {
  const messages = useMessages(passkeyProblemMessages);
  return (
    <Notice kind="problem" live>
      {messages[problem]}
    </Notice>
  );
}
