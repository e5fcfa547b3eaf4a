import { data, Form, redirect } from "react-router";
import { appContext } from "#app/context.ts";
import { flashCookie } from "#app/request/cookies.ts";
import { type PreferenceValue, preferencesForm, withDefaults } from "#app/domain/product/preferences.rules.ts";
import { type Preference, segmentPath } from "#app/domain/product/rules.ts";
import { savePreferences } from "#app/domain/product/save-preferences.server.ts";
import { findPreferences } from "#app/domain/product/store.server.ts";
import { FormRefusalNotice, useRefusedFields } from "#app/request/form-refusal.tsx";
import { readForm } from "#app/request/read-form.ts";
import { signedIn } from "#app/request/signed-in.ts";
import { Button } from "#app/ui/button.tsx";
import { NumberField, SelectField, SwitchField } from "#app/ui/field.tsx";
import { useWords } from "#app/ui/language.ts";
import { Moment } from "#app/ui/moment.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { SectionCard } from "#app/ui/section-card.tsx";
import { SettingsPage } from "#app/ui/settings-shell.tsx";
import { usePending } from "#app/ui/use-pending.ts";
import type { Route } from "./+types/preferences";
import { preferencesWords } from "./preferences.words.ts";

export { clientAction } from "#app/request/keep-form.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: preferencesWords.en.title(loaderData?.product ?? "") },
];

export async function loader({ context }: Route.LoaderArgs) {
  const { db, product } = context.get(appContext);
  const { account } = signedIn(context);
  const stored = await findPreferences(db, account.id);
  return {
    product: product.name,
    account,
    schema: product.preferences,
    values: withDefaults(product.preferences, stored.chosen),
    version: stored.version,
    updatedAt: stored.updatedAt,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { account } = signedIn(context);
  const form = await readForm(request, preferencesForm(app.product.preferences));
  if (!form.ok) return data(form.refusal, { status: form.refusal.status });
  const { intent: _, version, ...chosen } = form.value;
  const saved = await savePreferences(app, account.id, chosen, version === undefined ? null : Number(version));
  if (!saved.ok) return data(saved.refusal, { status: 412 });
  const headers = { "Set-Cookie": flashCookie("preferences-saved") };
  return redirect(segmentPath(app.product, "settings"), { status: 303, headers });
}

export default function PreferencesPage({ loaderData: page, actionData: refusal }: Route.ComponentProps) {
  const words = useWords(preferencesWords);
  const pending = usePending();
  const { problemOf, typedIn } = useRefusedFields(refusal, words.problems);
  const isStale = refusal?.reason === "changed-elsewhere";
  return (
    <SettingsPage title={words.title(page.product)} lead={words.lead}>
      {isStale ? (
        <Notice kind="attention" title={words.changedElsewhere.title} live isRefusal>
          {words.changedElsewhere.text}
        </Notice>
      ) : (
        <FormRefusalNotice refusal={refusal} problems={words.problems} />
      )}
      <SectionCard title={words.card}>
        <Form method="post" className="stack" key={page.version}>
          <input type="hidden" name="version" value={page.version} />
          {page.schema.map((preference) => (
            <PreferenceField
              key={preference.key}
              preference={preference}
              value={typedIn(preference.key) ?? page.values[preference.key]}
              error={problemOf(preference.key)}
            />
          ))}
          <div className="row">
            <Button kind="primary" name="intent" value="save" pending={pending} pendingLabel={words.pending}>
              {words.save}
            </Button>
            {page.updatedAt !== null && (
              <span className="quiet">
                {words.changedAt}
                <Moment
                  at={page.updatedAt}
                  timeZone={page.account.timeZone}
                  locale={page.account.locale}
                  style="date-time"
                />
              </span>
            )}
          </div>
        </Form>
      </SectionCard>
    </SettingsPage>
  );
}

type FieldProps = { preference: Preference; value: PreferenceValue | undefined; error: string | undefined };

function PreferenceField({ preference, value, error }: FieldProps) {
  const { key: name, label, hint } = preference;
  switch (preference.kind) {
    case "choice":
      return (
        <SelectField {...{ name, label, hint, error }} defaultValue={String(value)} options={[...preference.options]} />
      );
    case "number":
      return (
        <NumberField
          {...{ name, label, hint, error }}
          defaultValue={Number(value)}
          min={preference.min}
          max={preference.max}
        />
      );
    case "switch":
      return <SwitchField {...{ name, label, hint, error }} value="on" defaultChecked={value === true} />;
  }
}
