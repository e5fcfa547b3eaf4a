import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Locked = {
  optionalDependencies?: Record<string, string>;
  hasInstallScript?: boolean;
  deprecated?: string;
  engines?: Record<string, string>;
};
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Locked> };

test("the lockfile has the programs of every platform that a package offers, not those of the machine that wrote it alone", () => {
  const offered = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    path === "" ? [] : Object.keys(optionalDependencies).map((name) => ({ path, name })),
  );
  expect(offered.length).toBeGreaterThan(50);
  const missing = offered.filter(({ path, name }) => !isLocked(path, name));
  expect(missing).toEqual([]);
});

test("installing warns of nothing: no package is deprecated, and each one's install script is allowed or refused", () => {
  const { allowScripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
    allowScripts: Record<string, boolean>;
  };
  const installed = Object.entries(packages).filter(([path]) => path !== "");
  const withScript = installed.filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = new Set(withScript.map(([path]) => path.replace(/^.*node_modules\//, "")));
  expect(names).toEqual(new Set(Object.keys(allowScripts)));
  expect(installed.filter(([, { deprecated }]) => deprecated !== undefined)).toEqual([]);
});

test("documents that name a version of Node to install name that of engines", () => {
  const [, node = ""] = /^>=(.+)$/.exec(packages[""]?.engines?.["node"] ?? "") ?? [];
  expect(node).toMatch(/^\d+\.\d+$/);
  const named = globSync(["*.md", "docs/guides/*.md"]).flatMap((path) => [
    ...readFileSync(path, "utf8").matchAll(/\bNode (\d+\.\d+)\b/g),
  ]);
  expect(named.filter(([, version]) => version !== node)).toEqual([]);
});

test("the packages here develop with the versions that the site has", () => {
  const { dependencies, devDependencies, overrides } = JSON.parse(readFileSync("package.json", "utf8")) as Record<
    string,
    Record<string, string>
  >;
  const ofSite = { ...overrides, ...devDependencies, ...dependencies };
  for (const manifest of globSync("packages/*/package.json")) {
    const own = (JSON.parse(readFileSync(manifest, "utf8")) as { devDependencies: Record<string, string> })
      .devDependencies;
    expect(Object.keys(own).length).toBeGreaterThan(0);
    for (const [name, version] of Object.entries(own))
      expect({ name, version }).toEqual({ name, version: ofSite[name] });
  }
});

/** In the package's own folder, or in one above it. */
function isLocked(path: string, name: string): boolean {
  const folders = path.split("/node_modules/");
  return (
    folders.some((_, index) => {
      const above = folders.slice(0, folders.length - index).join("/node_modules/");
      return `${above}/node_modules/${name}` in packages;
    }) || `node_modules/${name}` in packages
  );
}
