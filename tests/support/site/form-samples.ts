import * as v from "valibot";
import { featureSamples } from "../features.ts";
import { addresses } from "./addresses.ts";
import { formIntentsOf, wordsOf } from "./form-intents.ts";
import { allForms, type Field, type Form } from "./forms.ts";
import { routeActions } from "./route-actions.ts";

/** One of these is accepted by each field that accepts more than a list of words. */
export const samples = [
  "mara@example.com",
  "Europe/Berlin",
  "2026-000041",
  "wdr_1",
  "12345678",
  "42",
  "signup",
  "waiting",
  "2026-11-22T09:00:00Z",
  ...featureSamples.flatMap(({ fieldSamples = [] }) => fieldSamples),
];

/** What a browser sends for one purpose of a form: its intent ("" if it has none) and the fields that can't be left out. */
export type FormSample = { pattern: string; path: string; intent: string; fields: Record<string, string> };

/** A valid sample of every form of our pages, by the route map and the forms' schemas: a new form is in every test that uses this list. */
export async function formSamples(): Promise<FormSample[]> {
  const forms = await allForms();
  return routeActions().flatMap(({ pattern, schemas }) => {
    const path = addresses.find((address) => address.pattern === pattern)?.path ?? pattern;
    const variants = schemas.flatMap((name) => variantsOf(forms.get(name) ?? {}));
    // An action that reads no fields has a form that is only a button.
    const sent = variants.length === 0 ? [{ intent: "", fields: {} }] : variants.flatMap(samplesOf);
    return sent.map((sample) => ({ pattern, path, ...sample }));
  });
}

function variantsOf(form: Form): Form[] {
  return form.options ? form.options.flatMap(variantsOf) : [form];
}

function samplesOf(variant: Form): { intent: string; fields: Record<string, string> }[] {
  const fields = Object.fromEntries(
    Object.entries(variant.entries ?? {}).flatMap(([name, field]) =>
      name === "intent" || v.is(field, undefined) ? [] : [[name, sampleOf(name, field)]],
    ),
  );
  const intents = formIntentsOf(variant);
  if (intents.length === 0) return [{ intent: "", fields }];
  return intents.map((intent) => ({ intent, fields: { ...fields, intent } }));
}

function sampleOf(name: string, field: Field): string {
  const found = [...wordsOf(field), ...samples].find((candidate) => v.is(field, candidate));
  if (found === undefined)
    throw new Error(`No sample fits the field ${name}: add one to tests/support/site/form-samples.ts`);
  return found;
}
