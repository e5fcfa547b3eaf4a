import * as v from "valibot";
import { isEmptyOrShown, printable, text, withoutInvisible } from "#app/core/text/text.ts";
import { emailField } from "#app/modules/accounts/rules.ts";
import {
  cancellationKinds,
  causeLengthMax,
  lineLengthMax,
} from "#app/modules/billing/cancellations/cancellations.rules.ts";

/** As it is typed: whatever it looks like, it may be a declaration. The confirmation repeats none of it. */
function typedLine<const Name extends string>(name: Name) {
  return v.pipe(
    text({ missing: `${name}-missing`, malformed: `${name}-malformed` }),
    v.nonEmpty(`${name}-missing`),
    v.maxLength(lineLengthMax, `${name}-too-long`),
  );
}

/** A reason of several lines. */
const causeField = v.pipe(
  v.optional(v.string(), ""),
  v.transform((typed) => withoutInvisible(typed).replaceAll(/\r\n?/g, "\n").trim()),
  v.check((typed) => typed.split("\n").every((line) => printable.test(line)), "cause-malformed"),
  v.check(isEmptyOrShown, "cause-malformed"),
  v.maxLength(causeLengthMax, "cause-too-long"),
);

/** A day, or nothing for the earliest one. */
const endsOnField = v.pipe(
  v.optional(v.string(), ""),
  v.trim(),
  v.check((typed) => typed === "" || isDay(typed), "ends-on-malformed"),
);

/** Only days that the calendar has. */
function isDay(typed: string): boolean {
  const [, year, month, day] = /^(20\d\d)-(\d\d)-(\d\d)$/.exec(typed)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  return new Date(Date.UTC(year, month - 1, day)).toISOString().startsWith(typed);
}

/** § 312k (2) BGB: kind and reason, who, which contract, when it ends, where the confirmation goes. `keep` takes back one that waits. */
export const cancellationForm = v.variant(
  "intent",
  [
    v.object({
      intent: v.literal("declare"),
      kind: v.picklist(cancellationKinds, "kind-missing"),
      cause: causeField,
      name: typedLine("name"),
      order: typedLine("order"),
      email: emailField,
      endsOn: endsOnField,
    }),
    v.object({ intent: v.literal("keep") }),
  ],
  "intent-unknown",
);
