import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const ANSWER = JSON.stringify({ id: "9ec79c33ec9942ab8353589fcb2e04dc" });
/** A client report is the last item of the envelope that it was attached to, and no longer than this. */
const REPORT_BYTES_MAX = 4_096;

/** A receiver with minimal cost: it accepts everything, checks nothing, and counts. */
export class Sink {
  arrived = 0;
  /** Items lost on the way, according to client reports. */
  reported = 0;
  /** Milliseconds until a response. Null holds it until `release()`. */
  answersAfterMs: number | null = 0;
  /** Sentry's own receiver declares the length of its responses, others send them in chunks. */
  answersInChunks = false;
  port = 0;
  readonly #server: Server = createServer((request, response) => this.#take(request, response));
  readonly #waiting: { count: number; wake: () => void }[] = [];
  readonly #held: (() => void)[] = [];

  get dsn(): string {
    return `http://0123456789abcdef0123456789abcdef@127.0.0.1:${this.port}/42`;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.listen(0, "127.0.0.1", () => {
        // A TCP server has an AddressInfo; only one on a pipe has a string.
        this.port = (this.#server.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  reset(): void {
    this.arrived = 0;
    this.reported = 0;
  }

  /** Waits until this many have arrived; a later caller waits for at least as many. */
  async arrivals(count: number): Promise<void> {
    if (this.arrived < count) await new Promise<void>((wake) => this.#waiting.push({ count, wake }));
  }

  release(): void {
    for (const answer of this.#held.splice(0)) answer();
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    let tail: Buffer = Buffer.alloc(0);
    request.on("data", (part: Buffer) => {
      tail = Buffer.concat([tail, part.subarray(-REPORT_BYTES_MAX)]).subarray(-REPORT_BYTES_MAX);
    });
    request.once("end", () => {
      this.arrived += 1;
      this.reported += reportedIn(tail.toString("latin1"));
      while ((this.#waiting[0]?.count ?? Infinity) <= this.arrived) this.#waiting.shift()?.wake();
      const answer = (): void => this.#answer(response);
      if (this.answersAfterMs === null) this.#held.push(answer);
      else if (this.answersAfterMs === 0) answer();
      else setTimeout(answer, this.answersAfterMs);
    });
  }

  #answer(response: ServerResponse): void {
    const length = this.answersInChunks ? {} : { "Content-Length": ANSWER.length };
    response.writeHead(200, { "Content-Type": "application/json", ...length }).end(ANSWER);
  }
}

function reportedIn(tail: string): number {
  const at = tail.lastIndexOf('{"type":"client_report"');
  if (at === -1) return 0;
  const [, payload = ""] = tail.slice(at).split("\n");
  const report: { discarded_events: { quantity: number }[] } = JSON.parse(payload);
  return report.discarded_events.reduce((sum, { quantity }) => sum + quantity, 0);
}
