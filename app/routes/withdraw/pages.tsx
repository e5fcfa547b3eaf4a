import { useEffect, useRef } from "react";
import { Form, href } from "react-router";
import { type AddressFormRefusal, AddressRefusalNotice } from "#app/http/forms/address-refusal.tsx";
import { useRefusedFields } from "#app/http/forms/form-refusal.tsx";
import type { OrderId } from "#app/core/id.ts";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { EmailField, Field } from "#app/ui/components/forms/field.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { StatusIllustration } from "#app/ui/components/feedback/status-illustration.tsx";
import { FormPage } from "#app/ui/components/layout/page-shell.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { withdrawMessages } from "./messages.ts";

/** `ref` is the order's id from the link in its receipt, which proves that the receipt's reader is declaring. */
type Fields = { name: string; order: string; email: string; ref: string };
type DeclareProps = {
  days: number;
  cancelPath: string | null;
  prefill: Fields;
  refusal: AddressFormRefusal | undefined;
};

export function DeclarePage({ days, cancelPath, prefill, refusal }: DeclareProps) {
  const { title, form: messages, problems } = useMessages(withdrawMessages);
  const pending = usePending("intent", "declare");
  const { problemOf, typedIn } = useRefusedFields(refusal, problems);
  const field = (name: Exclude<keyof Fields, "ref">) => ({
    name,
    required: true,
    defaultValue: typedIn(name) ?? prefill[name],
    error: problemOf(name),
  });
  return (
    <FormPage
      title={title}
      lead={messages.lead(days)}
      aside={
        cancelPath && (
          <p>
            {messages.instead} <Link to={cancelPath}>{messages.cancel}</Link>
          </p>
        )
      }
    >
      <AddressRefusalNotice refusal={refusal} problems={problems} />
      <Form method="post" action={href("/withdraw")} className="stack" noValidate>
        {prefill.ref && <input type="hidden" name="ref" value={typedIn("ref") ?? prefill.ref} />}
        <Field {...field("name")} label={messages.name} autoComplete="name" />
        <Field
          {...field("order")}
          label={messages.order}
          hint={prefill.order === "" ? `${messages.orderHint} ${messages.orderLink}` : messages.orderHint}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <EmailField
          defaultValue={typedIn("email") ?? prefill.email}
          error={problemOf("email")}
          label={messages.email}
          hint={messages.emailHint}
        />
        <p className="quiet">{messages.contract(days)}</p>
        <Button kind="primary" wide name="intent" value="declare" pending={pending} pendingLabel={messages.pending}>
          {messages.submit}
        </Button>
      </Form>
    </FormPage>
  );
}

type ReviewProps = {
  declaration: Fields;
  /** What is covered and refunded. Null if that isn't known, or mustn't be shown. */
  refundText: string | null;
  refusal: AddressFormRefusal | null;
  onChange: () => void;
};

/**
 * Shows the declaration word for word, in a form that contains what is shown and nothing else that was entered. Without scripts, its link
 * leads to a new declaration.
 */
export function ReviewPage({ declaration, refundText, refusal, onChange }: ReviewProps) {
  const { review: messages, problems } = useMessages(withdrawMessages);
  const pending = usePending("intent", "confirm");
  const box = useRef<HTMLQuoteElement>(null);
  // This page replaced the form, which had the focus.
  useEffect(() => box.current?.focus(), []);
  const { name, order, email, ref } = declaration;
  return (
    <FormPage title={messages.title} lead={messages.lead}>
      <AddressRefusalNotice refusal={refusal ?? undefined} problems={problems} />
      <blockquote className="declaration" ref={box} tabIndex={-1}>
        {messages.declaration(name, order)}
      </blockquote>
      {refundText && <p>{refundText}</p>}
      <Form method="post" action={href("/withdraw")} className="stack">
        {ref && <input type="hidden" name="ref" value={ref} />}
        <div className="plain-fields">
          <Field label={messages.name} name="name" defaultValue={name} readOnly />
          <Field label={messages.order} name="order" defaultValue={order} readOnly />
          <Field label={messages.email} name="email" defaultValue={email} readOnly />
        </div>
        <Button kind="primary" wide name="intent" value="confirm" pending={pending} pendingLabel={messages.submitting}>
          {messages.submit}
        </Button>
      </Form>
      <p>
        <Link
          to={href("/withdraw")}
          onClick={(event) => {
            event.preventDefault();
            onChange();
          }}
        >
          {messages.again}
        </Link>
      </p>
    </FormPage>
  );
}

type DeclaredProps = {
  page: { support: string; address: string | null };
  isNew: boolean;
  /** Shown to the order's owner, who is signed in. */
  own: { lead: string; next: string } | null;
};

/** The same for everyone but the signed-in owner: only the email's reader learns whether the order exists. */
export function DeclaredPage({ page, isNew, own }: DeclaredProps) {
  const { declared: messages } = useMessages(withdrawMessages);
  return (
    <FormPage
      title={isNew ? messages.title : messages.before.title}
      lead={isNew ? (own?.lead ?? messages.lead(page.address)) : messages.before.lead}
      aside={isNew && <p>{messages.support(page.support)}</p>}
      picture={<StatusIllustration state="letter" />}
    >
      <p>{own?.next ?? messages.next}</p>
      <p>
        {own === null ? (
          <Link to={href("/")}>{messages.start}</Link>
        ) : (
          <Link to={href("/settings/orders")}>{messages.own.orders}</Link>
        )}
      </p>
    </FormPage>
  );
}

/** The browser was sent here after a declaration, but has no cookie of one: it refused ours, or someone opened the address by hand. */
export function CookielessPage({ support }: { support: string }) {
  const { noCookie: messages, declared } = useMessages(withdrawMessages);
  return (
    <FormPage
      title={messages.title}
      lead={messages.lead}
      aside={<p>{declared.support(support)}</p>}
      picture={<StatusIllustration state="letter" />}
    >
      <p>{messages.why}</p>
      <p>
        <Link to={href("/withdraw")}>{messages.form}</Link>
      </p>
    </FormPage>
  );
}

/** For the order's owner, who has already declared a withdrawal from it. */
export function AlreadyPage({ already: { text, orderId } }: { already: { text: string; orderId: OrderId } }) {
  const { already: messages } = useMessages(withdrawMessages);
  return (
    <FormPage title={messages.title} lead={text} picture={<StatusIllustration state="letter" />}>
      <LinkButton wide to={href("/settings/orders/:order", { order: orderId })}>
        {messages.link}
      </LinkButton>
      <p>
        <Link to={`${href("/withdraw")}?order=`}>{messages.another}</Link>
      </p>
    </FormPage>
  );
}
