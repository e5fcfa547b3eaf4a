import type { Account } from "#app/modules/accounts/rules.ts";
import { differing, withDefaults } from "#app/features/preferences/preferences.rules.ts";
import type { Preference } from "../preferences.rules.ts";
import type { StoredPreferences } from "#app/features/preferences/queries.server.ts";
import { sayPreference } from "./field.tsx";
import { preferencesMessages } from "./messages.ts";

export type ShownPreferences = ReturnType<typeof shownPreferences>;

export function shownPreferences(preferences: readonly Preference[], stored: StoredPreferences, { locale }: Account) {
  const { chosen, version, updatedAt, byDevices } = stored;
  const values = withDefaults(preferences, chosen);
  const before = withDefaults(preferences, byDevices?.before ?? chosen);
  const say = (preference: Preference, from: typeof values) =>
    sayPreference(preferencesMessages.en, preference, from[preference.key], locale);
  const changes = differing(preferences, before, values).map((preference) => ({
    label: preference.label,
    from: say(preference, before),
    to: say(preference, values),
  }));
  const device = byDevices?.device ?? null;
  return { values, version, updatedAt, byDevices: changes.length === 0 ? null : { device, changes } };
}
