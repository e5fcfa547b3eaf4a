import { changePreferencesByDevice } from "#app/features/preferences/commands/change-preferences-by-device.server.ts";
import { findDevicePreferences } from "#app/features/preferences/reads/find-device-preferences.server.ts";
import {
  type Preferences,
  preferencesAnswer,
  preferencesBody,
  preferencesOf,
} from "#app/features/preferences/preferences.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { answerUnlessKnown, describeUnlessKnown, etagOf, isNamed, refuseToken } from "#app/api/answers.ts";
import { type Call, describeCall } from "#app/api/call.ts";
import { problem } from "#app/api/problems.ts";

/** The preferences of all devices, by the schema of the config. The path `/settings` is part of the API, which has no other name for them. */
export function preferencesCalls(product: ProductConfig): Call[] {
  const preferences = preferencesOf(product);
  const whole = preferencesAnswer(preferences);
  const show = describeCall({
    method: "GET",
    path: "/settings",
    caller: "device",
    summary: "The settings of all devices of the account; a change needs its ETag",
    body: null,
    ...describeUnlessKnown("All settings", whole, "Your copy is current"),
    problems: [],
    async run(app, { request, callerId }) {
      const found = await findDevicePreferences(app, callerId);
      return found ? answerUnlessKnown(request, await nameOf(found), async () => found.values) : refuseToken();
    },
  });
  const change = describeCall({
    method: "PUT",
    path: "/settings",
    caller: "device",
    summary: "Changes settings for all devices of the account; those that are left out stay",
    body: preferencesBody(preferences),
    headers: [{ name: "If-Match", what: "The ETag of the settings that the change is made to", required: true }],
    answers: [{ status: 200, what: "All settings, as they are now", body: whole, headers: ["ETag"] }],
    problems: ["if-match-missing", "changed-elsewhere"],
    async run(app, { request, callerId, body }) {
      const seen = await findDevicePreferences(app, callerId);
      if (!seen) return refuseToken();
      const names = request.headers.get("If-Match");
      if (names === null) return problem("if-match-missing");
      if (!isNamed(names, await nameOf(seen))) return tooLate(seen);
      // The body's schema has rejected everything else.
      const changed = await changePreferencesByDevice(app, callerId, seen, body as Preferences);
      if (changed.ok)
        return { status: 200, body: changed.value.values, headers: { ETag: await nameOf(changed.value) } };
      return changed.refusal.reason === "device-unknown" ? refuseToken() : tooLate(changed.refusal.current);
    },
  });
  return [show, change];
}

type PresentPreferences = { version: number; values: Preferences };

/** A strong ETag, as `If-Match` requires; one weakened on its way is accepted, too (`isNamed`). */
async function nameOf({ version, values }: PresentPreferences): Promise<string> {
  return (await etagOf([version, values])).replace("W/", "");
}

async function tooLate(current: PresentPreferences) {
  return problem("changed-elsewhere", { current: current.values, headers: { ETag: await nameOf(current) } });
}
