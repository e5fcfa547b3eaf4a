import { newNonce, type Random } from "#app/core/id.ts";
import { secondMs } from "#app/core/time/time.ts";

/** Pages with the same content for every visitor without a cookie or query. */
const forEverybody = new Set(["/", "/legal/terms", "/legal/privacy", "/legal/imprint"]);

/** Short, because a footer names the year. */
const maxAgeMs = 60 * secondMs;

/** The HTML between the nonce placeholders, and the response headers. */
type Kept = { pieces: string[]; headers: [string, string][]; nonce: string; until: number };

const kept = new Map<string, Kept>();

type Deps = { clock: () => number; random: Random };

/**
 * Caches public pages for one minute per isolate; each response gets a nonce of its own. On launch day nearly all requests are for these
 * pages. Requests with a cookie or a query are rendered individually, and so are requests that arrive during a render: a promise ends
 * with the request that created it.
 */
export async function withPageCache(
  { clock, random }: Deps,
  request: Request,
  draw: () => Promise<Response>,
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const isForEverybody =
    request.method === "GET" && search === "" && !request.headers.has("Cookie") && forEverybody.has(pathname);
  if (!isForEverybody) return draw();
  const found = kept.get(pathname);
  if (found && clock() < found.until) return underNonce(found, newNonce(random));
  const answer = await draw();
  const [, nonce] = /'nonce-(\w+)'/.exec(answer.headers.get("Content-Security-Policy") ?? "") ?? [];
  if (answer.status !== 200 || answer.headers.has("Set-Cookie") || nonce === undefined) return answer;
  const html = await answer.text();
  kept.set(pathname, { pieces: html.split(nonce), headers: [...answer.headers], nonce, until: clock() + maxAgeMs });
  return new Response(html, answer);
}

function underNonce({ pieces, headers, nonce }: Kept, own: string): Response {
  const renewed = headers.map(([name, value]): [string, string] => [name, value.replace(nonce, own)]);
  return new Response(pieces.join(own), { headers: renewed });
}
