import { href } from "react-router";
import { secondMs } from "#app/core/time/time.ts";

declare global {
  /** TypeScript takes the browser's type in place of the Worker's, and the browser's lacks this property. */
  interface CacheStorage {
    readonly default: Cache;
  }
}

/** Pages with the same content for every visitor without a cookie or query. */
const forAnyVisitor = new Set([
  href("/"),
  ...["terms", "privacy", "imprint"].map((page) => href("/legal/:page", { page })),
]);

/** Short, because a footer names the year. */
const maxAgeMs = 60 * secondMs;

/** Replaces the nonce that a page was rendered with, in its HTML and in the values of its headers. */
const nonceHere = "NONCE-OF-THIS-RESPONSE";

type CachedPage = { html: string; headers: [string, string][]; until: number };

/** The pages that one isolate has cached, by path. */
export type CachedPages = Map<string, CachedPage>;

type Deps = {
  clock: () => number;
  /** The nonce of this request's response, whether it is rendered or comes from a cache. */
  nonce: string;
  pages: CachedPages;
  /** Shared by the isolates of a data centre. */
  cache: Pick<Cache, "match" | "put">;
  /** The version of the deployed code and variables: a new deployment never answers with an older one's page. */
  version: string;
  later: (work: Promise<unknown>) => void;
};

/**
 * Caches public pages for one minute, in the isolate and behind it in Cloudflare's Cache API; each response gets a nonce of its own. On
 * launch day nearly all requests are for these pages. Requests with a cookie or a query are rendered individually, and so are requests that
 * arrive during a render: a promise ends with the request that created it.
 */
export async function withPageCache(deps: Deps, request: Request, render: () => Promise<Response>): Promise<Response> {
  const { clock, nonce, pages } = deps;
  const { origin, pathname, search } = new URL(request.url);
  const isPublicPage =
    request.method === "GET" && search === "" && !request.headers.has("Cookie") && forAnyVisitor.has(pathname);
  if (!isPublicPage) return render();
  const isFresh = (page: CachedPage | null | undefined) => page && clock() < page.until;
  const key = `${origin}/page-cache/${deps.version}${pathname}`;
  let page = pages.get(pathname) ?? null;
  if (!isFresh(page)) page = await findShared(deps.cache, key);
  if (page && isFresh(page)) {
    pages.set(pathname, page);
    return withNonce(page, nonce);
  }
  const answer = await render();
  if (answer.status !== 200 || answer.headers.has("Set-Cookie")) return answer;
  const rendered = await withoutNonce(answer, nonce, clock() + maxAgeMs);
  pages.set(pathname, rendered);
  deps.later(share(deps.cache, key, rendered));
  return withNonce(rendered, nonce);
}

async function withoutNonce(answer: Response, nonce: string, until: number): Promise<CachedPage> {
  const replaced = (text: string) => text.replaceAll(nonce, nonceHere);
  const headers = [...answer.headers].map(([name, value]): [string, string] => [name, replaced(value)]);
  return { html: replaced(await answer.text()), headers, until };
}

function withNonce({ html, headers }: CachedPage, nonce: string): Response {
  const replaced = (text: string) => text.replaceAll(nonceHere, nonce);
  return new Response(replaced(html), {
    headers: headers.map(([name, value]): [string, string] => [name, replaced(value)]),
  });
}

/** A cache that fails counts as one without the page. */
async function findShared(cache: Deps["cache"], key: string): Promise<CachedPage | null> {
  try {
    return (await (await cache.match(key))?.json<CachedPage>()) ?? null;
  } catch {
    return null;
  }
}

/** Stores the page as data, so that visitors still get the page's own Cache-Control. */
async function share(cache: Deps["cache"], key: string, page: CachedPage): Promise<void> {
  const headers = { "Cache-Control": `max-age=${maxAgeMs / secondMs}` };
  try {
    await cache.put(key, Response.json(page, { headers }));
  } catch {
    // The next isolate renders the page.
  }
}
