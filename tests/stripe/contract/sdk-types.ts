import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** One method of the SDK: what it sends where, and the types of its parameters and its answer. */
export type Endpoint = { method: string; path: string; params: string | null; answer: string };

/**
 * Copies the SDK's type declarations to a folder in a form that a JSON Schema can be made of:
 * - `OtherString` leaves the enums. It stands for values that are newer than the SDK, and would allow any string.
 * - `deleted?: void` becomes `never`: an object that exists has no such field.
 * - An event's data is its own type alone, not also the empty one that it extends.
 * - Each endpoint's parameters and answer get a name of their own.
 */
export function copyTypes(sdk: string, folder: string): { endpoints: Endpoint[]; events: Record<string, string> } {
  const endpoints: Endpoint[] = [];
  const imports: string[] = [];
  const events: Record<string, string> = {};
  for (const file of readdirSync(sdk, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".d.ts"))) {
    let text = readFileSync(join(sdk, file), "utf8").replaceAll(/\/\*\*[\s\S]*?\*\//g, "");
    if (file.startsWith("resources")) {
      text = closeTypes(text);
      const methods = methodsOf(text, readFileSync(join(sdk, file.replace(/\.d\.ts$/, ".js")), "utf8"));
      endpoints.push(...methods.map(({ endpoint }) => endpoint));
      imports.push(...methods.flatMap(({ endpoint }) => importsOf(endpoint, file)));
      text = withAliases(text, methods, file);
    }
    if (file === "resources/Events.d.ts") Object.assign(events, eventsOf(text));
    const target = join(folder, file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  writeEntry(folder, endpoints, imports, Object.values(events));
  return { endpoints, events };
}

function closeTypes(text: string): string {
  return text
    .replaceAll(" | OtherString", "")
    .replaceAll("deleted?: void", "deleted?: never")
    .replaceAll(/(\??: (?:Array<)?)Decimal\b/g, "$1string")
    .replaceAll(" extends Event.Data", "")
    .replaceAll(/^ {4}(?:data: Event\.Data|type: Event\.Type);$/gm, "");
}

type Method = { endpoint: Endpoint; params: string | undefined; answer: string };

/** The declarations name the types, the code the address. */
function methodsOf(declarations: string, code: string): Method[] {
  const calls = code.matchAll(
    /^ {4}(\w+)\([^)]*\) \{\n(?:(?!^ {4}\}).*\n)*?.*_makeRequest\('([A-Z]+)', [`'](\/v1\/[^`']*)[`']/gm,
  );
  const calledBy = new Map([...calls].map(([, name = "", method = "", path = ""]) => [name, { method, path }]));
  const methods: Method[] = [];
  const signatures = declarations.matchAll(
    /^ {4}(\w+)\((.*)\): (Promise<Response|ApiListPromise|ApiSearchResultPromise)<(.+?)>+;$/gm,
  );
  for (const [, name = "", taken = "", promise = "", type = ""] of signatures) {
    const call = calledBy.get(name);
    if (call === undefined) continue;
    const path = call.path.replaceAll(/\$\{encodeURIComponent\((\w+)\)\}/g, "{$1}");
    const alias = `${call.method}_${path}`.replaceAll(/\W+/g, "_");
    const params = /params\??: ([\w.]+)/.exec(taken)?.[1];
    const list = { ApiListPromise: "ApiList", ApiSearchResultPromise: "ApiSearchResult" }[promise];
    methods.push({
      endpoint: { method: call.method, path, params: params ? `Params_${alias}` : null, answer: `Answer_${alias}` },
      params,
      answer: list ? `${list}<${type}>` : type,
    });
  }
  return methods;
}

function withAliases(text: string, methods: Method[], file: string): string {
  const aliases = methods.flatMap(({ endpoint, params, answer }) => [
    ...(params ? [`export type ${endpoint.params} = ${params};`] : []),
    `export type ${endpoint.answer} = ${answer};`,
  ]);
  const up = "../".repeat(file.split("/").length - 1);
  const generics = ["ApiList", "ApiSearchResult"].filter(
    (name) => aliases.some((line) => line.includes(`${name}<`)) && !new RegExp(`import .*\\b${name}\\b`).test(text),
  );
  return [...generics.map((name) => `import { ${name} } from '${up}lib.js';`), text, ...aliases, ""].join("\n");
}

const importsOf = ({ params, answer }: Endpoint, file: string): string[] =>
  [params, answer]
    .filter((name) => name !== null)
    .map((name) => `import type { ${name} } from "./${file.replace(/\.d\.ts$/, ".js")}";`);

const eventsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^export interface (\w+) extends EventBase \{\s+type: '([\w.]+)';/gm)].map(
      ([, name = "", type]) => [type, name],
    ),
  );

/** One type that leads to all others: errors, events, parameters and answers. */
function writeEntry(folder: string, endpoints: Endpoint[], imports: string[], events: string[]): void {
  const names = endpoints.flatMap(({ params, answer }) => [params, answer]).filter((name) => name !== null);
  const lines = [
    ...imports,
    `import type { ${events.join(", ")} } from "./resources/Events.js";`,
    `import type { Invoice } from "./resources/Invoices.js";`,
    `import type { RawErrorType, StripeRawError } from "./Types.js";`,
    "export interface Contract {",
    ...[...names, ...events, "StripeRawError", "RawErrorType"].map((name) => `  ${name}: ${name};`),
    "  ErrorCode: Invoice.LastFinalizationError.Code;",
    "}",
  ];
  writeFileSync(join(folder, "contract.ts"), lines.join("\n"));
}
