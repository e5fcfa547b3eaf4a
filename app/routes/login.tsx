import { data, Form, Link, redirect } from "react-router";
import { askForCode } from "#app/request/ask-for-code.ts";
import { askedBefore } from "#app/request/asked-before.ts";
import { appContext, viewerContext } from "#app/context.ts";
import { logInForm } from "#app/domain/accounts/rules.ts";
import { readPath } from "#app/domain/kernel/path.ts";
import { FormRefusalNotice, useRefusedFields } from "#app/request/form-refusal.tsx";
import { readForm } from "#app/request/read-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { useWords } from "#app/ui/language.ts";
import { FormPage } from "#app/ui/page-shell.tsx";
import { usePending } from "#app/ui/use-pending.ts";
import type { Route } from "./+types/login";
import { loginWords } from "./login.words.ts";

export { passHeaders as headers } from "#app/request/pass-headers.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loginWords.en.title} · ${loaderData?.product ?? ""}` },
  { tagName: "link", rel: "canonical", href: loaderData?.canonical },
];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const redirectTo = readPath(url.searchParams.get("redirectTo"));
  if (context.get(viewerContext)) throw redirect(redirectTo ?? "/settings", 303);
  const before = await askedBefore(app, request, url, "sign-in");
  const page = {
    product: app.product.name,
    canonical: `${app.origin}/login`,
    signedInBy: (await app.visits.read(request)).signedInBy,
    typedBefore: before?.addressTyped,
  };
  // An address that somebody typed is kept by nobody else.
  return before ? data(page, { headers: { "Cache-Control": "no-store" } }) : page;
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readForm(request, logInForm);
  if (!form.ok) return data(form.refusal, { status: form.refusal.status });
  const redirectTo = readPath(form.value.redirectTo ?? url.searchParams.get("redirectTo")) ?? undefined;
  const wish = { address: form.value.email, purpose: "sign-in", carried: { redirectTo } } as const;
  return askForCode(context.get(appContext), request, wish);
}

export default function LogIn({ loaderData: page, actionData: refusal }: Route.ComponentProps) {
  const words = useWords(loginWords);
  const pending = usePending();
  const { problemOf, typedIn } = useRefusedFields(refusal, words.problems);
  return (
    <FormPage
      title={words.title}
      lead={page.signedInBy === "code" ? words.lastTime : words.lead}
      aside={<SignUpHint />}
    >
      <FormRefusalNotice refusal={refusal} problems={words.problems} />
      <Form method="post" className="stack">
        <Field
          label={words.email}
          name="email"
          type="email"
          autoComplete="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          required
          defaultValue={typedIn("email") ?? page.typedBefore}
          autoFocus={page.typedBefore !== undefined}
          error={problemOf("email")}
        />
        <Button kind="primary" wide pending={pending} pendingLabel={words.pending}>
          {words.submit}
        </Button>
      </Form>
    </FormPage>
  );
}

function SignUpHint() {
  const words = useWords(loginWords);
  return (
    <p>
      {words.signUp} <Link to="/signup">{words.signUpLink}</Link>
    </p>
  );
}
