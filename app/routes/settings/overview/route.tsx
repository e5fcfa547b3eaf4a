import { readId, noSession, noPasskey } from "#app/core/id.ts";
import { data } from "react-router";
import { appContext } from "#app/http/contexts.ts";
import { endedCookie, readCookie, themeCookie } from "#app/http/cookies.ts";
import { listedActivitiesMax, recentActivities } from "#app/modules/accounts/activities.rules.ts";
import { monthOf } from "#app/modules/devices/usage.rules.ts";
import { endOtherSession, endOtherSessions } from "#app/modules/accounts/commands/end-session.server.ts";
import { typedBefore, overviewForm } from "#app/modules/accounts/rules.ts";
import { saveProfile } from "#app/modules/accounts/commands/save-profile.server.ts";
import { switchEmails } from "#app/modules/accounts/commands/switch-emails.server.ts";
import { closeAccount } from "#app/modules/account-deletion/commands/close-account.server.ts";
import { restoreAccount } from "#app/modules/account-deletion/commands/restore-account.server.ts";
import { restoreMs } from "#app/modules/account-deletion/rules.ts";
import { addPasskey } from "#app/modules/passkeys/commands/add-passkey.server.ts";
import { removePasskey } from "#app/modules/passkeys/commands/remove-passkey.server.ts";
import { showPasskeys } from "#app/modules/passkeys/reads/show-passkeys.server.ts";
import { hashToken } from "#app/core/digest.ts";
import { refused } from "#app/core/result.ts";
import { dayMs } from "#app/core/time/time.ts";
import { listTimeZones } from "#app/core/time/time-zone.ts";
import { runningSubscription } from "#app/modules/subscriptions/rules.ts";
import { readOrder } from "#app/modules/orders/queries.server.ts";
import { askForAddressChange } from "#app/http/ask-for-code.ts";
import { describeVisitor } from "#app/http/visitor.ts";
import { pageTitle } from "#app/http/page-title.ts";
import { readForm } from "#app/http/read-form.ts";
import { signedIn } from "#app/http/signed-in.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import type { Route } from "./+types/route";
import { overviewMessages } from "./messages.ts";
import { answerSensitive, back } from "./answers.ts";
import { deviceFacts } from "./devices.tsx";
import { EmailAddressCard } from "./email.tsx";
import { AllMyData, CloseAccount, ClosedAccountPage } from "./closing.tsx";
import { localeOptions } from "./locales.ts";
import { OptionalEmails } from "./optional-emails.tsx";
import { OverviewPage } from "./page.tsx";
import { Passkeys } from "./passkeys.tsx";
import { planFacts } from "./plan-facts.ts";
import { readOverview } from "./read-overview.server.ts";
import { PlanAndDevices } from "./plan-devices.tsx";
import { Refused } from "./refusal.tsx";
import { Appearance, Profile } from "./profile.tsx";
import { Activity, SignedInBrowsers } from "./sessions.tsx";

export { passHeaders as headers } from "#app/http/pass-headers.ts";
export { clientAction } from "#app/client/keep-form.ts";
export { placesFlash as handle } from "#app/ui/components/feedback/flash.tsx";

export const meta: Route.MetaFunction = ({ matches }) => [{ title: pageTitle(overviewMessages.en.title, matches) }];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { accountId, viewer: found } = signedIn(context);
  const now = app.clock();
  const isWhole = url.searchParams.get("activity") === "all";
  const browserHash = await hashToken(readCookie(request, "browser") ?? "");
  const month = monthOf(now, app.product.timeZone);
  const reads = readOverview(app, accountId, {
    activitiesMax: isWhole ? listedActivitiesMax : recentActivities,
    month,
    proof: readId("req", url.searchParams.get("continue")),
    browserHash,
    now,
  });
  const [rows, viewer] = await Promise.all([reads, found]);
  const { account, session } = viewer;
  if (account.state === "leaving") return { account, isOver: (account.leavingUntil ?? 0) <= now };
  const { subscriptions, customers, sessions, activities, devices, usage, unconfirmed, open } = rows;
  const running = runningSubscription(subscriptions);
  return {
    account,
    plan: planFacts(app.product, account, {
      running,
      unconfirmed: unconfirmed.map(readOrder)[0] ?? null,
      open: open.map(readOrder)[0] ?? null,
      creditMinor: customers[0]?.creditMinor ?? 0,
      now,
    }),
    sessions: sessions.map((row) => ({ ...row, isThis: row.id === session.id })),
    passkeys: await showPasskeys(app, viewer, rows.passkeys),
    device: describeVisitor(request).device,
    activities,
    isWhole: isWhole || activities.length < recentActivities,
    // There may be more than fit on one page.
    isCut: activities.length === listedActivitiesMax,
    typed: typedBefore(viewer, rows.proofs[0], now),
    restoreDays: restoreMs / dayMs,
    start: { ...app.product.start, product: app.product.name },
    devices: deviceFacts(app.product, { planId: running?.planId, used: devices.length, usage, month }),
    theme: readCookie(request, "theme") ?? "system",
    locales: localeOptions(),
    timeZones: listTimeZones(account.timeZone),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const viewer = await signedIn(context).viewer;
  const form = readForm(context, overviewForm);
  if (!form.ok) return data(form.refusal, { status: form.refusal.status });
  const fields = form.value;
  const asked = { app, request, viewer, fields };
  const isAboutClosing = fields.intent === "restore" || fields.intent === "delete";
  if (viewer.account.state === "leaving" && !isAboutClosing) {
    return answerSensitive(asked, refused({ reason: "account-leaving" }));
  }
  switch (fields.intent) {
    case "profile":
      await saveProfile(app, viewer, fields);
      return back(fields.intent);
    case "mails":
      await switchEmails(app, viewer, fields);
      return back(fields.intent);
    case "change-email":
      return askForAddressChange(app, request, viewer, fields.email);
    case "end-session":
      return answerSensitive(asked, await endOtherSession(app, viewer, readId("ses", fields.session) ?? noSession));
    case "end-other-sessions":
      return answerSensitive(asked, await endOtherSessions(app, viewer));
    case "delete":
      return answerSensitive(asked, await closeAccount(app, viewer));
    case "restore":
      return answerSensitive(asked, await restoreAccount(app, viewer));
    case "add-passkey": {
      const { intent, name, passkey: text } = fields;
      const { device } = describeVisitor(request);
      // A passkey created after re-authentication has expired isn't stored: the user is asked again.
      const again = { ...asked, fields: { intent, name } };
      return answerSensitive(again, await addPasskey(app, viewer, { name, text, device }));
    }
    case "remove-passkey":
      return answerSensitive(asked, await removePasskey(app, viewer, readId("pky", fields.passkey) ?? noPasskey));
    case "appearance": {
      const { theme } = fields;
      return back(fields.intent, theme === "system" ? endedCookie("theme") : themeCookie(theme));
    }
  }
}

export default function You({ loaderData: page, actionData: refusal }: Route.ComponentProps) {
  const messages = useMessages(overviewMessages);
  if (page.isOver !== undefined) {
    return (
      <ClosedAccountPage page={page}>
        <Refused refusal={refusal} />
      </ClosedAccountPage>
    );
  }
  return (
    <OverviewPage title={messages.title} lead={messages.lead(page.account.email)} typed={page.typed} refusal={refusal}>
      <Refused refusal={refusal} />
      <PlanAndDevices {...page} />
      <Profile
        account={page.account}
        locales={page.locales}
        timeZones={page.timeZones}
        refusal={refusedIn("profile", refusal)}
      />
      <EmailAddressCard account={page.account} typed={page.typed.email} refusal={refusal} />
      <OptionalEmails account={page.account} />
      <Passkeys
        account={page.account}
        passkeys={page.passkeys}
        device={page.device}
        typedName={page.typed.intent === "add-passkey" ? page.typed.name : undefined}
        refusal={refusedIn("add-passkey", refusal)}
      />
      <SignedInBrowsers sessions={page.sessions} account={page.account} />
      <Activity activities={page.activities} isWhole={page.isWhole} isCut={page.isCut} account={page.account} />
      <Appearance theme={page.theme} />
      <AllMyData />
      <CloseAccount
        planName={page.plan.runningName}
        restoreDays={page.restoreDays}
        isOpen={page.typed.intent === "delete"}
      />
    </OverviewPage>
  );
}

/** Two forms of this page have a `name` field; a refusal of one doesn't concern the other. */
function refusedIn(intent: string, refusal: Route.ComponentProps["actionData"]) {
  return refusal?.reason === "invalid-fields" && refusal.typed.intent === intent ? refusal : undefined;
}
