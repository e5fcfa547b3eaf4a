import { data, Form, Link, redirect } from "react-router";
import { askForCode } from "#app/request/ask-for-code.ts";
import { askedBefore } from "#app/request/asked-before.ts";
import { appContext, viewerContext } from "#app/context.ts";
import { signUpForm } from "#app/domain/accounts/rules.ts";
import { formatMoney } from "#app/domain/kernel/money.ts";
import { readPath } from "#app/domain/kernel/path.ts";
import { afterProof, findPlan, isInterval, priceOf } from "#app/domain/product/rules.ts";
import { noteVisit } from "#app/domain/referrals/note-visit.server.ts";
import { FormRefusalNotice, useRefusedFields } from "#app/request/form-refusal.tsx";
import { pageTitle } from "#app/request/page-title.ts";
import { readForm } from "#app/request/read-form.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { CheckField, Field } from "#app/ui/field.tsx";
import { useWords } from "#app/ui/language.ts";
import { FormPage } from "#app/ui/page-shell.tsx";
import { usePending } from "#app/ui/use-pending.ts";
import type { Route } from "./+types/signup";
import { signupWords } from "./signup.words.ts";

export { passHeaders as headers } from "#app/request/pass-headers.ts";
export { clientAction } from "#app/request/keep-form.ts";

export const meta: Route.MetaFunction = ({ loaderData, matches }) => [
  { title: pageTitle(signupWords.en.title, matches) },
  { tagName: "link", rel: "canonical", href: loaderData?.canonical },
];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const query = Object.fromEntries(url.searchParams);
  if (context.get(viewerContext)) throw redirect(afterProof(app.product, { ...query, planId: query.plan }), 303);
  const plan = findPlan(app.product, query.plan);
  const interval = isInterval(query.interval) ? query.interval : "month";
  const before = await askedBefore(app, request, url, "sign-up");
  const visit = await noteVisit(app, request, query.ref ?? before?.carried.referralCode ?? null, null);
  const page = {
    canonical: `${app.origin}/signup`,
    locale: app.product.locale,
    gate: app.gate.kind,
    chosen: plan?.prices
      ? { id: plan.id, name: plan.name, interval, price: priceOf(app.product, plan, interval) }
      : null,
    redirectTo: readPath(query.redirectTo),
    referral: visit.offer && visit.code ? { code: visit.code, offer: visit.offer } : null,
    before: before && {
      email: before.addressTyped,
      agrees: before.carried.termsVersion === app.product.terms.version,
      keepsReferral: before.carried.referralCode !== undefined,
    },
  };
  const headers = new Headers(visit.cookie ? { "Set-Cookie": visit.cookie } : {});
  // An address that somebody typed is kept by nobody else.
  if (before) headers.set("Cache-Control", "no-store");
  return data(page, { headers });
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const app = context.get(appContext);
  const form = await readForm(request, signUpForm);
  if (!form.ok) return data(form.refusal, { status: form.refusal.status });
  if (app.gate.kind === "signup") return data({ reason: "by-invitation" as const }, { status: 409 });
  // The page's own address carries the choice; a field of the same name wins.
  const wish = { ...carriedBy(url), ...form.value };
  return askForCode(app, request, {
    address: form.value.email,
    purpose: "sign-up",
    carried: {
      planId: wish.plan,
      interval: wish.interval,
      redirectTo: wish.redirectTo,
      termsVersion: app.product.terms.version,
      referralCode: form.value.ref,
    },
  });
}

/** What the address of the page says, as far as it can mean anything here. */
function carriedBy(url: URL) {
  const word = (name: string) => (url.searchParams.get(name) ?? "").slice(0, 100) || undefined;
  return {
    plan: word("plan"),
    interval: word("interval"),
    redirectTo: readPath(url.searchParams.get("redirectTo")) ?? undefined,
  };
}

export default function SignUp({ loaderData: page, actionData }: Route.ComponentProps) {
  const words = useWords(signupWords);
  const pending = usePending();
  const refusal = actionData?.reason === "by-invitation" ? undefined : actionData;
  const { problemOf, typedIn } = useRefusedFields(refusal, words.problems);
  const isRefused = refusal?.reason === "invalid-fields";
  if (page.gate === "signup") {
    return (
      <FormPage title={words.byInvitation.title} lead={words.byInvitation.text}>
        <LinkButton kind="primary" wide to="/waitlist">
          {words.byInvitation.link}
        </LinkButton>
      </FormPage>
    );
  }
  return (
    <FormPage title={words.title} lead={<Lead page={page} />} aside={<SignInHint page={page} />}>
      <FormRefusalNotice refusal={refusal} problems={words.problems} />
      <Form method="post" className="stack">
        <Field
          label={words.email}
          hint={words.emailHint}
          name="email"
          type="email"
          autoComplete="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          required
          defaultValue={typedIn("email") ?? page.before?.email}
          autoFocus={page.before !== null}
          error={problemOf("email")}
        />
        <FriendsGift
          page={page}
          isKept={isRefused ? typedIn("ref") !== undefined : (page.before?.keepsReferral ?? true)}
        />
        <CheckField
          name="terms"
          value="on"
          required
          defaultChecked={isRefused ? typedIn("terms") === "on" : page.before?.agrees}
          error={problemOf("terms")}
          label={<TermsLabel />}
        />
        <Button kind="primary" wide pending={pending} pendingLabel={words.pending}>
          {words.submit}
        </Button>
      </Form>
    </FormPage>
  );
}

type Page = Route.ComponentProps["loaderData"];

function Lead({ page }: { page: Page }) {
  const words = useWords(signupWords);
  if (!page.chosen) return words.lead;
  const price = `${formatMoney(page.chosen.price, page.locale)} ${words.perInterval[page.chosen.interval]}`;
  return words.leadWithPlan(page.chosen.name, price);
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

function TermsLabel() {
  const { terms } = useWords(signupWords);
  return (
    <>
      {terms.before}
      <Link to="/legal/terms">{terms.link}</Link>
      {terms.middle}
      <Link to="/legal/privacy">{terms.privacy}</Link>
      {terms.after}
    </>
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
