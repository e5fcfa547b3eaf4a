import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { addresses } from "#tests/support/site/route-list.ts";

/** Public pages; under `/settings` the layout says that they aren't for search engines. */
const pages = addresses.filter(
  ({ file, pattern }) => file.endsWith(".tsx") && !pattern.startsWith("/settings") && pattern !== "/*",
);
const sitemap = readFileSync("app/routes/sitemap/route.ts", "utf8");

test.each(pages)("$pattern is in the sitemap under one address of its own, or is not for search engines", (page) => {
  const source = readFileSync(`app/${page.file}`, "utf8");
  const isCanonical = source.includes('rel: "canonical"');
  const isHidden = source.includes('content: "noindex"') && !isCanonical;
  expect({ isCanonical, isInSitemap: sitemap.includes(`"${page.path}"`) }).toEqual({
    isCanonical: !isHidden,
    isInSitemap: !isHidden,
  });
});

test("some pages are for search engines, and some are not", () => {
  expect(pages.length).toBeGreaterThan(7);
});
