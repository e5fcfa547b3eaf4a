import { askCloudflare } from "./ask-cloudflare.ts";

type Domain = { hostname: string; service: string };
type Zone = { id: string; name: string };
type Route = { pattern: string; script?: string };
/** What a deployment would change, as wrangler asks for it. */
type Changeset = { conflicting: { hostname: string; zone_id: string; external_dns_record_id?: string | null }[] };
type DnsRecord = { type: string; content: string };
/** A Worker that answers at a host by a route. `route` is null if the host is its custom domain. */
export type ServingWorker = { name: string; route: string | null };

/** The Worker that has a host as its custom domain. Null if there is none. */
export async function findWorkerOfHost(accountId: string, host: string): Promise<string | null> {
  const query = new URLSearchParams({ hostname: host });
  const domains = await askCloudflare<Domain[]>(`/accounts/${accountId}/workers/domains?${query}`);
  return domains?.find(({ hostname }) => hostname === host)?.service ?? null;
}

/**
 * The Worker that answers at an address. Null if there is none, or if the login may not know. Routes for some paths of a host, and those in
 * front of its custom domain, don't count: a site may have them beside its own Worker.
 */
export async function findServingWorker(accountId: string, origin: string): Promise<ServingWorker | null> {
  const host = hostOf(origin);
  if (host === null) return null;
  const name = await findWorkerOfHost(accountId, host);
  if (name !== null) return { name, route: null };
  const zone = await findZone(accountId, host);
  const routes = typeof zone === "string" ? [] : ((await listRoutes(zone)) ?? []);
  const whole = routes.filter(({ pattern }) => covers(pattern, host) && /^[^/]+\/\*$/.test(withoutScheme(pattern)));
  // The most specific route is taken: the host's own, else the longest.
  const [longest] = whole.toSorted((one, other) => other.pattern.length - one.pattern.length);
  const route = whole.find(({ pattern }) => hostPattern(pattern) === host) ?? longest;
  return route?.script ? { name: route.script, route: route.pattern } : null;
}

/** A custom domain or a route needs a zone: without one, its deployment fails once the database and the Worker exist. */
export async function zoneProblems(accountId: string, origin: string): Promise<string[]> {
  const host = hostOf(origin);
  if (host === null || (await findWorkerOfHost(accountId, host)) !== null) return [];
  if ((await findZone(accountId, host)) !== "none") return [];
  return [
    `No zone of this account covers ${host}: correct PUBLIC_ORIGIN, or add its domain to the account. If it has one, the API token has to read it`,
  ];
}

/**
 * Wrangler replaces a DNS record that conflicts with a custom domain, without asking if it has no terminal. No record is in the way of a
 * host that the Worker already has. Null if Cloudflare doesn't say whether there is one.
 */
export async function recordProblems(accountId: string, worker: string, hosts: string[]): Promise<string[] | null> {
  if (hosts.length === 0) return [];
  const changes = await askCloudflare<Changeset>(
    `/accounts/${accountId}/workers/scripts/${worker}/domains/changeset?replace_state=true`,
    hosts.map((hostname) => ({ hostname })),
  ).catch(() => null);
  if (changes === null) return null;
  const owners = await Promise.all(changes.conflicting.map(({ hostname }) => findWorkerOfHost(accountId, hostname)));
  const records = changes.conflicting.flatMap(({ external_dns_record_id: id, ...host }, at) =>
    id && owners[at] !== worker ? [{ ...host, id }] : [],
  );
  return Promise.all(
    records.map(async ({ hostname, zone_id: zone, id }) => {
      const record = await askCloudflare<DnsRecord>(`/zones/${zone}/dns_records/${id}`).catch(() => null);
      const what = record === null ? "a DNS record" : `the DNS record ${record.type} ${record.content}`;
      return `${hostname} has ${what}, which this deployment would replace, though another site may use it: choose another address. If the Worker takes its place, say -- --replace-dns-record`;
    }),
  );
}

/** Whether anyone can have used the Worker at this address. If Cloudflare doesn't say, they can. */
export async function wasAttached(accountId: string, worker: string, origin: string): Promise<boolean> {
  const host = hostOf(origin);
  if (host === null || (await findWorkerOfHost(accountId, host)) === worker) return true;
  const zone = await findZone(accountId, host);
  if (typeof zone === "string") return zone === "unknown";
  const routes = await listRoutes(zone);
  return routes === null || routes.some(({ pattern, script }) => script === worker && covers(pattern, host));
}

/** Null for the account's own address at workers.dev, which needs no zone, and for what isn't an address. */
function hostOf(origin: string): string | null {
  const host = URL.canParse(origin) ? new URL(origin).hostname : "";
  return host === "" || host.endsWith(".workers.dev") ? null : host;
}

/**
 * Asks by name, which a token for a single zone may do as well. A token without zones is refused the list or gets an empty one; wrangler's
 * own login reads all of them.
 */
async function findZone(accountId: string, host: string): Promise<Zone | "none" | "unknown"> {
  const labels = host.split(".");
  const names = labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
  const found = await Promise.all(names.map((name) => listZones({ "account.id": accountId, name })));
  const zone = found.flatMap((zones) => zones ?? [])[0];
  if (zone) return zone;
  const all = await listZones({ "account.id": accountId });
  return all === null || (all.length === 0 && process.env.CLOUDFLARE_API_TOKEN) ? "unknown" : "none";
}

/** Null if the token may not read them. */
function listZones(query: Record<string, string>): Promise<Zone[] | null> {
  return askCloudflare<Zone[]>(`/zones?${new URLSearchParams(query)}`).catch(() => null);
}

/** Null if the token may not read them. */
function listRoutes(zone: Zone): Promise<Route[] | null> {
  return askCloudflare<Route[]>(`/zones/${zone.id}/workers/routes`).catch(() => null);
}

/** https://developers.cloudflare.com/workers/configuration/routing/routes/#matching-behavior */
function covers(pattern: string, host: string): boolean {
  const ofHost = hostPattern(pattern);
  return ofHost.startsWith("*") ? host.endsWith(ofHost.slice(1)) : ofHost === host;
}

function hostPattern(pattern: string): string {
  return withoutScheme(pattern).replace(/\/.*$/, "");
}

function withoutScheme(pattern: string): string {
  return pattern.replace(/^https?:\/\//, "");
}
