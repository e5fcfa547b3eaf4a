import { features } from "#app/features.ts";
import { readerOf } from "#app/core/time/time.ts";
import { appContext } from "#app/http/request/contexts.ts";
import { declinedCookie, readCookie } from "#app/http/request/cookies.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { readForm } from "#app/http/forms/read-form.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import { hashToken } from "#app/core/hash.ts";
import { noPasskey, noSession, readId } from "#app/core/id.ts";
import { securityForm } from "./form.ts";
import {
  listedActivitiesMax,
  recentActivitiesMax,
  type ActivityName,
  type ActivityResult,
} from "#app/modules/accounts/activities.rules.ts";
import { typedBefore } from "#app/modules/accounts/rules.ts";
import { readSecurity } from "./read-security.server.ts";
import { showPasskeys } from "#app/modules/accounts/passkeys/reads/show-passkeys.server.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { AccountPage } from "../account-forms/account-page.tsx";
import { answerForm } from "#app/http/forms/answer-form.ts";
import { answerSensitive } from "../account-forms/answers.ts";
import { href, redirect } from "react-router";
import { endOtherSession, endOtherSessions } from "#app/modules/accounts/commands/end-session.server.ts";
import { addPasskey } from "#app/modules/accounts/passkeys/commands/add-passkey.server.ts";
import { removePasskey } from "#app/modules/accounts/passkeys/commands/remove-passkey.server.ts";
import { askForAddressChange } from "#app/http/codes/ask-for-code.ts";
import { refuseMistypedDomain } from "#app/http/forms/refuse-mistyped-domain.ts";
import { describeVisitor } from "#app/http/request/visitor.ts";
import type { Route } from "./+types/route";
import { Activity } from "./activity.tsx";
import { EmailAddressSection } from "./email-address.tsx";
import { securityMessages, activityMessages } from "./messages.ts";
import { Passkeys } from "./passkeys.tsx";
import { Sessions } from "./sessions.tsx";

export { passHeaders as headers } from "#app/http/page/pass-headers.ts";
export { clientAction } from "#app/client/keep-form.ts";
export { placesFlash as handle } from "#app/ui/components/feedback/flash.tsx";

export const meta: Route.MetaFunction = ({ matches }) => [{ title: pageTitle(securityMessages.en.title, matches) }];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { accountId, viewer: found } = signedIn(context);
  const now = app.clock();
  const isWhole = url.searchParams.get("activity") === "all";
  const reads = readSecurity(app, accountId, {
    activitiesMax: isWhole ? listedActivitiesMax : recentActivitiesMax,
    proof: readId("req", url.searchParams.get("continue")),
    browserHash: await hashToken(readCookie(request, "browser") ?? ""),
    now,
  });
  const [rows, viewer] = await Promise.all([reads, found]);
  const { sessions, activities, passkeys, proofs } = rows;
  return {
    reader: readerOf(viewer.account),
    email: viewer.account.email,
    sessions: sessions.map((row) => ({ ...row, isThis: row.id === viewer.session.id })),
    passkeys: await showPasskeys(app, viewer, passkeys),
    activities: activities.map(({ what, result, reason, ...row }) => ({
      ...row,
      ...sayActivity(what, result, reason),
    })),
    isWhole: isWhole || activities.length < recentActivitiesMax,
    // There may be more than fit on one page.
    isCut: activities.length === listedActivitiesMax,
    typed: typedBefore(viewer, proofs[0], now),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const viewer = await signedIn(context).viewer;
  const submitted = { app, request, viewer };
  return answerForm(readForm(context, securityForm), {
    "change-email": ({ intent, email }) =>
      refuseMistypedDomain(new URL(request.url), email, { intent }) ?? askForAddressChange(app, request, viewer, email),
    "end-session": async (fields) =>
      answerSensitive(
        { ...submitted, fields },
        await endOtherSession(app, viewer, readId("ses", fields.session) ?? noSession),
      ),
    "end-other-sessions": async (fields) =>
      answerSensitive({ ...submitted, fields }, await endOtherSessions(app, viewer)),
    "add-passkey": async ({ intent, name, passkey: text }) => {
      const { device } = describeVisitor(request);
      // A passkey created after re-authentication has expired isn't stored: the user is asked again.
      return answerSensitive(
        { ...submitted, fields: { intent, name } },
        await addPasskey(app, viewer, { name, text, device }),
      );
    },
    "remove-passkey": async (fields) =>
      answerSensitive(
        { ...submitted, fields },
        await removePasskey(app, viewer, readId("pky", fields.passkey) ?? noPasskey),
      ),
    "decline-passkey": () => redirect(href("/settings"), { status: 303, headers: { "Set-Cookie": declinedCookie() } }),
  });
}

export default function SecurityPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const refusal = actionData ?? null;
  const messages = useMessages(securityMessages);
  const { reader, email, typed } = page;
  return (
    <AccountPage
      title={messages.title}
      lead={messages.lead}
      typed={typed}
      refusal={refusal}
      fieldsAlone={["email", "name"]}
    >
      <EmailAddressSection email={email} typed={typed.email} refusal={refusal} />
      <Passkeys
        reader={reader}
        passkeys={page.passkeys}
        typedName={typed.intent === "add-passkey" ? typed.name : undefined}
        refusal={refusal}
      />
      <Sessions sessions={page.sessions} reader={reader} />
      <Activity activities={page.activities} isWhole={page.isWhole} isCut={page.isCut} reader={reader} />
    </AccountPage>
  );
}

/** What was done, or what was tried and why it was refused. `refused` is null if it was done. */
function sayActivity(what: ActivityName, result: ActivityResult, reason: string | null) {
  const { did, tried, refused, reasons } = activityMessages.en;
  const ofFeatures = features.flatMap(({ messages }) => messages.en.activities ?? []);
  const said = (texts: "did" | "tried", own: Readonly<Record<string, string>>) =>
    own[what] ?? ofFeatures.flatMap((each) => each[texts][what] ?? [])[0] ?? what;
  if (result === "done") return { what: said("did", did), refused: null };
  const why = Object.assign({}, reasons, ...ofFeatures.map((each) => each.reasons))[reason ?? ""];
  return { what: said("tried", tried), refused: why ? `${refused}: ${why}` : refused };
}
