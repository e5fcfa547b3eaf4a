import type * as v from "valibot";

/**
 * A schema that a call is checked by, in JSON Schema's words: those that calls use, and no others. The library for it knows all of
 * them and weighs more than all calls together; a test holds this against it. What a schema checks beyond these words (a parser of
 * ours, say) is told by the problem of the field. It is what a caller sends that is described, not what becomes of it.
 */
export function jsonSchema(schema: v.GenericSchema): Record<string, unknown> {
  const { pipe, ...node } = schema as unknown as Node;
  if (!pipe) return describe(node);
  const [first, ...steps] = pipe;
  const described = first ? jsonSchema(first as unknown as v.GenericSchema) : {};
  let isAsSent = described["type"] !== undefined;
  for (const step of steps) {
    isAsSent &&= step.kind !== "transformation";
    if (isAsSent || step.kind === "metadata") Object.assign(described, constrain(step));
  }
  return described;
}

/** What a schema or a step of it holds, of whichever kind it is. */
type Node = {
  kind: string;
  type: string;
  entries?: Record<string, v.GenericSchema>;
  options?: unknown[];
  wrapped?: v.GenericSchema;
  key?: v.GenericSchema;
  value?: v.GenericSchema;
  literal?: unknown;
  requirement?: number;
  description?: string;
  pipe?: Node[];
};

function describe({ type, entries = {}, options = [], wrapped, literal, key, value }: Node): Record<string, unknown> {
  switch (type) {
    case "object":
    case "loose_object": {
      const fields = Object.entries(entries);
      const required = fields.flatMap(([name, field]) => (field.type === "optional" ? [] : [name]));
      return {
        type: "object",
        properties: Object.fromEntries(fields.map(([name, field]) => [name, jsonSchema(field)])),
        required,
      };
    }
    case "record":
      return {
        type: "object",
        ...(key && { propertyNames: jsonSchema(key) }),
        ...(value && { additionalProperties: jsonSchema(value) }),
      };
    case "picklist":
      return { type: "string", enum: options };
    case "union":
      return { anyOf: options.map((option) => jsonSchema(option as v.GenericSchema)) };
    case "optional":
      return wrapped ? jsonSchema(wrapped) : {};
    case "literal":
      return { const: literal };
    default:
      return { type };
  }
}

function constrain({ type, requirement, description }: Node): Record<string, unknown> {
  switch (type) {
    case "description":
      return { description };
    case "non_empty":
      return { minLength: 1 };
    case "max_length":
      return { maxLength: requirement };
    case "min_value":
      return { minimum: requirement };
    case "max_value":
      return { maximum: requirement };
    case "integer":
      return { type: "integer" };
    case "iso_timestamp":
      return { format: "date-time" };
    default:
      return {};
  }
}
