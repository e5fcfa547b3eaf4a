import { data, Form, href } from "react-router";
import { appContext } from "#app/http/request/contexts.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { findUnsubscribed, unsubscribe } from "#app/modules/accounts/optional-emails.queries.server.ts";
import { emailKinds } from "#app/modules/email/rules.ts";
import { stoppedEmailsOf } from "#app/features.ts";
import { readUnsubscribeToken } from "#app/modules/email/unsubscribe.rules.ts";
import { StatusIllustration } from "#app/ui/components/feedback/status-illustration.tsx";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { FormPage } from "#app/ui/components/layout/page-shell.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import type { Route } from "./+types/route";
import { unsubscribeMessages } from "./messages.ts";

export { clientAction } from "#app/client/keep-form.ts";
export { passHeaders as headers } from "#app/http/page/pass-headers.ts";

export const meta: Route.MetaFunction = ({ matches }) => [
  { title: pageTitle(unsubscribeMessages.en.title, matches) },
  { name: "robots", content: "noindex" },
];

/** Opening the link changes nothing: programs that check emails open every link. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const wanted = await readUnsubscribeToken(app, url.searchParams.get("token") ?? "");
  const headers = { "Cache-Control": "no-store" };
  if (wanted === null) return data(null, { status: 404, headers });
  const isOff = (await findUnsubscribed(app, wanted)).length > 0;
  return data({ subject: wanted.subject, isOff }, { headers });
}

/** The page's own button, and the one of a mailbox: a POST without cookie or origin, whose token says who asks. Twice is once. */
export async function action({ context, url }: Route.ActionArgs) {
  const app = context.get(appContext);
  const wanted = await readUnsubscribeToken(app, url.searchParams.get("token") ?? "");
  if (wanted === null) return data(null, { status: 404 });
  await app.db.batch([unsubscribe(app, wanted)]);
  return null;
}

export default function Unsubscribe({ loaderData: page }: Route.ComponentProps) {
  const { ask, done, unknown } = useMessages(unsubscribeMessages);
  const pending = usePending("intent", "unsubscribe");
  if (page === null)
    return (
      <FormPage {...unknown} picture={<StatusIllustration state="missing" />}>
        <LinkButton kind="quiet" wide to={href("/settings/notifications")}>
          {done.settings}
        </LinkButton>
      </FormPage>
    );
  const own = stoppedEmailsOf(page.subject);
  const texts = own ? own.messages.en : optionalTexts(page.subject);
  if (page.isOff)
    return (
      <FormPage title={done.title(texts.about)} lead={texts.done}>
        <LinkButton kind="quiet" wide to={own?.path ?? href("/settings/notifications")}>
          {texts.link}
        </LinkButton>
      </FormPage>
    );
  return (
    <FormPage title={ask.title(texts.about)} lead={texts.ask}>
      <Form method="post">
        <Button kind="primary" wide name="intent" value="unsubscribe" pending={pending} pendingLabel={ask.pending}>
          {ask.button}
        </Button>
      </Form>
    </FormPage>
  );
}

/** Of a kind that the settings have a switch for. */
function optionalTexts(subject: string) {
  const { about, ask, done } = unsubscribeMessages.en;
  const kind = emailKinds.find((known) => known === subject);
  return { about: kind ? about[kind] : "", ask: ask.optional, done: done.optional, link: done.settings };
}
