import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("a page that is kept for everybody asks of its visitor for nothing but the cookies and the query, which keep it from being kept", () => {
  const pages = [
    "app/root.tsx",
    "app/routes/landing/route.tsx",
    "app/routes/legal/route.tsx",
    "app/http/site-facts.ts",
  ];
  const askers = pages.filter((path) =>
    /visitorZoneContext|describeVisitor|\.headers\b|\.cf\b/.test(readFileSync(path, "utf8")),
  );
  expect(askers).toEqual([]);
  expect(readFileSync("app/routes/verify/route.tsx", "utf8")).toContain("visitorZoneContext");
});
