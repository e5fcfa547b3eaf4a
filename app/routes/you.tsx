import { data, redirect } from "react-router";
import { type App, appContext } from "#app/context.ts";
import { endedCookie, flashCookie, readCookie, themeCookie } from "#app/request/cookies.ts";
import { listedActivitiesMax, recentActivities } from "#app/domain/accounts/activities.rules.ts";
import { listActivities, readActivity } from "#app/domain/accounts/activities.store.server.ts";
import { endOtherSession, endOtherSessions, type EndRefusal } from "#app/domain/accounts/end-session.server.ts";
import { locales, typedBefore, type Viewer, youForm } from "#app/domain/accounts/rules.ts";
import { saveProfile } from "#app/domain/accounts/save-profile.server.ts";
import { listSessions } from "#app/domain/accounts/store.server.ts";
import { findCode, readCode } from "#app/domain/codes/store.server.ts";
import { leaveAccount } from "#app/domain/leaving/leave-account.server.ts";
import { restoreAccount } from "#app/domain/leaving/restore-account.server.ts";
import { restoreMs } from "#app/domain/leaving/rules.ts";
import { hashToken } from "#app/domain/kernel/digest.ts";
import type { Result } from "#app/domain/kernel/result.ts";
import { dayMs } from "#app/domain/kernel/time.ts";
import { runningSubscription } from "#app/domain/plans/rules.ts";
import { listSubscriptions, readSubscription } from "#app/domain/plans/store.server.ts";
import { findPlan, freePlan, segmentPath } from "#app/domain/product/rules.ts";
import { askForAddressChange, askForFreshProof } from "#app/request/ask-for-code.ts";
import { FormRefusalNotice } from "#app/request/form-refusal.tsx";
import { readForm } from "#app/request/read-form.ts";
import { signedIn } from "#app/request/signed-in.ts";
import type { FlashWord } from "#app/root.words.ts";
import { useWords } from "#app/ui/language.ts";
import { Notice } from "#app/ui/notice.tsx";
import { SettingsPage } from "#app/ui/settings-shell.tsx";
import type { Route } from "./+types/you";
import { HandOver } from "./hand-over.tsx";
import { youWords } from "./you.words.ts";
import { EmailAddressCard } from "./you-email.tsx";
import { AllMyData, Leaving, LeavingPage, LeavingRefused } from "./you-leaving.tsx";
import { isAboutLeaving, type LeavingRefusal, leavingRefusalStatus } from "./you-leaving.words.ts";
import { PlanCard } from "./you-plan.tsx";
import { Appearance, Profile } from "./you-profile.tsx";
import { Activity, SignedInBrowsers } from "./you-sessions.tsx";

export { passHeaders as headers } from "#app/request/pass-headers.ts";

export const meta: Route.MetaFunction = () => [{ title: youWords.en.title }];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const viewer = signedIn(context);
  const { account, session } = viewer;
  const now = app.clock();
  if (account.state === "leaving") return { account, isOver: (account.leavingUntil ?? 0) <= now };
  const isWhole = url.searchParams.get("activity") === "all";
  const browserHash = await hashToken(readCookie(request, "browser") ?? "");
  const [subscriptions, sessions, activities, [proof]] = await app.db.batch([
    listSubscriptions(app.db, account.id),
    listSessions(app.db, account.id, now),
    listActivities(app.db, account.id, isWhole ? listedActivitiesMax : recentActivities),
    findCode(app.db, url.searchParams.get("continue") ?? "", browserHash),
  ]);
  const running = runningSubscription(subscriptions.map(readSubscription));
  const plan = findPlan(app.product, running?.planId) ?? freePlan(app.product);
  return {
    account,
    plan: { name: plan.name, periodEndsAt: running?.periodEndsAt ?? null, cancelsAt: running?.cancelsAt ?? null },
    sessions: sessions.map((row) => ({ ...row, isThis: row.id === session.id })),
    activities: activities.map(readActivity),
    isWhole,
    typed: typedBefore(viewer, proof && readCode(proof), now),
    restoreDays: restoreMs / dayMs,
    start: { ...app.product.start, product: app.product.name },
    planPath: segmentPath(app.product, "plan"),
    theme: readCookie(request, "theme") ?? "system",
    locales: locales.map((locale) => ({ value: locale, label: nameLocale(locale) })),
    timeZones: Intl.supportedValuesOf("timeZone"),
  };
}

/** "British English: 20 November 2026": what a choice would make of a day. */
function nameLocale(locale: string): string {
  const sample = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(Date.UTC(2026, 10, 20));
  return `${new Intl.DisplayNames("en", { type: "language" }).of(locale)}: ${sample}`;
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const viewer = signedIn(context);
  const form = await readForm(request, youForm);
  if (!form.ok) return data(form.refusal, { status: form.refusal.status });
  const fields = form.value;
  const asked = { app, request, viewer, fields };
  if (viewer.account.state === "leaving" && fields.intent !== "restore") return refuse({ reason: "account-leaving" });
  switch (fields.intent) {
    case "profile":
      await saveProfile(app, viewer.account.id, fields);
      return back("profile-saved");
    case "change-email":
      return askForAddressChange(app, request, viewer, fields.email);
    case "end-session":
      return answerSensitive(asked, await endOtherSession(app, viewer, fields.session), {
        flash: "session-ended",
        place: "sessions",
      });
    case "end-other-sessions":
      return answerSensitive(asked, await endOtherSessions(app, viewer), {
        flash: "other-sessions-ended",
        place: "sessions",
      });
    case "delete":
      return answerSensitive(asked, await leaveAccount(app, viewer), { flash: "leaving-begun", place: "leaving" });
    case "restore":
      return answerSensitive(asked, await restoreAccount(app, viewer), { flash: "restored", place: "leaving" });
    case "appearance": {
      const { theme } = fields;
      return back("appearance-saved", theme === "system" ? endedCookie("theme") : themeCookie(theme));
    }
  }
}

function back(flash: FlashWord, cookie?: string) {
  const headers = new Headers({ "Set-Cookie": flashCookie(flash) });
  if (cookie) headers.append("Set-Cookie", cookie);
  return redirect("/settings", { status: 303, headers });
}

type Asked = { app: App; request: Request; viewer: Viewer; fields: { intent: string } };

/** What matters is done, or a fresh proof comes first, after which the person is back at that part of the page. */
function answerSensitive(
  asked: Asked,
  outcome: Result<unknown, EndRefusal | LeavingRefusal>,
  next: { flash: FlashWord; place: string },
) {
  if (outcome.ok) return back(next.flash);
  const { app, request, viewer, fields } = asked;
  switch (outcome.refusal.reason) {
    case "proof-stale":
      return askForFreshProof(app, request, viewer, { to: `/settings#${next.place}`, typed: fields });
    case "session-unknown":
      return data({ reason: "session-unknown" as const }, { status: 404 });
    default:
      return refuse(outcome.refusal);
  }
}

function refuse(refusal: LeavingRefusal) {
  return data(refusal, { status: leavingRefusalStatus(refusal) });
}

export default function You({ loaderData: page, actionData: refusal }: Route.ComponentProps) {
  const words = useWords(youWords);
  if (page.isOver !== undefined) {
    return (
      <LeavingPage page={page}>
        <Refused refusal={refusal} />
      </LeavingPage>
    );
  }
  return (
    <SettingsPage title={words.title} lead={words.lead(page.account.email)}>
      <Refused refusal={refusal} />
      <PlanCard plan={page.plan} account={page.account} planPath={page.planPath} />
      <HandOver start={page.start} />
      <Profile account={page.account} locales={page.locales} timeZones={page.timeZones} refusal={refusal} />
      <EmailAddressCard account={page.account} typed={page.typed.email} refusal={refusal} />
      <SignedInBrowsers sessions={page.sessions} account={page.account} />
      <Activity activities={page.activities} isWhole={page.isWhole} account={page.account} />
      <Appearance theme={page.theme} />
      <AllMyData />
      <Leaving
        planName={page.plan.periodEndsAt === null ? null : page.plan.name}
        restoreDays={page.restoreDays}
        isOpen={page.typed.intent === "delete"}
      />
    </SettingsPage>
  );
}

function Refused({ refusal }: { refusal: Route.ComponentProps["actionData"] }) {
  const { problems } = useWords(youWords);
  if (refusal && isAboutLeaving(refusal)) return <LeavingRefused refusal={refusal} />;
  if (refusal?.reason !== "session-unknown") return <FormRefusalNotice refusal={refusal} problems={problems} />;
  return (
    <Notice kind="problem" live>
      {problems["session-unknown"]}
    </Notice>
  );
}
