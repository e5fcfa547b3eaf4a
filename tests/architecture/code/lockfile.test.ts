import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Locked = { version?: string; resolved?: string; optionalDependencies?: Record<string, string> };
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Locked> };

test("the lockfile has the programs of every platform that a package offers, not those of the machine that wrote it alone", () => {
  const offered = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    path === "" ? [] : Object.keys(optionalDependencies).map((name) => ({ path, name })),
  );
  expect(offered.length).toBeGreaterThan(50);
  const missing = offered.filter(({ path, name }) => !isLocked(path, name));
  expect(missing).toEqual([]);
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
