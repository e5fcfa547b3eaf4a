import { globSync, readFileSync } from "node:fs";
import { emailField } from "#app/modules/accounts/rules.ts";
import type { Preference } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { type Schema, variantsOf } from "../fields.ts";
import { code, codes, type Page, section, table } from "../markdown.ts";
import { commentsOf } from "../source.ts";

type Form = { name: string; file: string; schema: Schema };

/** A config may lack a preference of some kind. */
export const oneOfEachKind: Preference[] = [
  { key: "{a choice}", label: "", kind: "choice", options: [], default: "" },
  { key: "{a number}", label: "", kind: "number", min: 0, max: 1, default: 0 },
  { key: "{a switch}", label: "", kind: "switch", default: true },
];

/** Every form of a module: its exports whose name ends with `Form`. */
export async function forms(): Promise<Form[]> {
  const files = globSync("app/modules/**/*rules.ts").toSorted();
  const found = files.map(async (file) => {
    const exported = (await import(/* @vite-ignore */ `../../../${file}`)) as Record<string, unknown>;
    const text = readFileSync(file, "utf8");
    return Object.entries(exported)
      .filter(([name]) => name.endsWith("Form"))
      .map(([name, value]) => ({ name, file, schema: made(name, value) }))
      .toSorted(
        (left, right) => text.search(`export \\w+ ${left.name}\\b`) - text.search(`export \\w+ ${right.name}\\b`),
      );
  });
  return (await Promise.all(found)).flat();
}

/** Some are functions of their parameters. */
function made(name: string, value: unknown): Schema {
  if (typeof value !== "function") return value as Schema;
  if (/^(overview|profile)Form$/.test(name)) return value(product) as Schema;
  return value(/^(join|withdrawal)Form$/.test(name) ? emailField : oneOfEachKind) as Schema;
}

export async function formsPage(): Promise<Page> {
  return {
    file: "forms.md",
    title: "Forms",
    about: [
      "The forms of all pages, from the schemas in `app/modules`. Text is trimmed; control characters are refused; files are refused; fields",
      "that a form doesn't name are ignored, and one sent twice is refused. [Errors](errors.md) explains the problems.",
    ].join("\n"),
    sections: (await forms()).map(describe),
  };
}

function describe({ name, file, schema }: Form): string {
  const comments = commentsOf(file);
  const variants = variantsOf(schema);
  const parts = variants.map((fields) => {
    const rows = fields.map((field) => {
      const comment = comments.get(`${name}.${field.name}`) ?? "";
      return [code(field.name), comment ? `${field.accepts}. ${comment}` : field.accepts, codes(field.problems)];
    });
    return table(["field", "accepts", "problems"], rows);
  });
  return section(code(name), `\`${file}\``, ...parts);
}
