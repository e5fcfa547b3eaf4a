import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

/**
 * What becomes of one call: `lost` is carried out and its answer never arrives, `held` the same for as long as the detour stands,
 * `dropped` never reaches the provider, and a number is the status that a failing provider answers with.
 */
type Mishap = "lost" | "held" | "dropped" | 500;

/**
 * A way between the site and the provider on which one call can go wrong while those before and after it get through. It stands
 * in the site's STRIPE_API_BASE; where it leads is said once the provider has an address.
 */
export async function startDetour() {
  let target = new URL("http://127.0.0.1:1");
  let planned: { path: RegExp; mishap: Mishap; isOnward: boolean } | null = null;
  const passed: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const call = `${incoming.method} ${incoming.url?.split("?")[0]}`;
    const meets = planned?.path.test(call) ? planned : null;
    if (meets && !meets.isOnward) planned = null;
    // From the first call that meets it on, nothing gets through any more.
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
    /** The next call of this kind meets it; with `andAfter` so does whatever follows, until `clear`. */
    plan: (path: RegExp, mishap: Mishap, andAfter: "alone" | "and-after" = "alone") =>
      (planned = { path, mishap, isOnward: andAfter === "and-after" }),
    clear: () => (planned = null),
    /** How many calls of a kind were made so far. */
    count: (path: RegExp) => passed.filter((call) => path.test(call)).length,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse, target: URL, mishap: Mishap | null) {
  const body = await buffer(incoming);
  if (mishap === "dropped") return void outgoing.destroy();
  if (mishap === 500) {
    outgoing.writeHead(500, { "content-type": "application/json" });
    return void outgoing.end(JSON.stringify({ error: { type: "api_error", message: "An unknown error occurred" } }));
  }
  const onward = request(new URL(incoming.url ?? "/", target), { method: incoming.method, headers: incoming.headers });
  onward.end(body);
  const [came]: IncomingMessage[] = await once(onward, "response");
  const said = came ? await buffer(came) : null;
  if (mishap === "held") return;
  if (mishap === "lost" || !came) return void outgoing.destroy();
  outgoing.writeHead(came.statusCode ?? 502, came.headers);
  outgoing.end(said);
}
