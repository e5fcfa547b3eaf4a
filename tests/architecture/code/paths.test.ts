import { globSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { describe, expect, test } from "vitest";
import { addresses } from "#tests/support/site/addresses.ts";

type Written = {
  type?: string;
  value?: unknown;
  name?: string;
  property?: Written;
  key?: Written;
  callee?: Written;
} & {
  quasis?: { value: { raw: string } }[];
  expressions?: Written[];
};

/** Every path that a file writes out, alone or after the origin, without its query. A `*` is what a template inserts. `href()` checks its own. */
function pathsIn(file: string, text: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const written = node as Written;
    if (written.callee?.name === "href" || written.type?.startsWith("Import")) return;
    // The paths of calls, below the API's prefix.
    if (/^app\/api\/|calls\.ts$/.test(file) && ["path", "prefix"].includes(written.key?.name ?? "")) return;
    const path = /^\/[a-z*][^?#\s]*/.exec(textOf(written) ?? "")?.[0];
    if (path !== undefined) found.push(path);
    Object.values(node).forEach(visit);
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

/** Without the page that says that there is none. */
const routePaths = addresses.map(({ pattern }) => pattern).filter((path) => path !== "/*");

/** Does a route have such a path? What a template inserts is a segment, or the query after the last one. */
function isRoute(path: string): boolean {
  const written = path.replace(/\/$|(?<=[^/])\*$/, "").split("/");
  return routePaths.some((known) => {
    const segments = known.split("/");
    const fits = (segment: string, at: number) =>
      segment.startsWith(":") || segment === written[at] || (at > 1 && written[at] === "*");
    return segments.length === written.length && segments.every(fits);
  });
}

/** A call of the APIs, which the Worker answers before the routes; the beginning of routes; a file. */
const isOther = (path: string): boolean =>
  path.startsWith("/api/") ||
  (path.endsWith("/") && routePaths.some((known) => known.startsWith(path))) ||
  globSync([`public${path}`, `app/product/public${path}`]).length > 0;

describe("a path that the code writes out", () => {
  test("is a route's", () => {
    const files = globSync("app/**/*.{ts,tsx}").filter(
      (file) =>
        !/\.test\.|\/(tests|tools)\/|^app\/(routes\.ts|integrations\/|features\/[^/]+\/integrations\/)/.test(file),
    );
    const paths = files.flatMap((file) => pathsIn(file, readFileSync(file, "utf8")).map((path) => ({ file, path })));
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter(({ path }) => !isRoute(path) && !isOther(path))).toEqual([]);
  });

  test.each([
    ['const start = "/settings/upgrades";', "/settings/upgrades"],
    ["const a = `/settings/upgrades?plan=${plan.id}`;", "/settings/upgrades"],
    ["const a = `${app.origin}/order?id=${id}`;", "/order"],
    ["const a = `/settings/${config.segment}/${page}/more`;", "/settings/*/*/more"],
    ["const a = `/${page}`;", "/*"],
  ])("is found where it is none: %s", (text, path) => {
    expect(pathsIn("a.ts", text)).toEqual([path]);
    expect(isRoute(path)).toBe(false);
  });

  test.each(["`${origin}/login`", "`/payment/${state}?order=${id}`", "`/settings/${segment}/plan`", '"/legal/terms"'])(
    "is accepted: %s",
    (text) => expect(pathsIn("a.ts", `f(${text});`).map(isRoute)).toEqual([true]),
  );
});
