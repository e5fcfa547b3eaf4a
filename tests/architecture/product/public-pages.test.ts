import { readFileSync } from "node:fs";
import { RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import type { App } from "#app/app.ts";
import { features } from "#app/features.ts";
import { appContext } from "#app/http/request/contexts.ts";
import { product } from "#app/product/config.ts";
import { loader } from "#app/routes/sitemap/route.ts";
import { addresses } from "#tests/support/site/addresses.ts";

function sitemap(): Promise<string> {
  const context = new RouterContextProvider();
  context.set(appContext, {
    origin: "https://product.example",
    product,
    gate: { kind: features.some(({ gate }) => gate) ? "signup" : "none" },
  } as Partial<App> as App);
  return loader({ context } as Partial<Parameters<typeof loader>[0]> as Parameters<typeof loader>[0]).text();
}

/** The file of a page in app/routes.ts, by its address. */
function fileOf(path: string): string {
  const address = addresses.find(({ pattern }) => new RegExp(`^${pattern.replaceAll(/:\w+/g, "[^/]+")}$`).test(path));
  return `app/${address?.file}`;
}

test("each page of the sitemap has one address, and isn't excluded from search engines", async () => {
  const paths = [...(await sitemap()).matchAll(/<loc>https:\/\/product\.example(.*?)<\/loc>/g)].map(
    ([, path = ""]) => path,
  );
  expect(paths.length).toBeGreaterThan(7);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths.filter((path) => !readFileSync(fileOf(path), "utf8").includes('rel: "canonical"'))).toEqual([]);
});

test.each(["/verify", "/payment/success", "/set-up"])("%s is excluded from search engines", (path) => {
  expect(readFileSync(fileOf(path), "utf8")).toContain('content: "noindex"');
});
