import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const client = "build/client";

/** What the framework writes about a route of the build, as far as it is read here. */
type BuiltRoute = {
  id: string;
  parentId?: string;
  path?: string;
  index?: boolean;
  module: string;
  imports: string[];
  css: string[];
  hasDefaultExport: boolean;
};
type Manifest = { entry: Pick<BuiltRoute, "module" | "imports">; routes: Record<string, BuiltRoute> };

export type PageWeight = { path: string; scripts: number; styles: number };

/**
 * Every page of the build by its path, with what it loads: the entry, the route, the routes around it, and what they
 * import.
 */
export function pageWeights(): PageWeight[] {
  const { entry, routes } = readManifest();
  return Object.values(routes)
    .filter((route) => route.hasDefaultExport && (route.path || route.index))
    .map((route) => {
      const chain = chainOf(route, routes);
      const scripts = new Set([entry, ...chain].flatMap(({ module, imports }) => [module, ...imports]));
      const styles = new Set(chain.flatMap(({ css }) => css));
      const path = `/${chain
        .map((each) => each.path ?? "")
        .filter((part) => part !== "")
        .join("/")}`;
      return { path, scripts: weightOf(scripts), styles: weightOf(styles) };
    })
    .toSorted((one, other) => one.path.localeCompare(other.path));
}

/** All scripts of the Worker. */
export function workerWeight(): number {
  return filesOf("build/server", /\.js$/).reduce((sum, path) => sum + packed(path), 0);
}

export function fontWeight(): number {
  return filesOf(client, /\.woff2$/).reduce((sum, path) => sum + readFileSync(path).length, 0);
}

function readManifest(): Manifest {
  const [path = ""] = filesOf(join(client, "assets"), /manifest-\w+\.js$/);
  const [, json = ""] = /^window\.__reactRouterManifest=(.*);$/s.exec(readFileSync(path, "utf8")) ?? [];
  return JSON.parse(json) as Manifest;
}

function chainOf(route: BuiltRoute, routes: Manifest["routes"]): BuiltRoute[] {
  const parent = route.parentId === undefined ? undefined : routes[route.parentId];
  return [...(parent ? chainOf(parent, routes) : []), route];
}

function weightOf(addresses: ReadonlySet<string>): number {
  return [...addresses].reduce((sum, address) => sum + packed(join(client, address)), 0);
}

function packed(path: string): number {
  return gzipSync(readFileSync(path), { level: 9 }).length;
}

function filesOf(folder: string, name: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => name.test(file))
    .map((file) => join(folder, file));
}
