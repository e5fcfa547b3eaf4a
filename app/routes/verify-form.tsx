import { Form } from "react-router";
import type { RevertRefusal } from "#app/domain/accounts/address-change.rules.ts";
import type { ProofRefusal } from "#app/domain/accounts/prove-address.server.ts";
import type { ShownRequest } from "#app/domain/accounts/show-request.server.ts";
import { type CodeFormRefusal, FormRefusalNotice } from "#app/request/form-refusal.tsx";
import { refusalWords } from "#app/request/form-refusal.words.ts";
import { isPasskeyRefusal, PasskeyProblemNotice, type PasskeyRefusal } from "#app/request/passkey-refusal.tsx";
import { Button } from "#app/ui/button.tsx";
import { CodeInput } from "#app/ui/code-input.tsx";
import { Countdown } from "#app/ui/countdown.tsx";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { useWords } from "#app/ui/language.ts";
import { Notice } from "#app/ui/notice.tsx";
import { FormPage } from "#app/ui/page-shell.tsx";
import { useLookAgain } from "#app/ui/use-look-again.ts";
import { usePending } from "#app/ui/use-pending.ts";
import type { PasskeyOffer } from "./passkey-ceremony.ts";
import { PasskeyForm } from "./passkey-form.tsx";
import { type VerifyTexts, verifyWords } from "./verify.words.ts";

type Page = Extract<ShownRequest, { kind: "here" }> & {
  support: string;
  sender: string;
  filledIn: string | null;
  now: number;
  /** Null: none of the account's passkeys can stand in for the code. */
  offer: PasskeyOffer | null;
};

/** A proof that is too old leads on instead. */
type CodeRefusal = Exclude<ProofRefusal, { reason: "proof-stale" }> & { seconds?: number };
type Unreadable = { reason: "code-missing" } | { reason: "code-malformed" };
export type Refusal =
  | CodeRefusal
  | CodeFormRefusal
  | PasskeyRefusal
  | Unreadable
  | { reason: "asked-elsewhere" }
  | RevertRefusal;

/** How soon the page looks again whether the mail has left, and how seldom at last. */
const mailLookMs = 5000;
const mailLookAtMostMs = 60_000;

/** The eight digits, what is left of them, and the ways out: another mail, another address, a person to write to. */
export function VerifyForm({ page, refusal }: { page: Page; refusal: Refusal | undefined }) {
  const words = useWords(verifyWords);
  const { wait, summary } = useWords(refusalWords);
  const isChecking = usePending("code");
  const formProblems = { "same-address": words.problems["same-address"] };
  const problem = refusal ? sayCodeProblem(words, wait, refusal) : null;
  const heldUp = sayHeldUp(words, page);
  // A refused form is the newer word: the page behind it isn't loaded again.
  const triesLeft = refusal?.reason === "wrong-code" ? refusal.triesLeft : page.triesLeft;
  useLookAgain(page.mail === "leaving" || page.mail === "late", { firstMs: mailLookMs, atMostMs: mailLookAtMostMs });
  return (
    <FormPage
      title={words.title[page.purpose]}
      lead={heldUp ? heldUp.lead(page.maskedAddress) : words.lead[page.purpose](page.maskedAddress)}
      aside={<NoMail page={page} />}
    >
      {heldUp && (
        <Notice kind="attention" title={heldUp.title} live>
          {heldUp.text}
        </Notice>
      )}
      {refusal && problem === null && <FormRefusalNotice refusal={asFormRefusal(refusal)} problems={formProblems} />}
      {refusal && isPasskeyRefusal(refusal) && <PasskeyProblemNotice problem={refusal.reason} />}
      {problem !== null && <ErrorSummary title={summary} errors={[{ field: "code", message: problem }]} />}
      <Form method="post" className="stack">
        <CodeInput
          name="code"
          label={words.code}
          hint={words.codeHint}
          defaultValue={page.filledIn ?? undefined}
          error={problem ?? undefined}
          autoFocus
        />
        {!heldUp && (
          <p className="quiet row">
            {page.isLive ? (
              <Countdown until={page.expiresAt} now={page.now} words={words.timeLeft} done={words.timeOver} />
            ) : (
              words.timeOver
            )}
            {page.isLive && <span>{words.triesLeft(triesLeft)}</span>}
          </p>
        )}
        <Button kind="primary" wide pending={isChecking} pendingLabel={words.pending}>
          {words.submit[page.purpose]}
        </Button>
      </Form>
      {page.offer && (
        <PasskeyForm
          intent="passkey"
          ceremony="fresh-proof"
          offer={page.offer}
          wide
          label={words.passkey}
          pendingLabel={words.asking}
        />
      )}
    </FormPage>
  );
}

function NoMail({ page }: { page: Page }) {
  const words = useWords(verifyWords);
  const heldUp = sayHeldUp(words, page);
  const mayResend = heldUp !== null || page.resendAt <= page.now;
  return (
    <>
      {!heldUp && (
        <p>
          <strong>{words.noMail}</strong> {words.noMailHint(page.sender)}
        </p>
      )}
      <Form method="post" className="row">
        <Button name="intent" value="resend">
          {heldUp ? heldUp.resend : words.resend}
        </Button>
        {/* A fresh proof is about the address that the account has: there is no other one. */}
        {page.purpose !== "fresh-proof" && (
          <Button kind="plain" name="intent" value="change-address">
            {words.change}
          </Button>
        )}
      </Form>
      {!mayResend && (
        <p className="quiet">
          <Countdown until={page.resendAt} now={page.now} words={words.resendIn} done="" />
        </p>
      )}
      <p className="quiet">
        <a href={`mailto:${page.support}`}>{words.support}</a>
      </p>
    </>
  );
}

/** Words for a mail that hasn't left; null where there is nothing to say, or the code is over for another reason. */
function sayHeldUp(words: VerifyTexts, page: Page): VerifyTexts["heldUp"]["late"] | null {
  if (page.mail === "failed") return words.heldUp.failed;
  return page.mail === "late" && page.isLive ? words.heldUp.late : null;
}

/** Words for what was wrong with the digits; null when it was the form itself. */
function sayCodeProblem(words: VerifyTexts, wait: (seconds: number) => string, refusal: Refusal): string | null {
  const { problems } = words;
  switch (refusal.reason) {
    case "wrong-code":
      return problems["wrong-code"](refusal.triesLeft);
    case "code-expired":
    case "code-exhausted":
    case "code-used":
    case "code-superseded":
    case "no-request":
    case "address-taken":
    case "account-not-here":
    case "asked-elsewhere":
    case "code-missing":
    case "code-malformed":
      return problems[refusal.reason];
    case "too-many-tries":
    case "paused":
      return problems[refusal.reason](wait(refusal.seconds ?? 0));
    default:
      return null;
  }
}

export function asFormRefusal(refusal: Refusal): CodeFormRefusal | undefined {
  switch (refusal.reason) {
    case "malformed-form":
    case "duplicated-field":
    case "form-too-large":
    case "form-too-slow":
    case "invalid-fields":
    case "too-soon":
    case "too-many-mails":
    case "too-many-from-network":
      return refusal;
    default:
      return undefined;
  }
}
