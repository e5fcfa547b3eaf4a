import type { ReactNode } from "react";
import { Form, href, Link } from "react-router";
import type { ShownWaitlist } from "#app/modules/waitlist/reads/show-waitlist.server.ts";
import { useRefusedFields } from "#app/http/form-refusal.tsx";
import { Button, LinkButton } from "#app/ui/components/button.tsx";
import { EmailField } from "#app/ui/components/field.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { Notice } from "#app/ui/components/notice.tsx";
import { FormPage } from "#app/ui/components/page-shell.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { waitlistWords } from "./messages.ts";
import { type ShownRefusal, WaitlistRefusalNotice } from "./refusal.tsx";

type Props<Kind extends ShownWaitlist["kind"]> = {
  page: Extract<ShownWaitlist, { kind: Kind }> & { product: string };
  refusal: ShownRefusal | undefined;
};

/** The way in: one field, or one click for somebody signed in. */
export function JoinPage({ page, refusal }: Props<"join">) {
  const { join: words, problems } = useWords(waitlistWords);
  const pending = usePending();
  const { problemOf, typedIn } = useRefusedFields(refusal, problems);
  return (
    <FormPage title={words.title(page.what)} lead={page.account ? words.known(page.account) : words.lead(page.what)}>
      <WaitlistRefusalNotice refusal={refusal} />
      {page.byFriend && <Notice kind="info">{words.byFriend}</Notice>}
      <Form method="post" className="stack" noValidate>
        {!page.account && (
          <EmailField
            label={words.email}
            hint={words.emailHint}
            defaultValue={typedIn("email")}
            error={problemOf("email")}
          />
        )}
        <Button kind="primary" wide name="intent" value="join" pending={pending} pendingLabel={words.pending}>
          {words.submit}
        </Button>
      </Form>
    </FormPage>
  );
}

export function ShutPage({ page }: Props<"shut">) {
  const { shut } = useWords(waitlistWords);
  const words = shut[page.reason];
  const to = {
    "no-gate": href("/signup"),
    "list-full": `${href("/")}#plans`,
    "has-account": href("/settings"),
    "account-leaving": href("/settings"),
  }[page.reason];
  return (
    <FormPage title={words.title} lead={words.text(page.reason === "list-full" ? page.what : page.product)}>
      <LinkButton kind="primary" wide to={to}>
        {words.link}
      </LinkButton>
    </FormPage>
  );
}

export function SentPage({ page }: Props<"sent">) {
  const { sent: words } = useWords(waitlistWords);
  return (
    <FormPage
      title={words.title}
      lead={words.lead}
      aside={
        <>
          <p>{words.hint(page.sender)}</p>
          <p>
            <Link to={href("/waitlist")}>{words.again}</Link>
          </p>
        </>
      }
    >
      {null}
    </FormPage>
  );
}

/** Behind a mailed link: opening it does nothing, the button does. */
export function ConfirmPage({ page, refusal }: Props<"confirm">) {
  const { confirm } = useWords(waitlistWords);
  const words = confirm[page.verdict];
  return (
    <FormPage title={words.title(page.what)} lead={words.lead(page.maskedAddress)}>
      <WaitlistRefusalNotice refusal={refusal} />
      {page.verdict === "left" ? (
        <LinkButton kind="primary" wide to={href("/waitlist")}>
          {words.button}
        </LinkButton>
      ) : (
        <IntentForm intent={page.verdict === "expired" ? "resend" : "confirm"} pendingLabel={confirm.pending}>
          {words.button}
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
  const { unknown: words } = useWords(waitlistWords);
  return (
    <FormPage title={words.title} lead={words.lead}>
      <LinkButton kind="primary" wide to={href("/waitlist")}>
        {words.link}
      </LinkButton>
    </FormPage>
  );
}
