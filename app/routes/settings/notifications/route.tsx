import { appContext } from "#app/http/request/contexts.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { readForm } from "#app/http/forms/read-form.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import { notificationsForm } from "./form.ts";
import { stoppedEmailsOf } from "#app/features.ts";
import { readOwnEmails } from "#app/modules/email/reads/read-own-emails.server.ts";
import { readerOf } from "#app/core/time/time.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { AccountPage } from "../account-forms/account-page.tsx";
import { answerForm } from "#app/http/forms/answer-form.ts";
import { back } from "../account-forms/answers.ts";
import { switchEmails } from "#app/modules/accounts/commands/switch-emails.server.ts";
import type { Route } from "./+types/route";
import { notificationsMessages } from "./messages.ts";
import { OptionalEmails } from "./optional-emails.tsx";
import { sayWhyOff } from "./say-why-off.ts";
import { SentEmails } from "./sent-emails.tsx";

export { passHeaders as headers } from "#app/http/page/pass-headers.ts";
export { clientAction } from "#app/client/keep-form.ts";
export { placesFlash as handle } from "#app/ui/components/feedback/flash.tsx";

export const meta: Route.MetaFunction = ({ matches }) => [
  { title: pageTitle(notificationsMessages.en.title, matches) },
];

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { accountId, viewer } = signedIn(context);
  const [{ emails, stopped }, { account }] = await Promise.all([readOwnEmails(app, accountId), viewer]);
  return {
    reader: readerOf(account),
    stopped,
    email: account.email,
    emailsOff: account.emailsOff,
    whyOff: sayWhyOff(account.emailsOff, emails),
    emails: emails.map(({ id, template, state, createdAt, sentAt }) => ({
      id,
      what: app.emailNames.en[template],
      state,
      at: sentAt ?? createdAt,
    })),
  };
}

export async function action({ context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const viewer = await signedIn(context).viewer;
  return answerForm(readForm(context, notificationsForm), {
    mails: async (fields) => {
      await switchEmails(app, viewer, fields);
      // A form that was saved in place stays where it is.
      return fields.inPlace ? null : back(fields.intent);
    },
  });
}

export default function NotificationsPage({ loaderData: page, actionData: refusal = null }: Route.ComponentProps) {
  const messages = useMessages(notificationsMessages);
  return (
    <AccountPage title={messages.title} lead={messages.lead(page.email)} refusal={refusal}>
      {page.stopped.map((subject) => (
        <StoppedNotice key={subject} subject={subject} />
      ))}
      <OptionalEmails emailsOff={page.emailsOff} whyOff={page.whyOff} />
      <SentEmails emails={page.emails} reader={page.reader} />
    </AccountPage>
  );
}

/** Emails that the owner stopped from a mailbox, and can have again where they are about. */
function StoppedNotice({ subject }: { subject: string }) {
  const stopped = stoppedEmailsOf(subject);
  if (stopped === null) return null;
  const { notice } = stopped.messages.en;
  return (
    <Notice kind="info" title={notice.title}>
      {notice.text} <Link to={stopped.path}>{notice.link}</Link>
    </Notice>
  );
}
