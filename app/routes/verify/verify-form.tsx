import { Form } from "react-router";
import { Button } from "#app/ui/components/forms/button.tsx";
import { CodeInput } from "#app/ui/components/forms/code-input.tsx";
import { Countdown } from "#app/ui/components/data/countdown.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { FormPage } from "#app/ui/components/layout/page-shell.tsx";
import { useHydrated } from "#app/ui/hooks/use-hydrated.ts";
import { useSentOnce } from "#app/ui/hooks/use-sent-once.ts";
import { triesPerCodeMax } from "#app/modules/accounts/codes/rules.ts";
import { usePolling, useRevalidateAt } from "#app/ui/hooks/use-polling.ts";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { PasskeyForm } from "#app/client/passkey-form.tsx";
import { verifyMessages, type VerifyTexts } from "./messages.ts";
import { isCodeRequestOver, NewCode, NoEmail, sayHeldUp } from "./new-code.tsx";
import { isAboutCode, ProofRefused, type Refusal, useCodeProblem } from "./verify-refusal.tsx";
import type { Page } from "./page-data.ts";

/** While the email is being sent the page first refreshes after this long. */
const emailPollMs = 5000;
/** Maximum refresh interval. */
const emailPollMaxMs = 60_000;

export function VerifyForm({ page, refusal }: { page: Page; refusal: Refusal | undefined }) {
  const messages = useMessages(verifyMessages);
  const heldUp = sayHeldUp(messages, page);
  const isEmailed = page.delivery !== "none";
  const isDead = isEmailed && isCodeRequestOver(page);
  useRevalidateAt(page.expiresAt, page.now);
  usePolling(page.delivery === "sending" || page.delivery === "late", {
    firstMs: emailPollMs,
    atMostMs: emailPollMaxMs,
  });
  return (
    <FormPage
      title={messages.title[page.purpose]}
      lead={heldUp ? heldUp.lead(page.address) : sayLead(messages, page, isDead)}
      aside={<NoEmail page={page} />}
    >
      {heldUp && (isEmailed || !refusal) && (
        <Notice kind="attention" title={heldUp.title} live>
          {heldUp.text}
        </Notice>
      )}
      <ProofRefused refusal={refusal} field={isEmailed && !isDead ? "code" : undefined} />
      {/* A new request has a new code: the field is cleared and focused. */}
      {isEmailed && !isDead && <CodeForm key={page.requestId} page={page} refusal={refusal} />}
      {isDead && <NewCode page={page} refusal={refusal} />}
      <PasskeyWay page={page} isAlone={!isEmailed} />
    </FormPage>
  );
}

function sayLead(messages: VerifyTexts, { purpose, actionLead, address, filledIn }: Page, isDead: boolean): string {
  if (isDead) return messages.leadOver[purpose](address);
  if (filledIn !== null) return messages.leadFilledIn(messages.submit[purpose]);
  return actionLead ?? messages.lead[purpose](address);
}

/** A passkey instead of the code, where the account has one and the request is still pending; on its own when no code is accepted. */
export function PasskeyWay({ page, isAlone }: { page: Page; isAlone: boolean }) {
  const messages = useMessages(verifyMessages);
  if (!page.offer || (isAlone && page.over === "code-expired")) return null;
  return (
    <>
      {isAlone && (
        <noscript>
          <p>{messages.noPasskeys}</p>
        </noscript>
      )}
      <PasskeyForm
        intent="passkey"
        ceremony="reauthentication"
        offer={page.offer}
        wide
        kind={isAlone ? "primary" : "quiet"}
        label={isAlone ? messages.passkeyAlone : messages.passkey}
        pendingLabel={messages.asking}
        instead={isAlone ? <p>{messages.noPasskeys}</p> : null}
      />
    </>
  );
}

function CodeForm({ page, refusal }: { page: Page; refusal: Refusal | undefined }) {
  const messages = useMessages(verifyMessages);
  const isChecking = usePending("code");
  const problem = useCodeProblem(refusal);
  const onSubmit = useSentOnce(refusal);
  return (
    <Form method="post" className="stack" noValidate onSubmit={onSubmit}>
      <CodeInput
        name="code"
        label={messages.code}
        hint={
          <span>
            {messages.codeHint}
            <span className="needs-script">{messages.codeHintComplete}</span>
          </span>
        }
        defaultValue={page.filledIn ?? undefined}
        error={problem}
        autoFocus
      />
      {page.purpose === "sign-up" && <OwnTimeZone />}
      {!sayHeldUp(messages, page) && <WhatIsLeft page={page} refusal={refusal} />}
      <Button kind="primary" wide pending={isChecking} pendingLabel={messages.pending}>
        {messages.submit[page.purpose]}
      </Button>
    </Form>
  );
}

/** How long the code is valid and, after a wrong one, the attempts left; or why there are none. Not repeated when the refusal says it. */
function WhatIsLeft({ page, refusal }: { page: Page; refusal: Refusal | undefined }) {
  const messages = useMessages(verifyMessages);
  if (page.over !== null) {
    return refusal && isAboutCode(refusal) ? null : <p className="quiet">{messages.over[page.over]}</p>;
  }
  const showsTries = page.triesLeft < triesPerCodeMax && refusal?.reason !== "wrong-code";
  return (
    <p className="quiet row">
      <Countdown until={page.expiresAt} now={page.now} label={messages.timeLeft} done={messages.over["code-expired"]} />
      {showsTries && <span>{messages.triesLeft(page.triesLeft)}</span>}
    </p>
  );
}

/** The browser's time zone for the new account. Without scripts, the platform may report one. */
function OwnTimeZone() {
  if (!useHydrated()) return null;
  return <input type="hidden" name="timeZone" value={new Intl.DateTimeFormat().resolvedOptions().timeZone} />;
}
