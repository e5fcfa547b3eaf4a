import { expect, test } from "vitest";
import { routeName } from "./route-name.rules.ts";

test.each([
  ["", "/"],
  ["/", "/"],
  ["login", "/login"],
  ["/login", "/login"],
  ["settings/orders/:order", "/settings/orders/:order"],
  ["*", "/*"],
])("the pattern %j is reported as %s", (pattern, name) => {
  expect(routeName(pattern)).toBe(name);
});
