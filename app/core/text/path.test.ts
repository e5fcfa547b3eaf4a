import fc from "fast-check";
import { expect, test } from "vitest";
import { readPath } from "./path.ts";

test.each(["/settings", "/settings/orders?order=ord_1", "/a/../settings", "/verify?code=1#main"])(
  "%s is a path on this site",
  (path) => {
    expect(readPath(path)).toMatch(/^\/(?!\/)/);
  },
);

test.each([
  "",
  null,
  undefined,
  "settings",
  "https://evil.example/",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/..//evil.example",
  "javascript:alert(1)",
  "/a\r\nSet-Cookie: x=1",
])("%j is not a path on this site", (path) => {
  expect(readPath(path)).toBeNull();
});

test("every accepted path leads to this host when a browser parses it", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("/", "\\", ".", "a", ":", "@", "\t", "?", "#", "%2f") }), (text) => {
      const path = readPath(`/${text}`);
      if (path !== null) expect(new URL(path, "https://foyer.example").host).toBe("foyer.example");
    }),
  );
});
