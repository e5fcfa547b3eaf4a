/**
 * Validates text from outside before it is stored or forwarded: trimmed, and refused when it contains characters that no field needs and
 * that break mail headers, logs, CSV files and other systems' forms. Every form and API schema takes its text fields from here.
 */
import * as v from "valibot";

/** No control characters (Cc), lone surrogates (Cs), line or paragraph separators (Zl, Zp), or overrides of the reading direction. */
export const oneLinePattern = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]*$/u;

/**
 * Also refuses invisible format characters (Cf): zero-width spaces, soft hyphens, direction marks. With them two texts could look alike
 * and differ. The joiners U+200C and U+200D are allowed: Persian and Indic names and many emoji need them.
 */
export const printable = /^(?:[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|[\u200C\u200D])*$/u;

/** `accepts` is `oneLinePattern` for a field that strips invisible characters itself, such as the name of a machine. */
type Options = { missing?: string; malformed?: string; accepts?: RegExp };

/** A text field. An absent one is reported as `missing`; form parsers turn that into `<field>-missing`. */
export function text({
  missing = "control-characters",
  malformed = "control-characters",
  accepts = printable,
}: Options = {}) {
  // A check, not a `v.regex`: OpenAPI would publish the pattern, which generators in other languages can't parse.
  return v.pipe(
    v.string(missing),
    v.trim(),
    v.check((typed) => accepts.test(typed), malformed),
  );
}
