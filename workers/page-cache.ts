import { newNonce, type Random } from "#app/core/id.ts";
import { secondMs } from "#app/core/time/time.ts";

/** Pages that say the same to everybody who brings nothing along. */
const forEverybody = new Set(["/", "/legal/terms", "/legal/privacy", "/legal/imprint"]);

/** A footer names the year: nothing is kept for long. */
const keptMs = 60 * secondMs;

/** What stands between the places of the nonce, and the headers with it. */
type Kept = { pieces: string[]; headers: [string, string][]; nonce: string; until: number };

const kept = new Map<string, Kept>();

type Powers = { clock: () => number; random: Random };

/**
 * A page for everybody is drawn anew after a minute in each isolate, and goes out under a nonce of each answer's own: on the day of a
 * launch nearly all that is asked for is this. Whoever brings a cookie or a query has theirs drawn, and so has who comes while it is being
 * drawn: a promise ends with the request that made it.
 */
export async function withPageCache(
  { clock, random }: Powers,
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
  kept.set(pathname, { pieces: html.split(nonce), headers: [...answer.headers], nonce, until: clock() + keptMs });
  return new Response(html, answer);
}

function underNonce({ pieces, headers, nonce }: Kept, own: string): Response {
  const renewed = headers.map(([name, value]): [string, string] => [name, value.replace(nonce, own)]);
  return new Response(pieces.join(own), { headers: renewed });
}
