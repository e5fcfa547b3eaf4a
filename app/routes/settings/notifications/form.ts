import * as v from "valibot";
import type { EmailKind } from "#app/modules/email/rules.ts";
import { inPlace } from "../account-forms/in-place.ts";

/** For an unchecked checkbox the browser sends nothing. */
const emailSwitch = v.pipe(
  v.optional(v.picklist(["on", "off"], "switch-unknown"), "off"),
  v.transform((sent) => sent === "on"),
);
const emailSwitches = { renewals: emailSwitch, rewards: emailSwitch, usage: emailSwitch } satisfies Record<
  EmailKind,
  typeof emailSwitch
>;

/** Which optional emails are sent. */
export const notificationsForm = v.variant(
  "intent",
  [v.object({ intent: v.literal("mails"), ...emailSwitches, inPlace })],
  "intent-unknown",
);
