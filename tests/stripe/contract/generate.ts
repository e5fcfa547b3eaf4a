import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createGenerator, createProgram, DEFAULT_CONFIG } from "ts-json-schema-generator";
import { type Contract, contractPath, type Definitions, root, sdk } from "./contract-file.ts";
import { copyTypes } from "./sdk-types.ts";
import { closeUnions } from "./unions.ts";
import { withWireForms } from "./wire.ts";

/** Writes the contract to the cache atomically: several processes may do it at once. */
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
  // Each is an object: `true` and `false` are other programs' JSON Schema.
  return createGenerator({ ...config, tsProgram }).createSchema(root).definitions as Definitions;
}

main();
