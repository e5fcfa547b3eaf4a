import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Custom properties that hold a colour, by name. */
const coloursIn = (file: string) =>
  new Map(
    [...readFileSync(file, "utf8").matchAll(/(--[\w-]+): (light-dark\(.*\));/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  );

test("pages that the Worker answers by itself have the colours of all others", () => {
  const own = [...coloursIn("public/plain.css")];
  const tokens = coloursIn("app/ui/styles/tokens.css");
  expect(own).toHaveLength(5);
  expect(own).toEqual(own.map(([name]) => [name, tokens.get(name)]));
});
