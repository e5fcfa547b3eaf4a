import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

const pieceBytes = 500;
const pieceEveryMs = 20;

export type SlowConnection = Awaited<ReturnType<typeof startSlowConnection>>;

/** A connection of 25 kB a second to a site: its pages arrive in pieces, and a browser paints what it has. */
export async function startSlowConnection(origin: string) {
  const { host, hostname, port } = new URL(origin);
  const server = createServer((sent, answer) => {
    const headers = { ...sent.headers, host, "accept-encoding": "identity" };
    const onward = request({ hostname, port, path: sent.url, method: sent.method, headers }, (page) => {
      answer.writeHead(page.statusCode ?? 502, page.headers);
      const isPage = page.headers["content-type"]?.startsWith("text/html");
      (isPage ? inPieces(page, answer) : Promise.resolve(page.pipe(answer))).catch(() => answer.destroy());
    });
    onward.on("error", () => answer.destroy());
    sent.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("The slow line has no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

async function inPieces(page: IncomingMessage, answer: ServerResponse): Promise<void> {
  for (const piece of pieces(Buffer.concat(await page.toArray()))) {
    answer.write(piece);
    await pause(pieceEveryMs);
  }
  answer.end();
}

function pieces(whole: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(whole.length / pieceBytes) }, (_, index) =>
    whole.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
}
