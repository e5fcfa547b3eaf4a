import { expect, test } from "vitest";
import { readForm } from "#app/http/forms/read-form.ts";
import { allForms } from "#tests/support/site/forms.ts";
import { formSamples } from "#tests/support/site/form-samples.ts";
import { hasAction, routeActions, schemasIn } from "#tests/support/site/route-actions.ts";

/** The tests of all forms find each by the route map, and fill it in by its schema. */
test("every form is read by a route, and has a sample for each of its purposes", async () => {
  const [actions, forms, samples] = [routeActions(), await allForms(), await formSamples()];
  expect(actions.length).toBeGreaterThan(15);
  expect(new Set(actions.flatMap(({ schemas }) => schemas))).toEqual(new Set(forms.keys()));
  expect(new Set(samples.map(({ pattern }) => pattern))).toEqual(new Set(actions.map(({ pattern }) => pattern)));
});

test("actions and their forms are found however they are written", () => {
  expect(hasAction("a.ts", "const action = () => null; export { action };")).toBe(true);
  expect(hasAction("a.ts", "export { clientAction as action } from './b.ts';")).toBe(true);
  expect(hasAction("a.ts", "// export function action\nexport const actions = 1; function action() {}")).toBe(false);
  const { name } = readForm;
  const text = `const a = ${name}(context, oneForm); if (!${name}(\n  context,\n  anotherForm(field),\n).ok) stop();`;
  expect(schemasIn("a.ts", text)).toEqual(["oneForm", "anotherForm"]);
});
