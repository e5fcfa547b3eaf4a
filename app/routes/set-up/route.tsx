import { data, Form, href, redirect } from "react-router";
import { appContext } from "#app/http/request/contexts.ts";
import { endedCookie, operatorCookie } from "#app/http/request/cookies.ts";
import { describeVisitor } from "#app/http/request/visitor.ts";
import { FormRefusalNotice, useRefusedFields } from "#app/http/forms/form-refusal.tsx";
import { readForm } from "#app/http/forms/read-form.ts";
import { refuseUntil } from "#app/http/forms/refuse-until.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { findRateLimit } from "#app/core/rate-limiter.ts";
import { matchesOperatorToken } from "#app/modules/operators/rules.ts";
import { writeOperatorCookie } from "#app/modules/operators/operator-cookie.rules.ts";
import type { App } from "#app/app.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { Field } from "#app/ui/components/forms/field.tsx";
import { FormPage } from "#app/ui/components/layout/page-shell.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import type { Route } from "./+types/route";
import { setUpMessages } from "./messages.ts";
import { operatorTokenForm } from "./form.ts";

export { clientAction } from "#app/client/keep-form.ts";
export { passHeaders as headers } from "#app/http/page/pass-headers.ts";

export const meta: Route.MetaFunction = ({ matches }) => [
  { title: pageTitle(setUpMessages.en.title, matches) },
  { name: "robots", content: "noindex" },
];

/** Without a token there are no operators, and no such page. */
function tokenOf({ operatorToken }: App): string {
  if (operatorToken === null) throw data(null, { status: 404 });
  return operatorToken;
}

export function loader({ context }: Route.LoaderArgs) {
  tokenOf(context.get(appContext));
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const operatorToken = tokenOf(app);
  const form = readForm(context, operatorTokenForm);
  // What was typed is a secret: it isn't sent back.
  if (!form.ok) return data({ ...form.refusal, typed: {} }, { status: form.refusal.status });
  if (form.value.intent === "hide") return goHome(endedCookie("operator"));
  const limited = await findRateLimit(app, "operator", describeVisitor(request).ip);
  if (limited) return refuseUntil(limited, app.clock());
  if (await matchesOperatorToken(app.pepper, operatorToken, form.value.token)) {
    return goHome(operatorCookie(await writeOperatorCookie(app.pepper, operatorToken, app.clock())));
  }
  const errors = [{ field: "token", problem: "token-refused" }];
  return data({ reason: "invalid-fields" as const, status: 422 as const, errors, typed: {} }, { status: 422 });
}

function goHome(cookie: string) {
  return redirect(href("/"), { status: 303, headers: { "Set-Cookie": cookie } });
}

export default function SetUp({ actionData: refusal }: Route.ComponentProps) {
  const messages = useMessages(setUpMessages);
  const { problemOf } = useRefusedFields(refusal, messages.problems);
  return (
    <FormPage title={messages.title} lead={messages.lead}>
      <FormRefusalNotice refusal={refusal} problems={messages.problems} onlyField="token" />
      <Form method="post" className="stack">
        <Field
          name="token"
          type="password"
          autoComplete="off"
          spellCheck={false}
          required
          label={messages.token}
          hint={messages.tokenHint}
          error={problemOf("token")}
        />
        <Button kind="primary">{messages.submit}</Button>
      </Form>
    </FormPage>
  );
}
