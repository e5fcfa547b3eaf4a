import { Form, href } from "react-router";
import type { RevertRefusal } from "#app/modules/accounts/address-change.rules.ts";
import type { ShownRevert } from "#app/modules/accounts/commands/revert-address.server.ts";
import { Button, LinkButton } from "#app/ui/components/button.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { Moment } from "#app/ui/components/moment.tsx";
import { FormPage } from "#app/ui/components/page-shell.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { verifyRevertWords } from "./verify-revert.messages.ts";

type OverPage = { reason: RevertRefusal["reason"]; support: string };

/** The button's answer counts before what the page said: where the page stays as it is, it says what became of the link. */
export function isOver(refusal: { reason: string } | undefined): refusal is RevertRefusal {
  return refusal !== undefined && refusal.reason in verifyRevertWords.en.over;
}

/** Behind the link in the mail to the old address: opening it shows what the button does, and the button does it. */
export function RevertPage({ page }: { page: ShownRevert }) {
  const words = useWords(verifyRevertWords);
  const pending = usePending();
  const { passkeys } = words.does;
  return (
    <FormPage title={words.title} lead={words.lead(page.maskedAddress)} aside={<p>{words.signIn}</p>}>
      <ul>
        <li>{words.does.signsOut}</li>
        <li>
          {passkeys.before}
          <Moment at={page.passkeysSince} timeZone={page.timeZone} locale={page.locale} style="date-time" />
          {passkeys.after}
        </li>
        <li>{words.does.later}</li>
      </ul>
      <Form method="post">
        <Button kind="primary" wide pending={pending} pendingLabel={words.pending}>
          {words.submit}
        </Button>
      </Form>
    </FormPage>
  );
}

export function RevertOverPage({ page }: { page: OverPage }) {
  const words = useWords(verifyRevertWords);
  const { title, lead } = words.over[page.reason];
  return (
    <FormPage
      title={title}
      lead={lead}
      aside={
        <p>
          <a href={`mailto:${page.support}`}>{words.support}</a>
        </p>
      }
    >
      <LinkButton kind="primary" wide to={href("/login")}>
        {words.toSignIn}
      </LinkButton>
    </FormPage>
  );
}
