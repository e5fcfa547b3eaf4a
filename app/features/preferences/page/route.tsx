import { readerOf } from "#app/core/time/time.ts";
import { data, Form, redirect, useLocation } from "react-router";
import { appContext } from "#app/http/request/contexts.ts";
import { flashCookie } from "#app/http/request/cookies.ts";
import {
  mergeChosen,
  type Preferences,
  preferencesForm,
  preferencesOf,
  preferencesOn,
} from "#app/features/preferences/preferences.rules.ts";
import { planInForce } from "#app/modules/catalogue/catalogue.rules.ts";
import { runningSubscription, type Subscription } from "#app/modules/billing/subscriptions/rules.ts";
import { listSubscriptions } from "#app/modules/billing/subscriptions/queries.server.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import type { Preference } from "../preferences.rules.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { changePreferencesByOwner } from "#app/features/preferences/commands/change-preferences-by-owner.server.ts";
import { readOwnPreferences } from "#app/features/preferences/reads/read-own-preferences.server.ts";
import { FormRefusalNotice, type Problems, useRefusedFields } from "#app/http/forms/form-refusal.tsx";
import { pageTitle } from "#app/http/page/page-title.ts";
import { readForm } from "#app/http/forms/read-form.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { EmptyState } from "#app/ui/components/feedback/empty-state.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { SettingsPage } from "#app/ui/components/layout/settings-shell.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import type { Route } from "./+types/route";
import { ChangedByDevices, ChangedElsewhere } from "./changes.tsx";
import { PreferenceField, sayPreference, sayRange } from "./field.tsx";
import { preferencesMessages } from "./messages.ts";
import { shownPreferences } from "./page-data.ts";

export { clientAction } from "#app/client/keep-form.ts";

export const meta: Route.MetaFunction = ({ matches }) => [{ title: pageTitle(preferencesMessages.en.title, matches) }];

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { accountId, viewer } = signedIn(context);
  const [{ stored, subscriptions }, { account }] = await Promise.all([readOwnPreferences(app, accountId), viewer]);
  const schema = schemaFor(app.product, subscriptions);
  return {
    product: app.product.name,
    reader: readerOf(account),
    schema,
    stored: shownPreferences(schema, stored, account),
  };
}

export async function action({ context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { account } = await signedIn(context).viewer;
  const schema = schemaFor(app.product, await listSubscriptions(app.db, account.id));
  const form = readForm(context, preferencesForm(schema));
  if (!form.ok) return data(form.refusal, { status: form.refusal.status });
  const { intent: _, version, shown, ...fields } = form.value;
  const chosen: Preferences = fields;
  const saved = await changePreferencesByOwner(app, account.id, chosen, version === undefined ? null : Number(version));
  if (!saved.ok) {
    // Includes the stored values, since a refused page isn't revalidated.
    const current = shownPreferences(schema, saved.refusal.current, account);
    const merge = mergeChosen(schema, { shown, chosen, current: current.values });
    return data({ reason: saved.refusal.reason, ...merge, current }, { status: 412 });
  }
  const headers = { "Set-Cookie": flashCookie("preferences-saved") };
  return redirect(segmentPath(app.product, "settings"), { status: 303, headers });
}

/** The preferences, with the values that the user's current plan allows. */
function schemaFor(product: ProductConfig, subscriptions: Subscription[]): Preference[] {
  const running = runningSubscription(subscriptions);
  return preferencesOn(preferencesOf(product), planInForce(product, running?.planId));
}

export default function PreferencesPage(props: Route.ComponentProps) {
  const messages = useMessages(preferencesMessages);
  const { product, schema } = props.loaderData;
  if (schema.length > 0) return <Choose {...props} />;
  return (
    <SettingsPage title={messages.title} lead={messages.none.lead}>
      <EmptyState title={messages.none.title}>{messages.none.text(product)}</EmptyState>
    </SettingsPage>
  );
}

function Choose({ loaderData: page, actionData: refusal }: Route.ComponentProps) {
  const messages = useMessages(preferencesMessages);
  const { pathname } = useLocation();
  const { locale, timeZone } = page.reader;
  const pending = usePending();
  const stale = refusal && "current" in refusal ? refusal : null;
  const fieldRefusal = refusal && !("current" in refusal) ? refusal : undefined;
  const problems = problemsOf(messages, page.schema, locale);
  const labels = Object.fromEntries(page.schema.map(({ key, label }) => [key, label]));
  const { problemOf, typedIn } = useRefusedFields(fieldRefusal, problems);
  const saved = stale?.current ?? page.stored;
  // A form refused for a field keeps the version it was based on.
  const version = typedIn("version") ?? saved.version;
  const shown = typedIn("shown") ?? JSON.stringify(saved.values);
  const notice = (preference: Preference, { taken, inConflict }: ReturnType<typeof mergeChosen>) => {
    if (taken.includes(preference.key)) return messages.taken;
    if (!inConflict.includes(preference.key)) return undefined;
    return messages.currentValue(sayPreference(messages, preference, saved.values[preference.key], locale));
  };
  return (
    <SettingsPage title={messages.title} lead={messages.lead}>
      {stale && <ChangedElsewhere path={pathname} />}
      <FormRefusalNotice refusal={fieldRefusal} problems={problems} labels={labels} />
      <ChangedByDevices saved={saved} reader={page.reader} />
      <SectionCard title={messages.card}>
        <Form method="post" className="stack form-rows" noValidate key={`${saved.version} ${stale ? "again" : ""}`}>
          <input type="hidden" name="version" value={version} />
          <input type="hidden" name="shown" value={shown} />
          {page.schema.map((preference) => {
            const { key } = preference;
            // An unchecked switch isn't part of the submitted form.
            const isSwitchTyped = preference.kind === "switch" && typedIn("intent") !== undefined;
            const typed = isSwitchTyped ? typedIn(key) === "on" : typedIn(key);
            return (
              <PreferenceField
                key={key}
                preference={preference}
                locale={locale}
                value={typed ?? (stale?.merged ?? saved.values)[key]}
                notice={stale ? notice(preference, stale) : undefined}
                error={problemOf(key)}
              />
            );
          })}
          <div className="row">
            <Button kind="primary" name="intent" value="save" pending={pending} pendingLabel={messages.pending}>
              {stale ? messages.saveAgain : messages.save}
            </Button>
            {saved.updatedAt !== null && (
              <span className="quiet">
                {messages.changedAt}
                <Moment at={saved.updatedAt} timeZone={timeZone} locale={locale} style="date-time" />
              </span>
            )}
          </div>
        </Form>
      </SectionCard>
    </SettingsPage>
  );
}

/** The message for an invalid number states the allowed range. */
function problemsOf(
  messages: (typeof preferencesMessages)["en"],
  schema: readonly Preference[],
  locale: string,
): Problems {
  const rangeOf = (problem: keyof typeof messages.problems) => (field: string) => {
    const preference = schema.find(({ key }) => key === field);
    return preference?.kind === "number"
      ? messages.outOfRange(...sayRange(preference, locale))
      : messages.problems[problem];
  };
  return {
    ...messages.problems,
    "preference-not-a-number": rangeOf("preference-not-a-number"),
    "preference-out-of-range": rangeOf("preference-out-of-range"),
  };
}
