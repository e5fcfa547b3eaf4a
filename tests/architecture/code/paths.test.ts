import { globSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { matchRoutes, type RouteObject } from "react-router";
import { describe, expect, test } from "vitest";
import routes from "#app/routes.ts";

type Path = { path: string; isHref: boolean };

/** Every path of the site that a file writes out, and whether `href()` checks it against the routes. */
function pathsIn(file: string, text: string): Path[] {
  const found: Path[] = [];
  const visit = (node: unknown, isHref: boolean): void => {
    if (Array.isArray(node)) for (const part of node) visit(part, isHref);
    else if (typeof node === "object" && node !== null) {
      const { type, value, callee } = node as { type?: string; value?: unknown; callee?: { name?: string } };
      const texts = type === "Literal" ? [value] : type === "TemplateElement" ? [(value as { raw: string }).raw] : [];
      for (const written of texts) {
        const path = typeof written === "string" ? /^\/[a-z][\w./-]*/.exec(written)?.[0] : undefined;
        if (path) found.push({ path, isHref });
      }
      if (type?.startsWith("Import")) return;
      for (const part of Object.values(node)) visit(part, isHref || callee?.name === "href");
    }
  };
  visit(parseSync(file, text).program, false);
  return found;
}

/** Not the routes' own: a file in `public`, the endpoint's prefix, and an example of a path. */
const others = ["/favicon.svg", "/webhooks/", "/settings/"];

const filesOf = (patterns: string[]): string[] =>
  globSync(patterns).filter((file) => !/\.test\.|\/routes\.ts$/.test(file));

const literalsIn = (file: string, text: string): string[] =>
  pathsIn(file, text)
    .filter(({ path, isHref }) => !isHref && !others.includes(path) && isRoute(path))
    .map(({ path }) => `${file}: ${path}`);

const known = routes as unknown as RouteObject[];

/** Is there a route other than the page that says that there is none? */
function isRoute(path: string): boolean {
  const matches = matchRoutes(known, path) ?? [];
  return matches.length > 0 && matches.at(-1)?.route.path !== "*";
}

describe("paths", () => {
  test("are written with href(), so that a renamed route doesn't compile", () => {
    const files = filesOf([
      "app/{routes,http,workflows,client,ui}/**/*.{ts,tsx}",
      "app/root.tsx",
      "app/product/**/*.tsx",
    ]);
    const all = files.map((file) => ({ file, text: readFileSync(file, "utf8") }));
    expect(all.filter(({ text }) => text.includes('href("/')).length).toBeGreaterThan(30);
    expect(all.flatMap(({ file, text }) => literalsIn(file, text))).toEqual([]);
  });

  test.each(['<Link to="/settings/orders" />', "const a = `/settings/orders?order=${id}`;", 'redirect("/login")'])(
    "are found in %s",
    (text) => expect(literalsIn("a.tsx", text)).toHaveLength(1),
  );

  test("of links in emails are routes", () => {
    const files = filesOf(["app/{modules,api}/**/*.ts"]);
    const links = files.flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/origin\}(\/[\w/.-]+)/g)].map(([, path = ""]) => path),
    );
    const missing = links.filter((path) => !path.startsWith("/api/") && !isRoute(path));
    expect(links.length).toBeGreaterThan(15);
    expect(missing).toEqual([]);
    expect(isRoute("/settings/nowhere")).toBe(false);
  });
});
