import routes from "#app/routes.ts";

type Entry = { path?: string; index?: boolean; file: string; children?: Entry[] };

/** One address of app/routes.ts. */
export type Address = {
  /** As the map writes it: `/payment/:status`. */
  pattern: string;
  file: string;
  /** What React Router calls it, and its own client asks for by name. */
  id: string;
  /** The pattern with something where it has a parameter. */
  path: string;
  /** Where React Router's own client asks for the data of that. */
  dataPath: string;
};

/** Every address there is, from the map itself: one that is added is asked for by every test that goes by this list. */
export const addresses: readonly Address[] = flatten(routes, "");

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
