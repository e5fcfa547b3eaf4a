import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { entitlementSchema } from "#app/domain/devices/entitlement.rules.ts";
import { calls } from "./calls.ts";
import { jsonSchema } from "./json-schema.ts";

/** What the library says, which knows all words: of what is sent, and silent where JSON Schema has no word for a check. */
function judged(schema: v.GenericSchema) {
  const { $schema: _dialect, ...described } = toJsonSchema(schema, { typeMode: "input", errorMode: "ignore" });
  return described;
}

const taken = calls.flatMap(({ method, path, body }) => (body ? [[`${method} ${path} takes`, body] as const] : []));
const answered = calls.flatMap(({ method, path, answers }) =>
  answers.flatMap(({ body }) => (body ? [[`${method} ${path} answers`, body] as const] : [])),
);

describe("JSON Schema", () => {
  test.each([...taken, ...answered, ["a token claims", entitlementSchema] as const])(
    "of what %s is what the library makes of it",
    (_call, schema) => {
      expect(jsonSchema(schema)).toEqual(judged(schema));
    },
  );

  test("has a word for whatever a preference or a meter can ask for", () => {
    const schema = v.object({
      choice: v.optional(v.picklist(["one", "two"], "unknown")),
      number: v.optional(v.pipe(v.number(), v.integer(), v.minValue(-3), v.maxValue(9))),
      switch: v.optional(v.boolean()),
      text: v.pipe(v.string(), v.nonEmpty(), v.maxLength(4), v.trim(), v.nonEmpty(), v.description("after a parser")),
      at: v.pipe(v.union([v.pipe(v.string(), v.isoTimestamp(), v.transform(Date.parse)), v.number()]), v.minValue(7)),
      version: v.literal("1"),
    });
    expect(jsonSchema(schema)).toEqual(judged(schema));
  });
});
