import { useWords } from "#app/ui/hooks/use-words.ts";
import { Notice } from "#app/ui/components/notice.tsx";
import { type PasskeyProblem, passkeyProblemWords } from "./passkey-refusal.messages.ts";

export function PasskeyProblemNotice({ problem }: { problem: PasskeyProblem }) {
  const words = useWords(passkeyProblemWords);
  return (
    <Notice kind="problem" live>
      {words[problem]}
    </Notice>
  );
}
