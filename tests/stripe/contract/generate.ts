import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type BaseType,
  type CircularReferenceTypeFormatter,
  createFormatter,
  createParser,
  createProgram,
  DEFAULT_CONFIG,
  SchemaGenerator,
} from "ts-json-schema-generator";
import { type Contract, contractPath, type Definitions, root, sdk } from "./contract-file.ts";
import { copyTypes } from "./sdk-types.ts";
import { closeUnions } from "./unions.ts";
import { withWireForms } from "./wire.ts";

/** Writes the contract to the cache atomically: several processes may do it at the same time. */
function main(): void {
  const path = contractPath();
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  const folder = mkdtempSync(join(dirname(path), "types-"));
  try {
    const file = join(folder, "contract.json");
    writeFileSync(file, JSON.stringify(generate(folder)));
    renameSync(file, path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function generate(folder: string): Contract {
  const { endpoints, events } = copyTypes(join(sdk, "esm"), folder);
  const params = endpoints.flatMap((endpoint) => (endpoint.params === null ? [] : [endpoint.params]));
  const [, apiVersion = ""] = /ApiVersion = '(.+?)'/.exec(readFileSync(join(sdk, "esm/apiVersion.js"), "utf8")) ?? [];
  return {
    apiVersion,
    endpoints,
    events,
    definitions: closeUnions(withWireForms(definitionsIn(folder), root, params)),
  };
}

function definitionsIn(folder: string): Definitions {
  const compilerOptions = { module: "nodenext", target: "es2022", strict: true, types: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const config = {
    ...DEFAULT_CONFIG,
    path: join(folder, "contract.ts"),
    tsconfig: join(folder, "tsconfig.json"),
    type: root,
    skipTypeCheck: true,
    jsDoc: "none" as const,
    expose: "all" as const,
    encodeRefs: false,
    functions: "fail" as const,
  };
  const tsProgram = createProgram(config);
  const checker = tsProgram.getTypeChecker();
  const nameOf = checker.getFullyQualifiedName.bind(checker);
  // Two of the SDK's files may use one name (`Card` and `Issuing.Card`), and a definition has to have its own.
  checker.getFullyQualifiedName = (symbol) =>
    nameOf(symbol).replace(/^".*\/resources\/(.*)"\./, (_, file: string) => `${file.replaceAll("/", ".")}.`);
  const formatter = createFormatter(config, (_formatters, all) => {
    all.getChildren = reachable(all);
  });
  const generator = new SchemaGenerator(tsProgram, createParser(tsProgram, config), formatter, config);
  // Each is an object: `true` and `false` are other programs' JSON Schema.
  return generator.createSchema(root).definitions as Definitions;
}

/**
 * The types that a type refers to, each visited once. The library's own search joins the lists of a type's members at every level, which takes
 * a minute and a half for types as entangled as the SDK's.
 */
function reachable(all: CircularReferenceTypeFormatter): (from: BaseType) => BaseType[] {
  const ofOne = all.getChildren.bind(all);
  let seen: Set<BaseType> | null = null;
  return (type) => {
    // Called for a member of the type that is being visited: it is visited later.
    if (seen) {
      seen.add(type);
      return [];
    }
    seen = new Set([type]);
    const found = new Set<BaseType>();
    for (const each of seen) for (const child of ofOne(each)) found.add(child);
    seen = null;
    return [...found];
  };
}

main();
