import type { ReactNode } from "react";
import { Form, href } from "react-router";
import type { ShownWaitlist } from "../reads/show-waitlist.server.ts";
import { useAddressFields } from "#app/http/forms/address-refusal.tsx";
import { ChallengeField } from "#app/routes/challenge-field.tsx";
import { isChallengeWanted } from "#app/http/forms/is-challenge-wanted.ts";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { EmailField } from "#app/ui/components/forms/field.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { StatusIllustration } from "#app/ui/components/feedback/status-illustration.tsx";
import { documentForm } from "#app/ui/hooks/document-form.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { FormPage } from "#app/ui/components/layout/page-shell.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { waitlistMessages } from "./messages.ts";
import { type ShownRefusal, WaitlistRefusalNotice } from "./refusal.tsx";

type Props<Kind extends ShownWaitlist["kind"]> = {
  page: Extract<ShownWaitlist, { kind: Kind }> & { product: string };
  refusal: ShownRefusal | undefined;
};

export function JoinPage({ page, refusal }: Props<"join">) {
  const { join: messages, problems } = useMessages(waitlistMessages);
  const pending = usePending();
  const { problemOf, typedIn } = useAddressFields(refusal, problems);
  return (
    <FormPage
      title={messages.title(page.what)}
      lead={page.account ? messages.known(page.account) : messages.lead(page.what)}
      picture={<StatusIllustration state="queue" />}
      aside={<Link to={page.account ? href("/settings/upgrade") : `${href("/")}#plans`}>{messages.plans}</Link>}
    >
      <WaitlistRefusalNotice refusal={refusal} />
      {page.byFriend && <Notice kind="info">{messages.byFriend}</Notice>}
      <Form method="post" className="stack" noValidate {...(isChallengeWanted(refusal) && documentForm)}>
        {!page.account && (
          <EmailField
            label={messages.email}
            hint={messages.emailHint}
            defaultValue={typedIn("email")}
            autoFocus={problemOf("email") !== undefined}
            error={problemOf("email")}
          />
        )}
        <ChallengeField refusal={refusal} />
        <Button kind="primary" wide name="intent" value="join" pending={pending} pendingLabel={messages.pending}>
          {messages.submit}
        </Button>
      </Form>
    </FormPage>
  );
}

export function ShutPage({ page }: Props<"shut">) {
  const { shut } = useMessages(waitlistMessages);
  const messages = shut[page.reason];
  const to = {
    "no-gate": href("/signup"),
    "list-full": `${href("/")}#plans`,
    "has-account": href("/settings"),
    "account-closed": href("/settings"),
  }[page.reason];
  return (
    <FormPage
      title={messages.title}
      lead={messages.text(page.reason === "list-full" ? page.what : page.product)}
      picture={<StatusIllustration state={page.reason === "no-gate" ? "open" : "shut"} />}
    >
      <LinkButton kind="primary" wide to={to}>
        {messages.link}
      </LinkButton>
    </FormPage>
  );
}

export function SentPage({ page }: Props<"sent">) {
  const { sent: messages } = useMessages(waitlistMessages);
  return (
    <FormPage
      title={messages.title}
      lead={messages.lead(page.address)}
      picture={<StatusIllustration state="letter" />}
      aside={
        <>
          <p>{messages.hint(page.sender)}</p>
          <p>
            <Link to={href("/waitlist")}>{messages.again}</Link>
          </p>
        </>
      }
    >
      {null}
    </FormPage>
  );
}

/** The page of an emailed link: opening it does nothing, the button does. */
export function ConfirmPage({ page, refusal }: Props<"confirm">) {
  const { confirm } = useMessages(waitlistMessages);
  const messages = confirm[page.verdict];
  return (
    <FormPage
      title={messages.title(page.what)}
      lead={messages.lead(page.maskedAddress)}
      picture={
        <StatusIllustration state={page.verdict === "open" || page.verdict === "confirmed" ? "queue" : "shut"} />
      }
    >
      <WaitlistRefusalNotice refusal={refusal} />
      {page.verdict === "left" ? (
        <LinkButton kind="primary" wide to={href("/waitlist")}>
          {messages.button}
        </LinkButton>
      ) : (
        <IntentForm intent={page.verdict === "expired" ? "resend" : "confirm"} pendingLabel={confirm.pending}>
          {messages.button}
        </IntentForm>
      )}
    </FormPage>
  );
}

function IntentForm(props: { intent: "confirm" | "resend"; pendingLabel: string; children: ReactNode }) {
  const pending = usePending("intent", props.intent);
  return (
    <Form method="post">
      <Button
        kind="primary"
        wide
        name="intent"
        value={props.intent}
        pending={pending}
        pendingLabel={props.pendingLabel}
      >
        {props.children}
      </Button>
    </Form>
  );
}

export function UnknownLinkPage() {
  const { unknown: messages } = useMessages(waitlistMessages);
  return (
    <FormPage title={messages.title} lead={messages.lead} picture={<StatusIllustration state="missing" />}>
      <LinkButton kind="primary" wide to={href("/waitlist")}>
        {messages.link}
      </LinkButton>
    </FormPage>
  );
}
