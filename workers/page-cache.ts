import { href } from "react-router";
import { secondMs } from "#app/core/time/time.ts";

/** Pages with the same content for every visitor without a cookie or query. */
const forAnyVisitor = new Set([
  href("/"),
  ...["terms", "privacy", "imprint"].map((page) => href("/legal/:page", { page })),
]);

/** Short, because a footer names the year. */
const maxAgeMs = 60 * secondMs;

/** The HTML between the places of the nonce it was rendered with, and the response headers. */
type CachedPage = { pieces: string[]; headers: [string, string][]; nonce: string; until: number };

const cachedPages = new Map<string, CachedPage>();

/** `nonce`: of this request's response, whether it is rendered or comes from the cache. */
type Deps = { clock: () => number; nonce: string };

/**
 * Caches public pages for one minute per isolate; each response gets a nonce of its own. On launch day nearly all requests are for these
 * pages. Requests with a cookie or a query are rendered individually, and so are requests that arrive during a render: a promise ends
 * with the request that created it.
 */
export async function withPageCache(
  { clock, nonce }: Deps,
  request: Request,
  render: () => Promise<Response>,
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const isPublicPage =
    request.method === "GET" && search === "" && !request.headers.has("Cookie") && forAnyVisitor.has(pathname);
  if (!isPublicPage) return render();
  const cached = cachedPages.get(pathname);
  if (cached && clock() < cached.until) return withNonce(cached, nonce);
  const answer = await render();
  if (answer.status !== 200 || answer.headers.has("Set-Cookie")) return answer;
  const html = await answer.text();
  const page = { pieces: html.split(nonce), headers: [...answer.headers], nonce, until: clock() + maxAgeMs };
  cachedPages.set(pathname, page);
  return new Response(html, answer);
}

function withNonce({ pieces, headers, nonce }: CachedPage, own: string): Response {
  const renewed = headers.map(([name, value]): [string, string] => [name, value.replace(nonce, own)]);
  return new Response(pieces.join(own), { headers: renewed });
}
