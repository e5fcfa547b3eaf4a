import { data, redirect } from "react-router";
import { appContext } from "#app/context.ts";
import { endedCookie, flashCookie, readCookie, themeCookie } from "#app/request/cookies.ts";
import { youForm } from "#app/domain/accounts/rules.ts";
import { saveProfile } from "#app/domain/accounts/save-profile.server.ts";
import { listSessions } from "#app/domain/accounts/store.server.ts";
import { runningSubscription } from "#app/domain/plans/rules.ts";
import { listSubscriptions, readSubscription } from "#app/domain/plans/store.server.ts";
import { findPlan, freePlan, segmentPath } from "#app/domain/product/rules.ts";
import { FormRefusalNotice } from "#app/request/form-refusal.tsx";
import { readForm } from "#app/request/read-form.ts";
import { signedIn } from "#app/request/signed-in.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { useWords } from "#app/ui/language.ts";
import { Moment } from "#app/ui/moment.tsx";
import { SectionCard } from "#app/ui/section-card.tsx";
import { SettingsPage } from "#app/ui/settings-shell.tsx";
import type { Route } from "./+types/you";
import { HandOver } from "./hand-over.tsx";
import { youWords } from "./you.words.ts";
import { Appearance, Profile, SignedInBrowsers } from "./you-cards.tsx";

export const meta: Route.MetaFunction = () => [{ title: youWords.en.title }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { account, session } = signedIn(context);
  const [subscriptions, sessions] = await app.db.batch([
    listSubscriptions(app.db, account.id),
    listSessions(app.db, account.id, app.clock()),
  ]);
  const running = runningSubscription(subscriptions.map(readSubscription));
  const plan = findPlan(app.product, running?.planId) ?? freePlan(app.product);
  return {
    account,
    plan: { name: plan.name, periodEndsAt: running?.periodEndsAt ?? null, cancelsAt: running?.cancelsAt ?? null },
    sessions: sessions.map((row) => ({ ...row, isThis: row.id === session.id })),
    start: { ...app.product.start, product: app.product.name },
    planPath: segmentPath(app.product, "plan"),
    theme: readCookie(request, "theme") ?? "system",
    timeZones: Intl.supportedValuesOf("timeZone"),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, youForm);
  if (!form.ok) return data(form.refusal, { status: form.refusal.status });
  const headers = new Headers();
  switch (form.value.intent) {
    case "profile":
      await saveProfile(context.get(appContext), signedIn(context).account.id, form.value);
      headers.append("Set-Cookie", flashCookie("profile-saved"));
      break;
    case "appearance": {
      const { theme } = form.value;
      headers.append("Set-Cookie", theme === "system" ? endedCookie("theme") : themeCookie(theme));
      headers.append("Set-Cookie", flashCookie("appearance-saved"));
    }
  }
  return redirect("/settings", { status: 303, headers });
}

export default function You({ loaderData: page, actionData: refusal }: Route.ComponentProps) {
  const words = useWords(youWords);
  return (
    <SettingsPage title={words.title} lead={words.lead(page.account.email)}>
      <FormRefusalNotice refusal={refusal} problems={words.problems} />
      <PlanCard page={page} />
      <HandOver start={page.start} />
      <Profile account={page.account} timeZones={page.timeZones} refusal={refusal} />
      <SignedInBrowsers sessions={page.sessions} account={page.account} />
      <Appearance theme={page.theme} />
    </SettingsPage>
  );
}

function PlanCard({ page }: { page: Route.ComponentProps["loaderData"] }) {
  const { plan: words } = useWords(youWords);
  const { plan, account } = page;
  const at = plan.cancelsAt ?? plan.periodEndsAt;
  const says = plan.cancelsAt ? words.ends(plan.name) : words.renews(plan.name);
  return (
    <SectionCard
      title={words.title}
      footer={
        <LinkButton to={at ? page.planPath : "/settings/upgrade"}>{at ? words.manage : words.upgrade}</LinkButton>
      }
    >
      <p>
        {at ? says : words.free(plan.name)}
        {at && <Moment at={at} timeZone={account.timeZone} locale={account.locale} />}
      </p>
    </SectionCard>
  );
}
