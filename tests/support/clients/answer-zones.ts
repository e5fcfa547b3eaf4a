export type CloudflareZones = {
  names: string[];
  /** The account's Workers by the pattern that leads to each, without its end, a slash and a star. Empty: to no Worker. */
  routes?: Record<string, string>;
  /** By host. */
  records?: Record<string, { type: string; content: string }>;
  /** Hosts with a certificate of their own, which conflicts with a custom domain's, also with one that is there. */
  certificates?: string[];
};

/** What a token that may read them gets; null: not found. A zone's id is its name. */
export function answerZones(
  { names, routes = {}, records = {} }: CloudflareZones,
  path: string,
  query: URLSearchParams,
): unknown {
  const [, recordId] = /^\/zones\/[^/]+\/dns_records\/([^/]+)$/.exec(path) ?? [];
  if (recordId !== undefined) return records[recordId] ?? null;
  const [, zone] = /^\/zones\/([^/]+)\/workers\/routes$/.exec(path) ?? [];
  if (zone !== undefined)
    return Object.entries(routes)
      .filter(([host]) => host.replace(/\/.*/, "").endsWith(zone))
      .map(([host, script]) => ({ id: host, pattern: `${host}/*`, ...(script && { script }) }));
  if (path !== "/zones" || query.get("account.id") !== "acc0") return null;
  const name = query.get("name");
  return names.filter((one) => name === null || one === name).map((one) => ({ id: one, name: one, status: "active" }));
}

/**
 * What wrangler asks about the custom domains of a Worker before it sets them, and what becomes of records and `domains` then: the Worker
 * of each host. Null: something else answers.
 */
export function answerDomains(
  { names, records = {}, certificates = [] }: CloudflareZones,
  domains: Record<string, string>,
  path: string,
  body: string,
): unknown {
  const [, worker = "", part] = /\/workers\/scripts\/([^/]+)\/domains\/(changeset|records)$/.exec(path) ?? [];
  if (part === "records") {
    const sent = JSON.parse(body) as { override_existing_dns_record: boolean; origins: { hostname: string }[] };
    for (const { hostname } of sent.origins) {
      if (sent.override_existing_dns_record) delete records[hostname];
      domains[hostname] = worker;
    }
  }
  if (part !== "changeset") return null;
  const wanted = (JSON.parse(body) as { hostname: string }[]).map(({ hostname }) => {
    const zone = names.find((name) => hostname.endsWith(name));
    return { id: hostname, zone_id: zone, zone_name: zone, hostname, service: worker, environment: "production" };
  });
  const known = wanted.filter(({ hostname }) => domains[hostname]);
  const unknown = wanted.filter(({ hostname }) => !domains[hostname]);
  return {
    added: unknown.filter(({ hostname }) => !records[hostname]),
    removed: [],
    updated: known.map((one) => ({ ...one, modified: domains[one.hostname] !== worker })),
    conflicting: [
      ...unknown
        .filter(({ hostname }) => records[hostname])
        .map((one) => ({ ...one, external_dns_record_id: one.hostname })),
      ...wanted
        .filter(({ hostname }) => certificates.includes(hostname))
        .map((one) => ({ ...one, external_dns_record_id: records[one.hostname] ? one.hostname : null })),
    ],
  };
}
