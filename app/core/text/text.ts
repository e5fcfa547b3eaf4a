/**
 * Validates text from outside before it is stored or forwarded: trimmed, without what nobody sees, and refused when it contains characters
 * that no field needs and that break mail headers, logs, CSV files and other systems' forms. Every form and API schema takes its text fields
 * from here.
 */
import * as v from "valibot";

/** No control characters (Cc), lone surrogates (Cs), line or paragraph separators (Zl, Zp), or overrides of the reading direction. */
export const oneLinePattern = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]*$/u;

/**
 * Also refuses invisible format characters (Cf): with them two texts could look alike and differ. The joiners U+200C and U+200D are allowed:
 * Persian and Indic names and many emoji need them.
 */
export const printable = /^(?:[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|[\u200C\u200D])*$/u;

/** Zero-width spaces, soft hyphens, direction marks. Not the joiners, nor the overrides of the reading direction, which are refused. */
const invisible = /(?!\u200C|\u200D|[\u202A-\u202E])\p{Cf}/gu;

/** Web pages and chats put such characters into what is copied from them; nobody types them. */
export function withoutInvisible(text: string): string {
  return text.replaceAll(invisible, "");
}

/** Blanks, joiners, fillers (such as U+3164, a letter) and the empty Braille pattern show nothing by themselves. */
const shown = /[^\s\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u;

/** Nothing was typed, or something of it can be seen. */
export function isEmptyOrShown(typed: string): boolean {
  return typed === "" || shown.test(typed);
}

/** An action of our own: what comes after a `v.transform` in a pipe isn't in the OpenAPI document. */
function stripInvisible(): v.BaseTransformation<string, string, never> {
  return {
    kind: "transformation",
    type: "strip_invisible",
    reference: stripInvisible,
    async: false,
    "~run": (dataset) => ({ ...dataset, value: withoutInvisible(dataset.value) }),
  };
}

type Options = { missing?: string; malformed?: string };

/** A text field. An absent one is reported as `missing`; form parsers turn that into `<field>-missing`. */
export function text({ missing = "control-characters", malformed = "control-characters" }: Options = {}) {
  // A check, not a `v.regex`: OpenAPI would publish the pattern, which generators in other languages can't parse.
  return v.pipe(
    v.string(missing),
    stripInvisible(),
    v.trim(),
    v.check((typed) => printable.test(typed) && isEmptyOrShown(typed), malformed),
  );
}
