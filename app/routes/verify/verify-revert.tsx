import { Form, href } from "react-router";
import type { RevertRefusal } from "#app/modules/accounts/address-change.rules.ts";
import type { ShownRevert } from "#app/modules/accounts/commands/revert-address.server.ts";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { StatusIllustration } from "#app/ui/components/feedback/status-illustration.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { FormPage } from "#app/ui/components/layout/page-shell.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { verifyRevertMessages } from "./messages.ts";

type OverPage = { reason: RevertRefusal["reason"]; support: string };

/** The action's response takes precedence over the loader's data: where the page stays, it states the link's result. */
export function isRevertOver(refusal: { reason: string } | undefined): refusal is RevertRefusal {
  return refusal !== undefined && refusal.reason in verifyRevertMessages.en.over;
}

/** The link in the email to the old address: opening it shows what the button does, and only the button does it. */
export function RevertPage({ page }: { page: ShownRevert }) {
  const messages = useMessages(verifyRevertMessages);
  const pending = usePending();
  const { passkeys } = messages.does;
  return (
    <FormPage title={messages.title} lead={messages.lead(page.maskedAddress)} aside={<p>{messages.signIn}</p>}>
      <ul>
        <li>{messages.does.signsOut}</li>
        <li>
          {passkeys.before}
          <Moment at={page.passkeysSince} timeZone={page.timeZone} locale={page.locale} style="date-time" />
          {passkeys.after}
        </li>
        <li>{messages.does.later}</li>
      </ul>
      <Form method="post">
        <Button kind="primary" wide pending={pending} pendingLabel={messages.pending}>
          {messages.submit}
        </Button>
      </Form>
    </FormPage>
  );
}

export function RevertOverPage({ page }: { page: OverPage }) {
  const messages = useMessages(verifyRevertMessages);
  const { title, lead } = messages.over[page.reason];
  return (
    <FormPage
      title={title}
      lead={lead}
      picture={<StatusIllustration state={page.reason === "link-unknown" ? "missing" : "shut"} />}
      aside={
        <p>
          <a href={`mailto:${page.support}`}>{messages.support}</a>
        </p>
      }
    >
      <LinkButton kind="primary" wide to={href("/login")}>
        {messages.toSignIn}
      </LinkButton>
    </FormPage>
  );
}
