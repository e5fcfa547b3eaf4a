/**
 * Decides what the forms of the account pages accept: profile, security, notifications and data. `POST /settings` accepts all of them, with
 * the same intents and fields. Called from those pages' actions.
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

const profileForms = (product: { locale: string }) =>
  [
    v.object({
      intent: v.literal("profile"),
      name: v.pipe(text({ missing: "name-missing" }), v.maxLength(80, "name-too-long")),
      locale: v.optional(v.picklist(localesOf(product), "locale-unknown")),
      timeZone: zoneField,
    }),
    v.object({
      intent: v.literal("appearance"),
      theme: v.picklist(["system", "light", "dark"], "theme-unknown"),
      inPlace,
    }),
  ] as const;

const securityForms = [
  v.object({ intent: v.literal("change-email"), email: emailField }),
  v.object({ intent: v.literal("end-session"), session: v.pipe(text(), v.maxLength(100, "too-long")) }),
  v.object({ intent: v.literal("end-other-sessions") }),
  v.object({
    intent: v.literal("add-passkey"),
    name: v.optional(v.pipe(text(), v.maxLength(80, "name-too-long")), ""),
    passkey: passkeyAnswer,
  }),
  v.object({ intent: v.literal("remove-passkey"), passkey: v.pipe(text(), v.maxLength(100, "too-long")) }),
] as const;

const notificationsForms = [
  v.object({
    intent: v.literal("mails"),
    ...emailSwitches,
    inPlace,
  }),
] as const;

const dataForms = [v.object({ intent: v.picklist(["delete", "restore"]) })] as const;

/** Name, formats and time zone; the theme of this browser. */
export const profileForm = (product: { locale: string }) =>
  v.variant("intent", [...profileForms(product)], "intent-unknown");

/** Email address, passkeys and sessions. */
export const securityForm = v.variant("intent", [...securityForms], "intent-unknown");

/** Which optional emails are sent. */
export const notificationsForm = v.variant("intent", [...notificationsForms], "intent-unknown");

/** Closing and restoring the account. */
export const dataForm = v.variant("intent", [...dataForms], "intent-unknown");

/** `POST /settings`: every form of the account pages; the intent decides which fields apply. */
export const overviewForm = (product: { locale: string }) =>
  v.variant(
    "intent",
    [...profileForms(product), ...securityForms, ...notificationsForms, ...dataForms],
    "intent-unknown",
  );

export type AccountFields = v.InferOutput<ReturnType<typeof overviewForm>>;
