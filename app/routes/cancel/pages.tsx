import { Form, href } from "react-router";
import { type CodeFormRefusal, FormRefusalNotice, useRefusedFields } from "#app/http/forms/form-refusal.tsx";
import { KeyValues } from "#app/ui/components/data/key-values.tsx";
import { StatusIllustration } from "#app/ui/components/feedback/status-illustration.tsx";
import { Button } from "#app/ui/components/forms/button.tsx";
import { EmailField, Field, RadioCards, TextAreaField } from "#app/ui/components/forms/field.tsx";
import { FormPage } from "#app/ui/components/layout/page-shell.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { cancelMessages } from "./messages.ts";

type Typed = Record<string, string>;
type CancelProps = {
  page: {
    hasWithdrawal: boolean;
    planPath: string | null;
    waiting: string | null;
    prefill: { name: string; order: string; email: string };
  };
  refusal: (CodeFormRefusal & { typed?: Typed }) | undefined;
};

export function CancelPage({ page, refusal }: CancelProps) {
  const { title, form: messages, problems } = useMessages(cancelMessages);
  const isPending = usePending("intent", "declare");
  const { problemOf } = useRefusedFields(refusal, problems);
  const typedIn = (field: string) => refusal?.typed?.[field];
  return (
    <FormPage title={title} lead={messages.lead} aside={<OtherWays page={page} />}>
      <Waiting text={page.waiting} />
      <FormRefusalNotice refusal={refusal} problems={problems} />
      <Form method="post" action={href("/cancel")} className="stack" noValidate>
        <RadioCards
          legend={messages.kind}
          name="kind"
          options={messages.kinds}
          defaultValue={typedIn("kind") ?? "ordinary"}
          error={problemOf("kind")}
          required
        />
        <TextAreaField
          name="cause"
          label={messages.cause}
          hint={messages.causeHint}
          defaultValue={typedIn("cause")}
          error={problemOf("cause")}
          rows={3}
        />
        <Field
          name="name"
          label={messages.name}
          defaultValue={typedIn("name") ?? page.prefill.name}
          error={problemOf("name")}
          autoComplete="name"
          required
        />
        <Field
          name="order"
          label={messages.order}
          hint={messages.orderHint}
          defaultValue={typedIn("order") ?? page.prefill.order}
          error={problemOf("order")}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <EmailField
          label={messages.email}
          hint={messages.emailHint}
          defaultValue={typedIn("email") ?? page.prefill.email}
          error={problemOf("email")}
        />
        <Field
          name="endsOn"
          type="date"
          label={messages.endsOn}
          hint={messages.endsOnHint}
          defaultValue={typedIn("endsOn") ?? ""}
          error={problemOf("endsOn")}
        />
        <Button kind="primary" wide name="intent" value="declare" pending={isPending} pendingLabel={messages.pending}>
          {messages.submit}
        </Button>
      </Form>
    </FormPage>
  );
}

function OtherWays({ page: { hasWithdrawal, planPath } }: Pick<CancelProps, "page">) {
  const { form: messages } = useMessages(cancelMessages);
  return (
    <>
      {planPath && (
        <p>
          {messages.account} <Link to={planPath}>{messages.accountLink}</Link>
        </p>
      )}
      {hasWithdrawal && (
        <p>
          {messages.withdraw} <Link to={href("/withdraw")}>{messages.withdrawLink}</Link>
        </p>
      )}
    </>
  );
}

/** The signed-in owner can take back a cancellation that isn't carried out yet. */
function Waiting({ text }: { text: string | null }) {
  const { waiting: messages } = useMessages(cancelMessages);
  const isPending = usePending("intent", "keep");
  if (text === null) return null;
  return (
    <SectionCard title={messages.title} tone="attention">
      <p>{text}</p>
      <Form method="post" action={href("/cancel")}>
        <Button kind="quiet" name="intent" value="keep" pending={isPending} pendingLabel={messages.pending}>
          {messages.keep}
        </Button>
      </Form>
    </SectionCard>
  );
}

type DeclaredProps = {
  declared: { address: string; facts: { label: string; value: string }[] };
  support: string;
};

/** The same whether there is such a contract or not. */
export function DeclaredPage({ declared: { address, facts }, support }: DeclaredProps) {
  const { declared: messages } = useMessages(cancelMessages);
  return (
    <FormPage
      title={messages.title}
      lead={messages.lead(address)}
      aside={<p>{messages.support(support)}</p>}
      picture={<StatusIllustration state="letter" />}
    >
      <KeyValues items={facts} />
      <p>
        <a href={href("/cancel/declaration")} download>
          {messages.file}
        </a>
      </p>
      <p>{messages.next}</p>
      <p>
        <Link to={href("/")}>{messages.start}</Link>
      </p>
    </FormPage>
  );
}

/** The browser was sent here after a declaration, but has no cookie of one: it refused ours, or someone opened the address by hand. */
export function CookielessPage({ support }: { support: string }) {
  const { noCookie: messages, declared } = useMessages(cancelMessages);
  return (
    <FormPage
      title={messages.title}
      lead={messages.lead}
      aside={<p>{declared.support(support)}</p>}
      picture={<StatusIllustration state="letter" />}
    >
      <p>{messages.why}</p>
      <p>
        <Link to={href("/cancel")}>{messages.form}</Link>
      </p>
    </FormPage>
  );
}
