import { product } from "#app/product/config.ts";
import routes from "#app/routes.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { features } from "#app/features.ts";

type Entry = { path?: string; index?: boolean; file: string; children?: Entry[] };

/** One address of app/routes.ts. */
export type Address = {
  /** As the route map writes it: `/payment/:status`. */
  pattern: string;
  file: string;
  /** React Router's id of it, which its client requests by name. */
  id: string;
  /** The pattern with a value for each parameter. */
  path: string;
  /** The address from which React Router's own client requests its data. */
  dataPath: string;
};

/** Every address there is, from the route map itself: a new one is tested by every test that uses this list. */
export const addresses: readonly Address[] = flatten(routes, "");

/** The patterns of the pages whose paths never change. */
export const fixedPaths: readonly string[] = [
  "/",
  "/signup",
  "/login",
  "/verify",
  ...publicPages(({ isFixed }) => isFixed),
  "/payment/:status",
  "/settings",
  `/settings/${product.segment}/account`,
  `/settings/${product.segment}/plan`,
  "/settings/orders",
  "/settings/referral",
  "/settings/upgrade",
  ...features.flatMap(({ settingsPages = [] }) =>
    settingsPages.filter(({ isFixed }) => isFixed).map(({ path }) => segmentPath(product, path)),
  ),
];

/** The paths of features' pages outside the settings. */
export function publicPages(isWanted: (page: { isFixed: boolean }) => boolean = () => true): string[] {
  return features.flatMap(({ publicPages: own = [] }) => own.filter(isWanted).map(({ path }) => `/${path}`));
}

function flatten(entries: Entry[], above: string): Address[] {
  return entries.flatMap((entry) => {
    const pattern = entry.path === undefined ? above || "/" : `${above === "/" ? "" : above}/${entry.path}`;
    return entry.children ? flatten(entry.children, pattern) : [describe(pattern, entry.file)];
  });
}

function describe(pattern: string, file: string): Address {
  const path = pattern.replace(":status", "success").replace(":page", "terms").replace("*", "anything/else");
  const dataPath = path === "/" ? "/_root.data" : `${path}.data`;
  return { pattern, file, id: file.replace(/\.tsx?$/, ""), path, dataPath };
}
