import { RouterContextProvider } from "react-router";
import * as v from "valibot";
import { expect, test } from "vitest";
import { readForm, receiveForm } from "./read-form.ts";

const schema = v.object({ name: v.optional(v.string(), "") });

async function read(fields: [name: string, value: string | Blob][]) {
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value);
  const context = new RouterContextProvider();
  await receiveForm(new Request("https://site.example/", { method: "POST", body }), context);
  return readForm(context, schema);
}

test("a file where a text belongs is malformed, also an empty one", async () => {
  const malformed = { ok: false, refusal: { reason: "malformed-form", status: 400 } };
  expect(await read([["name", new Blob(["Mara"])]])).toEqual(malformed);
  expect(await read([["name", new Blob([])]])).toEqual(malformed);
});

test("a field that is sent twice is refused, and one that the form doesn't have is ignored", async () => {
  const twice: [string, string][] = [
    ["name", "Mara"],
    ["name", "Nils"],
  ];
  expect(await read(twice)).toMatchObject({ refusal: { reason: "duplicated-field", field: "name" } });
  expect(await read([...twice.slice(1), ["other", new Blob(["x"])]])).toEqual({ ok: true, value: { name: "Nils" } });
});
