import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("a cached page depends on nothing of its visitor except cookies and query, which bypass the cache", () => {
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
