import { Form } from "react-router";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { useHydrated } from "#app/ui/hooks/use-hydrated.ts";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { useSecondsLeft } from "#app/ui/hooks/use-seconds-left.ts";
import { type VerifyTexts, verifyMessages } from "./messages.ts";
import { isAboutCode, type Refusal } from "./verify-refusal.tsx";
import type { Page } from "./page-data.ts";

export function NoEmail({ page }: { page: Page }) {
  const messages = useMessages(verifyMessages);
  const heldUp = sayHeldUp(messages, page);
  return (
    <>
      {page.mailbox && (
        <p>
          <a href={page.mailbox}>{messages.mailbox}</a>
        </p>
      )}
      {!heldUp && !isCodeRequestOver(page) && (
        <p>
          <strong>{messages.noEmail}</strong> {messages.noEmailHint(page.sender)}
        </p>
      )}
      {(page.delivery === "none" || !isCodeRequestOver(page)) && (
        <Form method="post" className="row">
          <AnotherCode page={page}>{heldUp ? heldUp.resend : messages.resend}</AnotherCode>
        </Form>
      )}
      <div className="row other-ways">
        {/* Re-authentication uses the account's own address, so no other can be chosen. */}
        {page.purpose === "reauthentication" ? (
          <LinkButton kind="plain" to={page.cancelPath}>
            {messages.cancel}
          </LinkButton>
        ) : (
          <Form method="post">
            <Button kind="plain" name="intent" value="change-address">
              {messages.change}
            </Button>
          </Form>
        )}
        <a className="button button-plain" href={`mailto:${page.support}`}>
          <span className="button-label">{messages.support}</span>
        </a>
      </div>
    </>
  );
}

/** No code can be correct (any more): the user needs a new one. */
export function isCodeRequestOver({ over, delivery }: Page): boolean {
  return (
    delivery === "failed" || delivery === "address-refused" || over === "code-expired" || over === "code-exhausted"
  );
}

/** An expired code has no field: requesting another is the page's primary action. */
export function NewCode({ page, refusal }: { page: Page; refusal: Refusal | undefined }) {
  const messages = useMessages(verifyMessages);
  const isSaid = (refusal !== undefined && isAboutCode(refusal)) || sayHeldUp(messages, page) !== null;
  return (
    <>
      {!isSaid && page.over && (
        <Notice kind="attention" live>
          {messages.over[page.over]}
        </Notice>
      )}
      <Form method="post" className="stack">
        <AnotherCode page={page} kind="primary" wide>
          {messages.resend}
        </AnotherCode>
      </Form>
    </>
  );
}

type AnotherCodeProps = { page: Page; kind?: "primary"; wide?: boolean; children: string };

/** Disabled while it would be refused, and counts down in its label. Without a script it stays enabled, and the server says how long. */
function AnotherCode({ page, kind, wide, children }: AnotherCodeProps) {
  const messages = useMessages(verifyMessages);
  const pending = usePending("intent", "resend");
  const isHydrated = useHydrated();
  const seconds = useSecondsLeft(page.resendAt, page.now);
  const isWaiting = isHydrated && seconds > 0 && sayHeldUp(messages, page) === null;
  return (
    <Button
      kind={kind}
      wide={wide}
      name="intent"
      value="resend"
      pending={pending}
      waitLabel={isWaiting ? messages.resendIn(seconds) : undefined}
    >
      {children}
    </Button>
  );
}

/** The message for an email that hasn't been sent; null if there is nothing to say, or the code is invalid for another reason. */
export function sayHeldUp(
  { heldUp, resend }: VerifyTexts,
  { delivery, over, refusedEmail }: Page,
): VerifyTexts["heldUp"]["late"] | null {
  switch (delivery) {
    case "none":
      return over === null ? heldUp.none : heldUp.lapsed;
    case "failed":
      return heldUp.failed;
    case "address-refused":
      return refusedEmail && { ...refusedEmail, lead: () => refusedEmail.lead, resend };
    case "quota-exhausted":
      return refusedEmail && over === null
        ? { ...refusedEmail, lead: () => refusedEmail.lead, resend: heldUp.late.resend }
        : null;
    case "late":
      return over === null ? heldUp.late : null;
    case "sending":
    case "sent":
      return null;
  }
}
