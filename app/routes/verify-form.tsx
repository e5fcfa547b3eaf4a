import { Form } from "react-router";
import type { ShownRequest } from "#app/domain/passkeys/show-request.server.ts";
import { Button } from "#app/ui/button.tsx";
import { CodeInput } from "#app/ui/code-input.tsx";
import { Countdown } from "#app/ui/countdown.tsx";
import { useWords } from "#app/ui/language.ts";
import { Notice } from "#app/ui/notice.tsx";
import { FormPage } from "#app/ui/page-shell.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { useLookAgain } from "#app/ui/use-look-again.ts";
import { usePending } from "#app/ui/use-pending.ts";
import { PasskeyForm } from "./passkey-form.tsx";
import { type VerifyTexts, verifyWords } from "./verify.words.ts";
import { Refused, type Refusal, useCodeProblem } from "./verify-refusal.tsx";

type Page = Extract<ShownRequest, { kind: "here" }> & {
  support: string;
  sender: string;
  filledIn: string | null;
  now: number;
};

/** How soon the page looks again whether the mail has left, and how seldom at last. */
const mailLookMs = 5000;
const mailLookAtMostMs = 60_000;

/** The eight digits, what is left of them, and the ways out: a passkey, another mail, another address, a person to write to. */
export function VerifyForm({ page, refusal }: { page: Page; refusal: Refusal | undefined }) {
  const words = useWords(verifyWords);
  const heldUp = sayHeldUp(words, page);
  const isMailed = page.mail !== "none";
  useLookAgain(page.mail === "leaving" || page.mail === "late", { firstMs: mailLookMs, atMostMs: mailLookAtMostMs });
  return (
    <FormPage
      title={words.title[page.purpose]}
      lead={heldUp ? heldUp.lead(page.maskedAddress) : words.lead[page.purpose](page.maskedAddress)}
      aside={<NoMail page={page} />}
    >
      {heldUp && (isMailed || !refusal) && (
        <Notice kind="attention" title={heldUp.title} live>
          {heldUp.text}
        </Notice>
      )}
      <Refused refusal={refusal} field={isMailed ? "code" : undefined} />
      {isMailed && <CodeForm page={page} refusal={refusal} />}
      {!isMailed && (
        <noscript>
          <p>{words.noPasskeys}</p>
        </noscript>
      )}
      {page.offer && (isMailed || page.isLive) && (
        <PasskeyForm
          intent="passkey"
          ceremony="fresh-proof"
          offer={page.offer}
          wide
          kind={isMailed ? "quiet" : "primary"}
          label={isMailed ? words.passkey : words.passkeyAlone}
          pendingLabel={words.asking}
          instead={isMailed ? null : <p>{words.noPasskeys}</p>}
        />
      )}
    </FormPage>
  );
}

function CodeForm({ page, refusal }: { page: Page; refusal: Refusal | undefined }) {
  const words = useWords(verifyWords);
  const isChecking = usePending("code");
  const problem = useCodeProblem(refusal);
  // A refused form is the newer word: the page behind it isn't loaded again.
  const triesLeft = refusal?.reason === "wrong-code" ? refusal.triesLeft : page.triesLeft;
  return (
    <Form method="post" className="stack">
      <CodeInput
        name="code"
        label={words.code}
        hint={words.codeHint}
        defaultValue={page.filledIn ?? undefined}
        error={problem}
        autoFocus
      />
      {page.purpose === "sign-up" && <OwnTimeZone />}
      {!sayHeldUp(words, page) && (
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
  );
}

/** Where the browser is, for the new account: where no script runs, the platform may know. */
function OwnTimeZone() {
  if (!useHydrated()) return null;
  return <input type="hidden" name="timeZone" value={new Intl.DateTimeFormat().resolvedOptions().timeZone} />;
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
function sayHeldUp({ heldUp }: VerifyTexts, { mail, isLive }: Page): VerifyTexts["heldUp"]["late"] | null {
  switch (mail) {
    case "none":
      return isLive ? heldUp.none : heldUp.lapsed;
    case "failed":
      return heldUp.failed;
    case "late":
      return isLive ? heldUp.late : null;
    case "leaving":
    case "sent":
      return null;
  }
}
