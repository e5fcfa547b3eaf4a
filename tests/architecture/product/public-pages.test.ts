import { readFileSync } from "node:fs";
import { RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import type { App } from "#app/app.ts";
import { appContext } from "#app/http/request/contexts.ts";
import { product } from "#app/product/config.ts";
import { loader } from "#app/routes/sitemap/route.ts";
import { addresses } from "#tests/support/site/addresses.ts";

/** Public pages; under `/settings` the layout says that they aren't for search engines. */
const pages = addresses.filter(
  ({ file, pattern }) => file.endsWith(".tsx") && !pattern.startsWith("/settings") && pattern !== "/*",
);

function sitemap(): Promise<string> {
  const context = new RouterContextProvider();
  context.set(appContext, {
    origin: "https://product.example",
    product,
    gate: { kind: "signup" },
  } as Partial<App> as App);
  return loader({ context } as Partial<Parameters<typeof loader>[0]> as Parameters<typeof loader>[0]).text();
}

test.each(pages)("$pattern is in the sitemap under one address, or is excluded from search engines", async (page) => {
  const source = readFileSync(`app/${page.file}`, "utf8");
  const isCanonical = source.includes('rel: "canonical"');
  const isHidden = source.includes('content: "noindex"') && !isCanonical;
  expect({
    isCanonical,
    isInSitemap: (await sitemap()).includes(`<loc>https://product.example${page.path}</loc>`),
  }).toEqual({
    isCanonical: !isHidden,
    isInSitemap: !isHidden,
  });
});

test("some pages are indexed by search engines, and some are not", () => {
  expect(pages.length).toBeGreaterThan(7);
});
