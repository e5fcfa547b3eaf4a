import { Form, Link } from "react-router";
import { formatMoney } from "#app/core/money/money.ts";
import type { AdmitRefusal } from "#app/modules/waitlist/reads/check-invitation.server.ts";
import { type CodeFormRefusal, FormRefusalNotice, useRefusedFields } from "#app/http/form-refusal.tsx";
import { Button } from "#app/ui/components/button.tsx";
import { CheckField, EmailField } from "#app/ui/components/field.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { Notice } from "#app/ui/components/notice.tsx";
import { FormPage } from "#app/ui/components/page-shell.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import type { Route } from "./+types/route";
import { signupWords } from "./messages.ts";
import { InvitedNotice } from "./signup-invitation.tsx";
import { TermsField } from "./terms-field.tsx";

type Page = Route.ComponentProps["loaderData"];

/** What an invitation was refused with, and what was typed. */
export type ShutOut = AdmitRefusal & { typed: { email: string } };

type SignUpFormProps = {
  page: Page;
  refusal?: CodeFormRefusal;
  shut?: ShutOut;
};

export function SignUpForm({ page, refusal, shut }: SignUpFormProps) {
  const words = useWords(signupWords);
  const pending = usePending();
  const { problemOf, typedIn } = useRefusedFields(refusal, words.problems);
  const isRefused = refusal?.reason === "invalid-fields";
  const invitation = page.invitation?.verdict === "open" ? page.invitation : null;
  return (
    <FormPage title={words.title} lead={<Lead page={page} />} aside={<SignInHint page={page} />}>
      <FormRefusalNotice refusal={refusal} problems={words.problems} />
      {shut && (
        <Notice kind="problem" live>
          {words.byInvitation.refusals[shut.reason]}
        </Notice>
      )}
      {!shut && invitation && <InvitedNotice invitation={invitation} to={page.invitedTo} reader={page.reader} />}
      {page.isForInvited && page.chosen && <ForInvited plan={page.chosen.name} list={page.list} />}
      <Form method="post" className="stack" noValidate>
        <EmailField
          label={words.email}
          hint={words.emailHint}
          defaultValue={typedIn("email") ?? shut?.typed.email ?? page.before?.email ?? invitation?.address}
          autoFocus={page.before !== null}
          error={problemOf("email")}
        />
        <FriendsGift
          page={page}
          isKept={isRefused ? typedIn("ref") !== undefined : (page.before?.keepsReferral ?? true)}
        />
        <TermsField
          defaultChecked={isRefused ? typedIn("terms") === "on" : page.before?.agrees}
          error={problemOf("terms")}
        />
        <Button kind="primary" wide pending={pending} pendingLabel={words.pending}>
          {words.submit}
        </Button>
      </Form>
    </FormPage>
  );
}

function Lead({ page }: { page: Page }) {
  const words = useWords(signupWords);
  if (!page.chosen) return words.lead;
  const price = `${formatMoney(page.chosen.price, page.locale)} ${words.perInterval[page.chosen.interval]}`;
  return words.leadWithPlan(page.chosen.name, price);
}

/** The plan that was chosen can't be had by everybody: how it can. */
function ForInvited({ plan, list }: { plan: string; list: "open" | "full" }) {
  const { planByInvitation, otherwise } = useWords(signupWords);
  const words = otherwise.open(plan);
  return (
    <Notice kind="info">
      {planByInvitation(plan)}{" "}
      {list === "full" ? (
        otherwise.full
      ) : (
        <>
          {words.before}
          <Link to="/waitlist">{words.link}</Link>
          {words.after}
        </>
      )}
    </Notice>
  );
}

/** A friend's gift, where a person can decline it. */
function FriendsGift({ page, isKept }: { page: Page; isKept: boolean }) {
  const { referral } = useWords(signupWords);
  if (!page.referral) return null;
  return (
    <CheckField
      name="ref"
      value={page.referral.code}
      defaultChecked={isKept}
      label={referral.keep(formatMoney(page.referral.offer, page.locale))}
      hint={referral.legend}
    />
  );
}

function SignInHint({ page }: { page: Page }) {
  const words = useWords(signupWords);
  const query = page.redirectTo ? `?${new URLSearchParams({ redirectTo: page.redirectTo })}` : "";
  return (
    <p>
      {words.signIn} <Link to={`/login${query}`}>{words.signInLink}</Link>
    </p>
  );
}
