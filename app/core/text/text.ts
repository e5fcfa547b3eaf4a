/**
 * Text from outside, before it is stored or sent on: trimmed, and refused when it contains what no field needs and what breaks mail
 * headers, logs, CSV files and other systems' forms. Every schema of a form or of a call's body takes its text fields from here.
 */
import * as v from "valibot";

/** No control characters (Cc), lone surrogates (Cs), line or paragraph separators (Zl, Zp), or overrides of the reading direction. */
export const oneLine = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]*$/u;

/**
 * The same without format characters (Cf), which can't be seen either: blanks without width, soft hyphens, marks of direction. Two texts
 * would look alike and differ. The joiners U+200C and U+200D are taken: Persian and Indic names and many emoji are spelt with them.
 */
export const printable = /^(?:[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|[\u200C\u200D])*$/u;

/** `accepts` is `oneLine` for a field that removes what can't be seen by itself, such as the name of a machine. */
type Options = { missing?: string; malformed?: string; accepts?: RegExp };

/** A text field. An absent one is `missing`; readers of forms name it `<field>-missing` by themselves. */
export function text({
  missing = "control-characters",
  malformed = "control-characters",
  accepts = printable,
}: Options = {}) {
  // A check, not a `v.regex`: OpenAPI would carry the pattern, and generators in other languages don't read it.
  return v.pipe(
    v.string(missing),
    v.trim(),
    v.check((typed) => accepts.test(typed), malformed),
  );
}
