import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";

export interface ServeOptions {
  /** 0, the default, takes a free one. */
  port?: number;
  /** Its own machine's, unless others are to reach it. */
  hostname?: string;
}

export interface Served {
  origin: string;
  close(): Promise<void>;
}

type Answer = (request: Request) => Promise<Response>;

/** Answers on a socket. */
export async function serve(answer: Answer, { port = 0, hostname = "127.0.0.1" }: ServeOptions = {}): Promise<Served> {
  const server = createServer((incoming, outgoing) => {
    // A connection that ends early, by our order or the caller's.
    handle(answer, incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(port, hostname);
  await once(server, "listening");
  const address = server.address();
  const taken = typeof address === "object" && address !== null ? address.port : port;
  return {
    origin: `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${taken}`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function handle(answer: Answer, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const response = await answer(requestOf(incoming)).catch((error: unknown) => {
    console.error(error);
    return new Response("The emulator has a bug: its log says more.", { status: 500 });
  });
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) outgoing.end();
  else await pipeline(chunksOf(response.body), outgoing);
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  const reader = body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

function requestOf(incoming: IncomingMessage): Request {
  const { method = "GET", headers, url = "/" } = incoming;
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(new URL(url, `http://${headers.host ?? "localhost"}`), {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    // Not read before it is answered: a call is in progress from its first line on.
    ...(hasBody && { body: bodyOf(incoming), duplex: "half" }),
  });
}

function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = incoming[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (controller) => {
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
  });
}
