/** The zones of an account, and the routes to its Workers by their pattern without its end, a slash and a star. Empty: to no Worker. */
export type CloudflareZones = { names: string[]; routes?: Record<string, string> };

/** What a token that may read them gets; null: not found. A zone's id is its name. */
export function answerZones({ names, routes = {} }: CloudflareZones, path: string, query: URLSearchParams): unknown {
  const [, zone] = /^\/zones\/([^/]+)\/workers\/routes$/.exec(path) ?? [];
  if (zone !== undefined)
    return Object.entries(routes)
      .filter(([host]) => host.replace(/\/.*/, "").endsWith(zone))
      .map(([host, script]) => ({ id: host, pattern: `${host}/*`, ...(script && { script }) }));
  if (path !== "/zones" || query.get("account.id") !== "acc0") return null;
  const name = query.get("name");
  return names.filter((one) => name === null || one === name).map((one) => ({ id: one, name: one, status: "active" }));
}
