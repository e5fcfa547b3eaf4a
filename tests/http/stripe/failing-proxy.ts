import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { beforeAll } from "vitest";
import { useRunning } from "#tests/support/use-running.ts";
import { useSite } from "#tests/support/site/use-site.ts";

/**
 * What happens to one call: `lost` is carried out and its answer never arrives, `held` the same for as long as the
 * proxy is set so, `dripped` begins to arrive and never ends, `cut` ends in the middle. `dropped` never reaches the
 * provider, nor do those that are answered by something else: with a number as the status of a failing provider, with
 * a page, with half a sentence, with a redirect.
 */
export type Mishap = "lost" | "held" | "dropped" | "dripped" | "cut" | "page" | "garbled" | "elsewhere" | 500 | 429;

/**
 * A proxy between the site and the provider on which one call can fail while those before and after it get through.
 * It is the site's STRIPE_API_BASE; its target is set once the provider has an address.
 */
async function startDetour() {
  let target = new URL("http://127.0.0.1:1");
  let planned: { path: RegExp; mishap: Mishap; isOnward: boolean } | null = null;
  const passed: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const call = `${incoming.method} ${incoming.url?.split("?")[0]}`;
    const meets = planned?.path.test(call) ? planned : null;
    if (meets && !meets.isOnward) planned = null;
    // From the first matching call on, nothing gets through any more.
    if (meets?.isOnward && planned) planned = { ...planned, path: /./ };
    passed.push(call);
    answer(incoming, outgoing, target, meets?.mishap ?? null).catch(() => outgoing.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The detour has no port.");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    leadTo: (origin: string) => (target = new URL(origin)),
    /** Applies to the next call of this kind; with `andAfter` to every following one as well, until `clear`. */
    plan: (path: RegExp, mishap: Mishap, andAfter: "alone" | "and-after" = "alone") =>
      (planned = { path, mishap, isOnward: andAfter === "and-after" }),
    clear: () => (planned = null),
    /** How many calls of a kind were made so far. */
    count: (path: RegExp) => passed.filter((call) => path.test(call)).length,
    /** Every call so far, in their order. */
    passed: () => [...passed],
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A site that reaches the provider by a detour. */
export function useSiteWithDetour(vars: Record<string, string> = {}) {
  const detour = useRunning(startDetour);
  const site = useSite(() => ({ vars: { ...vars, STRIPE_API_BASE: detour.origin } }));
  beforeAll(() => void detour.leadTo(site.stripe?.origin ?? ""));
  return { site, detour };
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse, target: URL, mishap: Mishap | null) {
  const body = await buffer(incoming);
  if (mishap === "dropped") return void outgoing.destroy();
  const instead = mishap === null ? undefined : answeredByOthers[mishap];
  if (instead) return void outgoing.writeHead(instead.status, instead.headers).end(instead.body);
  const onward = request(new URL(incoming.url ?? "/", target), { method: incoming.method, headers: incoming.headers });
  onward.end(body);
  const [came]: IncomingMessage[] = await once(onward, "response");
  const content = came ? await buffer(came) : null;
  if (mishap === "held") return;
  if (mishap === "lost" || !came) return void outgoing.destroy();
  outgoing.writeHead(came.statusCode ?? 502, came.headers);
  if (mishap === "dripped") return drip(outgoing, content ?? Buffer.alloc(0));
  if (mishap === "cut") return void outgoing.write(content?.subarray(0, content.length / 2), () => outgoing.destroy());
  outgoing.end(content);
}

const json = { "content-type": "application/json" };
const failed = JSON.stringify({ error: { type: "api_error", message: "An unknown error occurred" } });
const busy = JSON.stringify({
  error: { type: "invalid_request_error", code: "rate_limit", message: "Too many requests" },
});
const page = "<!doctype html><title>Maintenance</title><h1>We will be back</h1>";

const answeredByOthers: Partial<Record<Mishap, { status: number; headers: Record<string, string>; body: string }>> = {
  500: { status: 500, headers: json, body: failed },
  429: { status: 429, headers: { ...json, "retry-after": "30" }, body: busy },
  page: { status: 200, headers: { "content-type": "text/html" }, body: page },
  garbled: { status: 200, headers: json, body: '{"object": "list", "data": [' },
  elsewhere: { status: 302, headers: { location: "http://127.0.0.1:1/elsewhere" }, body: "" },
};

/** A byte every now and then, for as long as the client listens. */
function drip(outgoing: ServerResponse, bytes: Buffer): void {
  let sent = 0;
  const dripping = setInterval(() => outgoing.write(bytes.subarray(sent, (sent += 1))), 300);
  outgoing.on("close", () => clearInterval(dripping));
}
