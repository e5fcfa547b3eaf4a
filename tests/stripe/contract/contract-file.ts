import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Schema } from "ts-json-schema-generator";
import type { Endpoint } from "./sdk-types.ts";

export type Definitions = Record<string, Schema>;

/** The SDK's types as JSON Schema, and the name of each definition. */
export type Contract = {
  apiVersion: string;
  endpoints: Endpoint[];
  /** The definition of each type of event. */
  events: Record<string, string>;
  definitions: Definitions;
};

/**
 * The definition that leads to all others: its properties are the errors, the events, the parameters and the answers.
 */
export const root = "Contract";

export const sdk = resolve("node_modules/stripe");
const cache = resolve("node_modules/.cache/stripe-contract");
const makers = ["contract-file.ts", "generate.ts", "sdk-types.ts", "unions.ts", "wire.ts"];

/** Named after the SDK's version and after what makes it. */
export function contractPath(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(sdk, "package.json"), "utf8"));
  const hash = createHash("sha256");
  for (const name of makers) hash.update(readFileSync(join(import.meta.dirname, name)));
  return join(cache, `${version}-${hash.digest("hex").slice(0, 12)}.json`);
}

/** Generates it if it is missing: about 10 s, in a separate process, so that the compiler's memory is freed. */
export function readContract(): Contract {
  const path = contractPath();
  if (!existsSync(path)) execFileSync(process.execPath, [join(import.meta.dirname, "generate.ts")]);
  // Written by generate.ts, in this type.
  return JSON.parse(readFileSync(path, "utf8")) as Contract;
}
