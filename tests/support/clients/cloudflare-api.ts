import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import type { CloudflareRows } from "./cloudflare-rows.ts";
import type { CloudflareUploads } from "./cloudflare-uploads.ts";
import { answerDomains, answerZones, type CloudflareZones } from "./answer-zones.ts";

type Account = {
  accounts?: string[];
  databases?: string[];
  /** Titles of KV namespaces. */
  stores?: string[];
  /** Of each database, as it was created; null: without one. */
  jurisdiction?: string | null;
  /** Of single databases, in place of `jurisdiction`. */
  jurisdictions?: Record<string, string>;
  secrets?: string[] | null;
  /** Secrets can't be uploaded. */
  refusesSecrets?: boolean;
  /** Subscribers by plan id; `no-tables`: nothing was ever deployed. */
  plansInUse?: Record<string, number> | "no-tables";
  /** By plan id, as the running Worker's config has them, in minor units per month. */
  soldPrices?: Record<string, number>;
  /** Secrets are set, and the answer about them is lost. */
  losesAnswer?: boolean;
  /** PUBLIC_ORIGIN of each deployed Worker. */
  deployed?: Record<string, string>;
  /** The database that each deployed Worker has, by its place in `databases`. */
  bound?: number;
  /** Their other variables. */
  variables?: Record<string, string>;
  /** The Worker that has a host as its custom domain. */
  domains?: Record<string, string>;
  /** Without it, the token may read no zone. */
  zones?: CloudflareZones;
  /** Paths that Cloudflare answers with an error of its own. */
  broken?: RegExp;
  /** The account's workers.dev subdomain; null: none is registered yet. */
  subdomain?: string | null;
  /** Without it, uploads are refused. */
  uploads?: CloudflareUploads;
  /** Answers queries and takes files of SQL, in place of answers without rows. */
  rows?: CloudflareRows;
  /** A part of the path that can't be deleted. */
  failing?: string;
};

/**
 * As much of Cloudflare's API as wrangler needs before an upload: the account, databases, secrets, migrations.
 * `secrets: null` is an account without the Worker, which can be created empty. The upload itself is refused.
 */
export async function startCloudflareApi(account: Account) {
  const {
    accounts = ["One"],
    plansInUse = {},
    deployed = {},
    domains = {},
    uploads,
    rows,
    jurisdiction = null,
    subdomain = "ada",
    broken,
  } = account;
  const { failing = null } = account;
  let secrets = account.secrets ?? null;
  const calls: string[] = [];
  /** The values of secrets that were set. */
  const values: Record<string, string> = {};
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const body = await text(request);
    calls.push(`${request.method} ${pathname}${/CREATE TABLE `?(\w+)/i.exec(body)?.[0] ?? ""}`);
    response.setHeader("Content-Type", "application/json");
    if (broken?.test(pathname)) {
      response.statusCode = 500;
      response.end(
        JSON.stringify({ success: false, errors: [{ code: 10013, message: "Try again later" }], result: null }),
      );
      return;
    }
    const [, changed = ""] = /\/scripts\/([^/]+)\/secrets/.exec(pathname) ?? [];
    if (request.method !== "GET" && uploads?.hasUndeployedVersion(changed)) {
      response.statusCode = 400;
      const message = "The latest version isn't currently deployed";
      response.end(JSON.stringify({ success: false, errors: [{ code: 10215, message }], result: null }));
      return;
    }
    if (rows?.takeFile(request, response, body)) return;
    const ofRows = await rows?.answer(pathname, body, request.headers.host ?? "");
    // The code that is uploaded has statements of its own.
    const query = pathname.endsWith("/query") ? body : "";
    const asksPlans = query.includes("from subscriptions");
    const asksPrices = account.soldPrices && query.includes("as prices from sold_plans");
    const result = ofRows
      ? ofRows
      : asksPlans
        ? answerPlans()
        : asksPrices
          ? answerPrices()
          : (answerWrite(request.method ?? "", pathname, body) ??
            answer(pathname, searchParams) ??
            uploads?.answer(request.method ?? "", pathname.replace(/^\/accounts\/acc\d/, ""), body) ??
            null);
    const error = asksPlans
      ? { code: 7500, message: "no such table: subscriptions: SQLITE_ERROR" }
      : {
          code: codeOf(pathname),
          message: "The test API supports no more than this",
        };
    response.statusCode = result === null ? 404 : 200;
    const whole = { success: result !== null, errors: result === null ? [error] : [], messages: [], result };
    response.end(JSON.stringify({ ...whole, result_info: { page: 1, per_page: 100, count: 1, total_count: 1 } }));
  });
  /** What doesn't exist; anything else isn't supported. */
  function codeOf(pathname: string): number {
    if (uploads && pathname.includes("/workers/services/")) return 10090;
    if (pathname.endsWith("/workers/subdomain")) return 10007;
    return /\/secrets(-bulk)?$/.test(pathname) || (uploads && pathname.includes("/workers/")) ? 10007 : 7003;
  }
  const variables = Object.entries(account.variables ?? {}).map(([name, value]) => variable(name, value));
  const named = (account.databases ?? []).map((name, index) =>
    database(name, index, account.jurisdictions?.[name] ?? jurisdiction),
  );
  const stores = (account.stores ?? []).map((title, index) => ({ id: `store${index}`, title }));
  const own = accounts.map((name, index) => ({ id: `acc${index}`, name }));
  function answerPlans(): unknown {
    if (plansInUse === "no-tables") return null;
    const results = Object.entries(plansInUse).map(([id, subscribers]) => ({ plan_id: id, subscribers }));
    return [{ results, success: true, meta: {} }];
  }
  function answerPrices(): unknown {
    const results = Object.entries(account.soldPrices ?? {}).map(([id, amountMinor]) => ({
      plan_id: id,
      prices: JSON.stringify({ month: { amountMinor } }),
    }));
    return [{ results, success: true, meta: {} }];
  }
  function answerWrite(method: string, pathname: string, body: string): unknown {
    const ofDomains = account.zones && answerDomains(account.zones, domains, pathname, body);
    if (ofDomains) return ofDomains;
    const isNew = secrets === null;
    if (method === "PUT" && isNew && /\/workers\/scripts\/[^/]+$/.test(pathname)) {
      secrets = [];
      return {};
    }
    if (method === "POST" && pathname.endsWith("/d1/database")) {
      const sent = JSON.parse(body) as { name: string; jurisdiction?: string };
      calls.push(`created ${sent.name} in ${sent.jurisdiction}`);
      named.push(database(sent.name, named.length, sent.jurisdiction ?? null));
      return named.at(-1);
    }
    if (method === "DELETE" && /\/(services|d1\/database|namespaces)\//.test(pathname)) return remove(pathname);
    const [, deleted] = /\/secrets\/(\w+)$/.exec(pathname) ?? [];
    if (method === "DELETE" && deleted !== undefined) {
      secrets = secrets?.filter((name) => name !== deleted) ?? null;
      return {};
    }
    if (method === "PUT" && secrets !== null && pathname.endsWith("/secrets")) {
      const { name, text: value } = JSON.parse(body) as { name: string; text: string };
      values[name] = value;
      secrets = [...secrets, name];
      return {};
    }
    if (method !== "PATCH" || secrets === null || account.refusesSecrets || !pathname.endsWith("/secrets-bulk"))
      return null;
    const sent = JSON.parse(body) as { secrets: Record<string, { name: string; text: string }> };
    for (const { name, text: value } of Object.values(sent.secrets)) {
      values[name] = value;
      secrets = [...secrets, name];
    }
    return account.losesAnswer ? null : {};
  }
  function remove(pathname: string): unknown {
    const id = pathname.replace(/.*\//, "");
    if (failing !== null && pathname.includes(failing)) return null;
    if (pathname.includes("/services/")) delete deployed[id];
    const kind = pathname.includes("/d1/") ? named : stores;
    const index = kind.findIndex((one) => ("uuid" in one ? one.uuid : one.id) === id);
    if (index >= 0) kind.splice(index, 1);
    return {};
  }
  function answer(pathname: string, query: URLSearchParams): unknown {
    const sent = pathname.replace(/^\/accounts\/acc\d/, "");
    if (sent === "/user/tokens/verify") return { id: "token", status: "active" };
    if (sent === "/user") return { id: "user", email: "ada@example.com" };
    if (sent === "/accounts") return own;
    if (sent === "/memberships") return own.map((account) => ({ account }));
    if (sent.startsWith("/zones")) return account.zones ? answerZones(account.zones, sent, query) : null;
    if (sent === "/d1/database") return named;
    if (sent === "/storage/kv/namespaces" && account.stores) return Number(query.get("page") ?? 1) > 1 ? [] : stores;
    if (sent.endsWith("/query")) return [{ results: [], success: true, meta: {} }];
    if (sent.startsWith("/d1/database/"))
      return named.find(({ name, uuid }) => sent.endsWith(`/${name}`) || sent.endsWith(`/${uuid}`)) ?? null;
    if (sent === "/workers/subdomain") return subdomain === null ? null : { subdomain };
    if (sent === "/workers/domains") {
      const hostname = query.get("hostname") ?? "";
      return domains[hostname] ? [{ hostname, service: domains[hostname] }] : [];
    }
    const [, worker = ""] = /^\/workers\/scripts\/([^/]+)\/settings$/.exec(sent) ?? [];
    const bound = account.bound === undefined ? [] : [{ type: "d1", name: "DB", id: named[account.bound]?.uuid }];
    if (deployed[worker]) return { bindings: [variable("PUBLIC_ORIGIN", deployed[worker]), ...variables, ...bound] };
    if (sent.endsWith("/secrets")) return secrets?.map((name) => ({ name, type: "secret_text" })) ?? null;
    return null;
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The test API has no port.");
  return { calls, values, url: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}

function database(name: string, index: number, jurisdiction: string | null) {
  return { uuid: `00000000-0000-0000-0000-00000000000${index}`, name, jurisdiction };
}

function variable(name: string, text: string) {
  return { type: "plain_text", name, text };
}
