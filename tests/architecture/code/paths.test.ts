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

type Written = { type?: string; value?: unknown; name?: string; property?: Written; key?: Written } & {
  quasis?: { value: { raw: string } }[];
  expressions?: Written[];
};

/** Every path that a file writes out, alone or after the origin, without its query. A `*` is what a template inserts. */
function linksIn(file: string, text: string): { file: string; path: string }[] {
  const found: { file: string; path: string }[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const written = node as Written;
    // The paths of calls, below the API's prefix.
    if (file.startsWith("app/api/") && ["path", "prefix"].includes(written.key?.name ?? "")) return;
    const path = /^\/(?!\/)[^?#\s]*/.exec(textOf(written) ?? "")?.[0];
    if (path !== undefined && !path.startsWith("/api/")) found.push({ file, path });
    if (!written.type?.startsWith("Import")) Object.values(node).forEach(visit);
  };
  visit(parseSync(file, text).program);
  return found;
}

function textOf({ type, value, quasis = [], expressions = [] }: Written): string | null {
  if (type === "Literal") return typeof value === "string" ? value : null;
  if (type !== "TemplateLiteral") return null;
  const isOrigin = (expressions[0]?.property ?? expressions[0])?.name === "origin" && quasis[0]?.value.raw === "";
  return quasis
    .map(({ value: { raw } }) => raw)
    .join("*")
    .slice(isOrigin ? 1 : 0);
}

type Entry = { path?: string; children?: Entry[] };

const pathsOf = (entries: readonly Entry[], base = ""): string[] =>
  entries.flatMap(({ path, children }) => {
    const whole = path === undefined ? base : `${base}/${path}`;
    return children ? pathsOf(children, whole) : [whole];
  });

/** Without the page that says that there is none. */
const routePaths = pathsOf(routes).filter((path) => path !== "/*");

/** Does a route have such a path? What a template inserts is a segment, or the query after the last one. */
function isWrittenRoute(path: string): boolean {
  const written = path.replace(/\/$|(?<=[^/])\*$/, "").split("/");
  return routePaths.some((known) => {
    const segments = known.split("/");
    const fits = (segment: string, at: number) =>
      segment.startsWith(":") || segment === written[at] || (at > 1 && written[at] === "*");
    return segments.length === written.length && segments.every(fits);
  });
}

describe("paths", () => {
  test("are written with href(), so that a renamed route doesn't compile", () => {
    const files = filesOf([
      "app/{routes,http,workflows,client,ui}/**/*.{ts,tsx}",
      "app/root.tsx",
      "workers/*.ts",
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

  test("are written in one file where href() isn't available: for rules, commands and the product API", () => {
    const files = filesOf(["app/{core,modules,api}/**/*.ts"]);
    const links = files.flatMap((file) => linksIn(file, readFileSync(file, "utf8")));
    const own = links.filter(({ file }) => file === "app/core/page-paths.ts");
    expect(own.length).toBeGreaterThan(10);
    expect(own.filter(({ path }) => !isWrittenRoute(path))).toEqual([]);
    expect(links.filter((link) => !own.includes(link) && link.path !== "/")).toEqual([]);
  });

  test.each([
    ['const start = "/settings/upgrades";', "/settings/upgrades"],
    ["const a = `/settings/upgrades?plan=${plan.id}`;", "/settings/upgrades"],
    ["const a = `${app.origin}/order?id=${id}`;", "/order"],
    ["const a = `/settings/${config.segment}/${page}/more`;", "/settings/*/*/more"],
    ["const a = `/${page}`;", "/*"],
  ])("that match no route are found in %s", (text, path) => {
    expect(linksIn("a.ts", text)).toEqual([{ file: "a.ts", path }]);
    expect(isWrittenRoute(path)).toBe(false);
  });

  test.each(["`${origin}/`", "`/payment/${state}?order=${id}`", "`/settings/${segment}/plan`", '"/legal/terms"'])(
    "that match a route are accepted: %s",
    (text) => expect(linksIn("a.ts", `f(${text});`).map(({ path }) => isWrittenRoute(path))).toEqual([true]),
  );
});
