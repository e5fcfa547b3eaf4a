import { Form, href } from "react-router";
import { formatPrice } from "#app/core/money/money.ts";
import type { AdmitRefusal } from "#app/modules/catalogue/gate.rules.ts";
import { type AddressFormRefusal, AddressRefusalNotice, useAddressFields } from "#app/http/forms/address-refusal.tsx";
import { ChallengeField } from "../challenge-field.tsx";
import { isChallengeWanted } from "#app/http/forms/is-challenge-wanted.ts";
import { isSuggestion } from "#app/http/forms/is-suggestion.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { CheckField, EmailField } from "#app/ui/components/forms/field.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { documentForm } from "#app/ui/hooks/document-form.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { FormPage } from "#app/ui/components/layout/page-shell.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import type { Route } from "./+types/route";
import { gatePages } from "#app/features.ts";
import { signupMessages, signUpFieldsMessages } from "./messages.ts";
import { TermsField } from "./terms-field.tsx";

type Page = Route.ComponentProps["loaderData"];

/** Why the invitation was refused, and what was typed. */
export type ShutOut = AdmitRefusal & { typed: { email: string } };

type SignUpFormProps = {
  page: Page;
  refusal?: AddressFormRefusal;
  shut?: ShutOut;
};

export function SignUpForm({ page, refusal, shut }: SignUpFormProps) {
  const messages = useMessages(signupMessages);
  const { problems } = useMessages(signUpFieldsMessages);
  const pending = usePending();
  const { problemOf, typedIn } = useAddressFields(refusal, problems);
  const isRefused = refusal?.reason === "invalid-fields" || isSuggestion(refusal) || isChallengeWanted(refusal);
  const invitation = page.invitation?.verdict === "open" ? page.invitation : null;
  return (
    <FormPage
      title={invitation ? messages.invitedFor.title(page.invitedTo) : messages.title}
      lead={invitation ? messages.invitedFor.address(invitation.address) : <Lead page={page} />}
      aside={<SignInHint page={page} />}
    >
      <AddressRefusalNotice refusal={refusal} problems={problems} />
      {shut && (
        <Notice kind="problem" live>
          {messages.byInvitation.refusals[shut.reason]}
        </Notice>
      )}
      {invitation && <InvitationTerms invitation={invitation} page={page} />}
      {page.isForInvited && page.chosen && <ForInvited plan={page.chosen.name} isFull={page.isFull} />}
      <Form method="post" className="stack" noValidate {...(isChallengeWanted(refusal) && documentForm)}>
        <EmailField
          label={messages.email}
          hint={messages.emailHint}
          defaultValue={typedIn("email") ?? shut?.typed.email ?? page.before?.email ?? invitation?.address}
          autoFocus={page.before !== null}
          error={problemOf("email")}
        />
        <FriendsGift
          page={page}
          isChecked={isRefused ? typedIn("ref") !== undefined : (page.before?.keepsReferral ?? true)}
        />
        <TermsField
          defaultChecked={isRefused ? typedIn("terms") === "on" : page.before?.agrees}
          error={problemOf("terms")}
        />
        <ChallengeField refusal={refusal} />
        <Button kind="primary" wide pending={pending} pendingLabel={messages.pending}>
          {messages.submit}
        </Button>
      </Form>
    </FormPage>
  );
}

function Lead({ page }: { page: Page }) {
  const messages = useMessages(signupMessages);
  if (!page.chosen) return messages.lead;
  const price = `${formatPrice(page.chosen.price, page.locale)} ${messages.perInterval[page.chosen.interval]}`;
  return messages.leadWithPlan(page.chosen.name, price);
}

/** Until when an invitation can be used and, if it's for a plan, what follows. */
function InvitationTerms({ invitation, page }: { invitation: { until: number }; page: Page }) {
  const { invitedFor } = useMessages(signupMessages);
  return (
    <p>
      {invitedFor.until} <Moment {...page.reader} at={invitation.until} style="date-time" />.{" "}
      {page.chosen ? <Lead page={page} /> : invitedFor.alone}
    </p>
  );
}

/** The chosen plan isn't open to everyone: how to get it. */
function ForInvited({ plan, isFull }: { plan: string; isFull: boolean }) {
  const { planByInvitation } = useMessages(signupMessages);
  const gate = gatePages();
  const { join, full } = useMessages(gate.messages).signUp.plan;
  const messages = join(plan);
  return (
    <Notice kind="info">
      {planByInvitation(plan)}{" "}
      {isFull ? (
        full
      ) : (
        <>
          {messages.before}
          <Link to={gate.path}>{messages.link}</Link>
          {messages.after}
        </>
      )}
    </Notice>
  );
}

/** A friend's gift, which the user can decline. */
function FriendsGift({ page, isChecked }: { page: Page; isChecked: boolean }) {
  const { referral } = useMessages(signupMessages);
  if (!page.referral) return null;
  const hasDiscount = page.referral.offer.amountMinor > 0;
  return (
    <CheckField
      name="ref"
      value={page.referral.code}
      defaultChecked={isChecked}
      label={hasDiscount ? referral.keep(formatPrice(page.referral.offer, page.locale)) : referral.tell}
      hint={hasDiscount ? referral.newCustomers : referral.fromFriend}
    />
  );
}

function SignInHint({ page }: { page: Page }) {
  const messages = useMessages(signupMessages);
  const query = page.redirectTo ? `?${new URLSearchParams({ redirectTo: page.redirectTo })}` : "";
  return (
    <p>
      {messages.signIn} <Link to={`${href("/login")}${query}`}>{messages.signInLink}</Link>
    </p>
  );
}
