import { useEffect, useRef } from "react";
import { Form, Link } from "react-router";
import { type CodeFormRefusal, FormRefusalNotice, useRefusedFields } from "#app/http/form-refusal.tsx";
import { Button } from "#app/ui/components/button.tsx";
import { EmailField, Field } from "#app/ui/components/field.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { FormPage } from "#app/ui/components/page-shell.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { withdrawWords } from "./messages.ts";

type Fields = { name: string; order: string; email: string };
type DeclareProps = { days: number; prefill: Fields; refusal: CodeFormRefusal | undefined };

/** Who withdraws from which contract, and where the mail about it goes. */
export function DeclarePage({ days, prefill, refusal }: DeclareProps) {
  const { title, form: words, problems } = useWords(withdrawWords);
  const pending = usePending("intent", "declare");
  const { problemOf, typedIn } = useRefusedFields(refusal, problems);
  const field = (name: keyof Fields) => ({
    name,
    required: true,
    defaultValue: typedIn(name) ?? prefill[name],
    error: problemOf(name),
  });
  return (
    <FormPage title={title} lead={words.lead(days)}>
      <FormRefusalNotice refusal={refusal} problems={problems} />
      <Form method="post" action="/withdraw" className="stack" noValidate>
        <Field {...field("name")} label={words.name} autoComplete="name" />
        <Field
          {...field("order")}
          label={words.order}
          hint={words.orderHint}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <EmailField
          defaultValue={typedIn("email") ?? prefill.email}
          error={problemOf("email")}
          label={words.email}
          hint={words.emailHint}
        />
        <Button kind="primary" wide name="intent" value="declare" pending={pending} pendingLabel={words.pending}>
          {words.submit}
        </Button>
        <p className="quiet">{words.contract}</p>
        <p className="quiet">{words.next}</p>
      </Form>
    </FormPage>
  );
}

type ReviewProps = { declaration: Fields; refusal: CodeFormRefusal | null; onChange: () => void };

/** The declaration, word for word, in a form that holds nothing but what is seen. Without a script its link leads to a new one. */
export function ReviewPage({ declaration, refusal, onChange }: ReviewProps) {
  const { review: words, problems } = useWords(withdrawWords);
  const pending = usePending("intent", "confirm");
  const box = useRef<HTMLQuoteElement>(null);
  // It took the form's place, and the focus went with that.
  useEffect(() => box.current?.focus(), []);
  const { name, order, email } = declaration;
  return (
    <FormPage title={words.title} lead={words.lead}>
      <FormRefusalNotice refusal={refusal ?? undefined} problems={problems} />
      <blockquote className="declaration" ref={box} tabIndex={-1}>
        {words.declaration(name, order)}
      </blockquote>
      <Form method="post" action="/withdraw" className="stack">
        <Field label={words.name} name="name" defaultValue={name} readOnly />
        <Field label={words.order} name="order" defaultValue={order} readOnly />
        <Field label={words.email} name="email" defaultValue={email} readOnly />
        <Button kind="primary" wide name="intent" value="confirm" pending={pending} pendingLabel={words.submitting}>
          {words.submit}
        </Button>
      </Form>
      <p>
        <Link
          to="/withdraw"
          onClick={(event) => {
            event.preventDefault();
            onChange();
          }}
        >
          {words.again}
        </Link>
      </p>
    </FormPage>
  );
}

/** The same for everybody: whether there is such an order only the mail's reader can know. */
export function DeclaredPage({ page, isNew }: { page: { support: string }; isNew: boolean }) {
  const { declared: words } = useWords(withdrawWords);
  return (
    <FormPage title={words.title} lead={isNew ? words.lead : words.before} aside={<p>{words.support(page.support)}</p>}>
      <p>{words.next}</p>
      <p>
        <Link to="/">{words.start}</Link>
      </p>
    </FormPage>
  );
}
