import { data } from "react-router";
import { type CodeFormRefusal, FormRefusalNotice } from "#app/request/form-refusal.tsx";
import {
  isPasskeyRefusal,
  PasskeyProblemNotice,
  type PasskeyRefusal,
  refusePasskey,
} from "#app/request/passkey-refusal.tsx";
import { useWords } from "#app/ui/language.ts";
import { Notice } from "#app/ui/notice.tsx";
import { youWords } from "./you.words.ts";
import { LeavingRefused } from "./you-leaving.tsx";
import { isAboutLeaving, type LeavingRefusal, leavingRefusalStatus } from "./you-leaving.words.ts";

/** What the acts of this page say no with, but for a proof that is too old, which leads to a new one. */
export type Refusal = LeavingRefusal | PasskeyRefusal | { reason: "session-unknown" };

export function refuse(refusal: Refusal) {
  if (refusal.reason === "session-unknown") return data(refusal, { status: 404 });
  if (isPasskeyRefusal(refusal)) return refusePasskey(refusal);
  return data(refusal, { status: leavingRefusalStatus(refusal) });
}

/** On top of the page: what was not done, and why. */
export function Refused({ refusal }: { refusal: Refusal | CodeFormRefusal | undefined }) {
  const { problems } = useWords(youWords);
  if (!refusal) return null;
  if (isPasskeyRefusal(refusal)) return <PasskeyProblemNotice problem={refusal.reason} />;
  if (isAboutLeaving(refusal)) return <LeavingRefused refusal={refusal} />;
  if (refusal.reason !== "session-unknown") return <FormRefusalNotice refusal={refusal} problems={problems} />;
  return (
    <Notice kind="problem" live>
      {problems["session-unknown"]}
    </Notice>
  );
}
