import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { calls } from "#app/api/calls.ts";
import { operatorCalls } from "#app/api/operator-calls.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { printable } from "#app/core/text/text.ts";
import { pages } from "#tests/support/billing/catalogue.ts";
import { samples } from "#tests/support/site/form-samples.ts";
import { allForms, type Field, type Form } from "#tests/support/site/forms.ts";
import { routeActions } from "#tests/support/site/route-actions.ts";

/** Every form, by the route that reads it, and every body of a call: characters that no field may accept. */

const schemas = await allForms();
const forms = routeActions().flatMap(({ pattern, schemas: names }) =>
  names.map((name) => [pattern, schemas.get(name) ?? {}] as const),
);
const bodies = [...calls, ...operatorCalls].flatMap(({ path, body }) => (body ? [[path, body as Form] as const] : []));

function fieldsOf(form: Form, prefix: string): [string, Field][] {
  if (form.options) return form.options.flatMap((option) => fieldsOf(option, prefix));
  return Object.entries(form.entries ?? {}).map(([field, schema]) => [`${prefix} ${field}`, schema]);
}

const textFields = [...forms, ...bodies]
  .flatMap(([name, form]) => fieldsOf(form, name))
  .flatMap(([name, field]) => {
    const sample = samples.find((candidate) => v.is(field, candidate));
    return sample === undefined ? [] : [[name, field, sample] as const];
  });

const unprintable = fc
  .oneof(
    fc.integer({ min: 0, max: 0x1f }),
    fc.integer({ min: 0x7f, max: 0x9f }),
    fc.integer({ min: 0xd800, max: 0xdfff }),
    fc.constantFrom(0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x2069),
  )
  .map((code) => String.fromCharCode(code));

/** Fields in which a line break is what the user means. */
const ofSeveralLines = [`${pages.plan} comment`, "/cancel cause"];

/** Fields that drop whatever separates their digits. */
const ofDigits = ["/verify code"];

/** Calls whose fields nobody types: times, ids and states. */
const ofPrograms = ["/usage", "/entries", "/decisions", "/mails"];

/** Every text in what a schema made of its input. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

describe("text fields", () => {
  test("are found in forms and calls", () => {
    expect(forms.length).toBeGreaterThan(12);
    expect(bodies.length).toBeGreaterThan(5);
    const names = textFields.map(([name]) => name);
    expect(names.length).toBeGreaterThan(25);
    const known = [
      "/signup email",
      "/settings/profile name",
      "/settings/security session",
      "/withdraw name",
      "/devices name",
      "/decisions reason",
    ];
    expect(known.filter((name) => !names.includes(name))).toEqual([]);
  });

  test.each(textFields)("let no control character through: %s", (name, field, sample) => {
    fc.assert(
      fc.property(unprintable, fc.nat({ max: sample.length }), (character, at) => {
        const parsed = v.safeParse(field, sample.slice(0, at) + character + sample.slice(at));
        if (parsed.success)
          for (const text of textsIn(parsed.output)) {
            const lines = ofSeveralLines.includes(name) ? text.split("\n") : [text];
            for (const line of lines) expect(line).toMatch(printable);
          }
      }),
      { numRuns: 200 },
    );
  });

  test.each(textFields)("refuse a control character in the middle: %s", (name, field, sample) => {
    const lineBreaks = ofSeveralLines.includes(name) ? [] : ["\n"];
    const separators = ofDigits.includes(name) ? [] : [...lineBreaks, "\u2028", "\u202e"];
    for (const character of [...separators, "\u0000", "\u0007", "\u007f", "\u0085", "\ud800"]) {
      expect(v.is(field, sample.slice(0, 1) + character + sample.slice(1))).toBe(false);
    }
  });

  const invisible = ["\u00ad", "\u061c", "\u200b", "\u200e", "\u2060", "\ufeff", "\u{e0041}"];

  test.each(textFields)("refuse or remove invisible characters: %s", (_name, field, sample) => {
    for (const character of invisible) {
      const parsed = v.safeParse(field, sample.slice(0, 1) + character + sample.slice(1));
      if (parsed.success) for (const text of textsIn(parsed.output)) expect(text).not.toContain(character);
    }
  });

  test.each(textFields.filter(([name]) => !ofPrograms.some((path) => name.startsWith(`${path} `))))(
    "of people read what was pasted with invisible characters like what was typed: %s",
    (_name, field, sample) => {
      for (const character of invisible) {
        const pasted = character + sample.slice(0, 1) + character + sample.slice(1) + character;
        expect(v.safeParse(field, pasted)).toMatchObject({ success: true, output: v.parse(field, sample) });
      }
    },
  );

  test("read an address that was pasted with joiners", () => {
    const email = textFields.find(([field]) => field === "/signup email")?.[1] ?? v.never();
    for (const one of [...invisible, "\u200c", "\u200d", "\u034f", "\ufe0f"])
      expect(v.parse(email, `${one}mara@exam${one}ple.com${one}`)).toMatchObject({ original: "mara@example.com" });
  });

  test("accept emoji and names that contain joiners", () => {
    const name = textFields.find(([field]) => field === "/settings/profile name")?.[1] ?? v.never();
    for (const typed of ["Mara 👩\u200d💻", "🏳️\u200d🌈", "علی\u200cرضا"]) expect(v.parse(name, typed)).toBe(typed);
  });

  test("never leave such a character in a parsed address", () => {
    fc.assert(
      fc.property(unprintable, fc.nat({ max: 16 }), (character, at) => {
        const typed = "mara@example.com".slice(0, at) + character + "mara@example.com".slice(at);
        const parsed = parseEmailAddress(typed);
        if (parsed) expect([parsed.original, parsed.canonical]).toEqual(["mara@example.com", "mara@example.com"]);
      }),
    );
    for (const end of ["\u0000", "\u0001\u0002", "\u001f"]) expect(parseEmailAddress(`x@example.com${end}`)).toBeNull();
    for (const one of [...invisible, "\u200c", "\u200d"]) expect(parseEmailAddress(`x@exam${one}ple.com`)).toBeNull();
  });
});
