import { createContext, data, type RouterContextProvider } from "react-router";
import * as v from "valibot";
import { startDeadline } from "#app/core/time/deadline.ts";
import { refused, type Result, done } from "#app/core/result.ts";
import { secondMs } from "#app/core/time/time.ts";

/** Largest form body, counted while it is read, whatever Content-Length says. */
const formBytesMax = 64 * 1024;
/** Longest time for a body to arrive, so that a slow sender can't hold its request open. */
export const bodyReadMs = 10 * secondMs;

type BodyRefusal = { reason: "form-too-large"; status: 413 } | { reason: "form-too-slow"; status: 408 };

export type FormRefusal =
  | { reason: "malformed-form"; status: 400 }
  | { reason: "duplicated-field"; status: 400; field: string }
  | BodyRefusal
  /** `typed` refills the form, so that an error in one field doesn't lose the others. */
  | {
      reason: "invalid-fields";
      status: 422;
      errors: { field: string; problem: string }[];
      typed: Record<string, string>;
    };

/** One set of fields, or several that one of the fields (`intent`) tells apart. */
type FormSchema =
  | (v.GenericSchema<Record<string, unknown>, unknown> & { entries: Record<string, unknown> })
  | (v.GenericSchema<Record<string, unknown>, unknown> & { options: readonly { entries: Record<string, unknown> }[] });

const sentForm = createContext<Result<FormData, FormRefusal>>();

/**
 * Receives the whole form before the session is looked up: a caller who withholds the last byte is authorised when it arrives, not when
 * the request began. `loadViewer` is the only caller, so no route can read a body later.
 */
export async function receiveForm(request: Request, context: Readonly<RouterContextProvider>): Promise<void> {
  context.set(sentForm, await readFields(request));
}

/**
 * The one way to read a form: size limit, only the schema's own fields, each at most once, then the schema. Unknown fields are ignored
 * and never stored. The route maps the schema's problems (`email-missing`) to messages.
 */
export function readForm<Schema extends FormSchema>(
  context: Readonly<RouterContextProvider>,
  schema: Schema,
): Result<v.InferOutput<Schema>, FormRefusal> {
  const form = context.get(sentForm);
  if (!form.ok) return form;
  const fields: Record<string, string> = {};
  for (const name of fieldNames(schema)) {
    const values = form.value.getAll(name);
    if (values.length > 1) return refused({ reason: "duplicated-field", status: 400, field: name });
    const [value] = values;
    if (typeof value === "string") fields[name] = value;
    else if (value) return refused({ reason: "malformed-form", status: 400 });
  }
  const parsed = v.safeParse(schema, fields);
  if (parsed.success) return done(parsed.output);
  return refused({
    reason: "invalid-fields",
    status: 422,
    errors: fieldProblems(parsed.issues),
    typed: fields,
  });
}

/** A field that no schema has, if it was sent once as text. */
export function sentField(context: Readonly<RouterContextProvider>, name: string): string | undefined {
  const form = context.get(sentForm);
  const [value, ...others] = form.ok ? form.value.getAll(name) : [];
  return typeof value === "string" && value !== "" && others.length === 0 ? value : undefined;
}

/** For an action without fields, which takes any body but one that is too large or too slow. */
export function refuseBody(context: Readonly<RouterContextProvider>): void {
  const form = context.get(sentForm);
  if (form.ok || form.refusal.status === 400 || form.refusal.status === 422) return;
  throw data(null, { status: form.refusal.status, headers: { "Cache-Control": "no-store" } });
}

/** The first problem of each field, named as in the schema. */
export function fieldProblems(issues: readonly v.BaseIssue<unknown>[]): { field: string; problem: string }[] {
  const errors = new Map<string, string>();
  for (const issue of issues) {
    const field = String(issue.path?.[0]?.key ?? "");
    // For an absent field the validation library has a sentence; we use a problem code.
    const isAbsent = issue.type === "object" && issue.received === "undefined";
    if (!errors.has(field)) errors.set(field, isAbsent ? `${kebabCase(field)}-missing` : issue.message);
  }
  return [...errors].map(([field, problem]) => ({ field, problem }));
}

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function fieldNames(schema: FormSchema): Set<string> {
  const sets = "entries" in schema ? [schema.entries] : schema.options.map((option) => option.entries);
  return new Set(sets.flatMap((entries) => Object.keys(entries)));
}

async function readFields(request: Request): Promise<Result<FormData, FormRefusal>> {
  const body = await readCapped(request.body, formBytesMax);
  if (!body.ok) return body;
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)) {
    return refused({ reason: "malformed-form", status: 400 });
  }
  try {
    return done(await new Response(body.value, { headers: { "Content-Type": type } }).formData());
  } catch {
    return refused({ reason: "malformed-form", status: 400 });
  }
}

/**
 * The whole body, unless it exceeds `bytesMax` or takes too long; the rest is then discarded. A client that disconnects midway isn't a
 * bug.
 */
export async function readCapped(
  body: ReadableStream<Uint8Array> | null,
  bytesMax: number,
): Promise<Result<Uint8Array<ArrayBuffer>, BodyRefusal>> {
  const reader = body?.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const late = startDeadline(bodyReadMs);
  try {
    for (;;) {
      const part = await Promise.race([reader?.read(), late.over]);
      if (part === "over") return giveUp(reader, { reason: "form-too-slow", status: 408 });
      if (!part?.value) return done(joined(chunks, length));
      length += part.value.byteLength;
      if (length > bytesMax) return giveUp(reader, { reason: "form-too-large", status: 413 });
      chunks.push(part.value);
    }
  } catch {
    throw new DOMException("The body broke off", "AbortError");
  } finally {
    late.stop();
  }
}

function giveUp(reader: ReadableStreamDefaultReader | undefined, refusal: BodyRefusal) {
  reader?.cancel().catch(() => undefined);
  return refused(refusal);
}

function joined(chunks: Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}
