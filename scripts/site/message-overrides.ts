import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Node, type ObjectProperty, parseSync } from "oxc-parser";
import type { Plugin } from "vite";

const messagesFile = /[/\\]app[/\\](?!core|product|ui).*\bmessages\.ts$/;

/**
 * Replaces texts by the product's own (app/product/messages.ts) while the site is built. A messages file without an override is unchanged,
 * and a page loads only the overrides of its own files: unused, this costs no bytes.
 */
export function messageOverrides(productConfig?: string): Plugin {
  const file = ownMessagesOf(productConfig);
  return {
    name: "message-overrides",
    enforce: "pre",
    load: {
      filter: { id: /\?own-messages=/ },
      handler: (id) => onlyOf(readFileSync(file, "utf8"), (name) => id.endsWith(`?own-messages=${name}.ts`)),
    },
    transform: {
      filter: { id: messagesFile },
      handler(source, id) {
        if (!existsSync(file)) return null;
        // In development, a change of the product's texts renders the page again.
        this.addWatchFile(file);
        return withOverrides(id, source, file);
      },
    },
  };
}

export const isMessagesFile = (path: string): boolean => messagesFile.test(path);

/** The product's own texts are beside its config: `messages.ts` beside `config.ts`, `x.messages.ts` beside `x.config.ts`. */
export function ownMessagesOf(productConfig = "app/product/config.ts"): string {
  return resolve(productConfig.replace(/config\.ts$/, "messages.ts"));
}

/** A messages file with the product's own texts in its constants. Null if the product has none of them. */
export function withOverrides(path: string, source: string, file: string): string | null {
  const own = overriddenBy(readFileSync(file, "utf8"));
  const constants = exportedConstants(path, source).filter(({ name }) => own.includes(name));
  if (constants.length === 0) return null;
  const imports = constants.map(
    ({ name }) => `import { messages as own_${name} } from ${JSON.stringify(`${file}?own-messages=${name}.ts`)};`,
  );
  const changed = constants.reduceRight(
    (text, { name, start, end }) =>
      `${text.slice(0, start)}overrideTexts(${text.slice(start, end)}, own_${name}.${name} as never)${text.slice(end)}`,
    source,
  );
  return ['import { overrideTexts } from "#app/core/messages.ts";', ...imports, changed].join(" ");
}

/** The product's texts for some constants alone. The build removes what only the others use. */
export function onlyOf(source: string, isWanted: (name: string) => boolean): string {
  return propertiesOf(source)
    .filter((property) => !isWanted(nameOf(property)))
    .reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end).replace(/^\s*,/, ""), source);
}

export const constantsIn = (path: string): string[] =>
  exportedConstants(path, readFileSync(path, "utf8")).map(({ name }) => name);
/** The constants that the product has texts of its own for. */
export const overriddenBy = (source: string): string[] => propertiesOf(source).map(nameOf);

function propertiesOf(source: string): ObjectProperty[] {
  const value = exportedConstants("messages.ts", source).find(({ name }) => name === "messages")?.value;
  if (value?.type !== "ObjectExpression")
    throw new Error("app/product/messages.ts: `messages` must be an object literal");
  return value.properties.map((property) => {
    if (property.type === "Property") return property;
    throw new Error("app/product/messages.ts: name each constant, without `...`");
  });
}

function nameOf({ key }: ObjectProperty): string {
  if (key.type === "Identifier") return key.name;
  throw new Error("app/product/messages.ts: a constant's name is written without quotes");
}

type Constant = { name: string; start: number; end: number; value: Node };

/** The `export const NAME = …` of a file, and where the values are. */
function exportedConstants(path: string, source: string): Constant[] {
  return parseSync(path, source).program.body.flatMap((statement) => {
    if (statement.type !== "ExportNamedDeclaration" || statement.declaration?.type !== "VariableDeclaration") return [];
    return statement.declaration.declarations.flatMap(({ id, init }) =>
      id.type === "Identifier" && init ? [{ name: id.name, start: init.start, end: init.end, value: init }] : [],
    );
  });
}
