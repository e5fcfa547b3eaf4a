/**
 * Decides what the forms of the account pages accept: profile, security, notifications and data, and the overview of a closed account.
 * Called from those pages' actions.
 */
import * as v from "valibot";
import { readTimeZone } from "#app/core/time/time-zone.ts";
import { text } from "#app/core/text/text.ts";
import type { EmailKind } from "#app/modules/email/rules.ts";
import { emailField, localesOf, passkeyAnswer } from "./rules.ts";

const zoneField = v.pipe(
  text({ missing: "time-zone-unknown", malformed: "time-zone-unknown" }),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const zone = readTimeZone(dataset.value);
    if (zone) return zone;
    addIssue({ message: "time-zone-unknown" });
    return NEVER;
  }),
);

/** For an unchecked checkbox the browser sends nothing. */
const emailSwitch = v.pipe(
  v.optional(v.picklist(["on", "off"], "switch-unknown"), "off"),
  v.transform((sent) => sent === "on"),
);
const emailSwitches = { renewals: emailSwitch, rewards: emailSwitch, usage: emailSwitch } satisfies Record<
  EmailKind,
  typeof emailSwitch
>;

/** The script that saves a field as it changes sends this, so that the answer isn't a redirect. */
const inPlace = v.optional(v.literal("on", "switch-unknown"));

/** Characters of a name: the profile's, and a passkey's. */
export const nameLengthMax = 80;

/** Name, formats and time zone; the theme of this browser. */
export const profileForm = (product: { locale: string }) =>
  v.variant(
    "intent",
    [
      v.object({
        intent: v.literal("profile"),
        name: v.pipe(text({ missing: "name-missing" }), v.maxLength(nameLengthMax, "name-too-long")),
        locale: v.optional(v.picklist(localesOf(product), "locale-unknown")),
        timeZone: zoneField,
      }),
      v.object({
        intent: v.literal("appearance"),
        theme: v.picklist(["system", "light", "dark"], "theme-unknown"),
        inPlace,
      }),
    ],
    "intent-unknown",
  );

/** Email address, passkeys and sessions. */
export const securityForm = v.variant(
  "intent",
  [
    v.object({ intent: v.literal("change-email"), email: emailField }),
    v.object({ intent: v.literal("end-session"), session: v.pipe(text(), v.maxLength(100, "too-long")) }),
    v.object({ intent: v.literal("end-other-sessions") }),
    v.object({
      intent: v.literal("add-passkey"),
      name: v.optional(v.pipe(text(), v.maxLength(nameLengthMax, "name-too-long")), ""),
      passkey: passkeyAnswer,
    }),
    v.object({ intent: v.literal("remove-passkey"), passkey: v.pipe(text(), v.maxLength(100, "too-long")) }),
    /** The offer on the overview, in this browser. */
    v.object({ intent: v.literal("decline-passkey") }),
  ],
  "intent-unknown",
);

/** Which optional emails are sent. */
export const notificationsForm = v.variant(
  "intent",
  [v.object({ intent: v.literal("mails"), ...emailSwitches, inPlace })],
  "intent-unknown",
);

/** Closing and restoring the account. */
export const dataForm = v.variant(
  "intent",
  [v.object({ intent: v.picklist(["delete", "restore"]) })],
  "intent-unknown",
);

/** The overview of a closed account has no form but the one that restores it. */
export const restoreForm = v.variant("intent", [v.object({ intent: v.literal("restore") })], "intent-unknown");

export type AccountFields = v.InferOutput<
  ReturnType<typeof profileForm> | typeof securityForm | typeof notificationsForm | typeof dataForm
>;
