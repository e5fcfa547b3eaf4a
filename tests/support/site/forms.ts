import { globSync, readFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { parseSync } from "oxc-parser";
import * as v from "valibot";
import { readForm } from "#app/http/forms/read-form.ts";
import { emailField } from "#app/modules/accounts/rules.ts";
import { product } from "#app/product/config.ts";
import { featureSamples } from "../features.ts";
import { schemasIn } from "./route-actions.ts";

export type Field = v.GenericSchema<unknown, unknown>;
/** A schema of one set of fields, or of several. */
export type Form = { entries?: Record<string, Field>; options?: Form[] };

/** Every form that `readForm` reads anywhere, by the name of its schema. */
export async function allForms(): Promise<Map<string, Form>> {
  const read = globSync("app/**/*.{ts,tsx}")
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(path, "utf8") }))
    .filter(({ text }) => text.includes(`${readForm.name}(`))
    .flatMap(({ path, text }) => schemasIn(path, text).map((name) => exportOf(path, text, name)));
  const forms = read.map(async ({ file, name }) => {
    const module = (await import(/* @vite-ignore */ `../../../${file}`)) as Record<string, unknown>;
    return [name, made(module[name], `${file} ${name}`)] as const;
  });
  return new Map(await Promise.all(forms));
}

/** The file that exports what another one knows by a name. */
function exportOf(path: string, text: string, name: string): { file: string; name: string } {
  for (const { moduleRequest, entries } of parseSync(path, text).module.staticImports) {
    const entry = entries.find(({ localName }) => localName.value === name);
    const from = moduleRequest.value;
    if (entry)
      return {
        file: from.startsWith("#") ? from.slice(1) : posix.join(dirname(path), from),
        name: entry.importName.name ?? name,
      };
  }
  return { file: path, name };
}

const ofFeatures = featureSamples.flatMap(({ schemaArguments = [] }) => schemaArguments);

/** Some schemas are made from the product's config, from the field of an address, or from something of a feature. */
function made(exported: unknown, where: string): Form {
  if (isForm(exported)) return exported;
  for (const argument of typeof exported === "function" ? [product, emailField, ...ofFeatures] : []) {
    try {
      const form: unknown = (exported as (argument: unknown) => unknown)(argument);
      if (isForm(form)) return form;
    } catch {
      // Made from something else.
    }
  }
  throw new Error(`${where} isn't an exported schema, so no test reads its fields`);
}

const isForm = (value: unknown): value is Form =>
  typeof value === "object" && value !== null && ("entries" in value || "options" in value);
