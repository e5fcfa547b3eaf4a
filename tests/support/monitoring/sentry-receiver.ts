import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { answerEndlessly, decode, answerEnvelope, RECEIVER_KEY, refuse } from "./sentry-protocol.ts";

/**
 * A receiver of Sentry envelopes that speaks the real protocol on a real socket (status codes and bodies as Relay's):
 * it authenticates, it refuses what is malformed, and it can be set to be down, slow or failing. What arrived can be
 * read back byte for byte, and awaited.
 */
export type Received = {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  /** The bytes on the wire, still compressed if they came compressed. */
  body: Buffer;
  /** The same, decompressed, as text: for tests that search it. */
  text: string;
};

export type Behaviour =
  | { kind: "accept"; headers?: Record<string, string> }
  | { kind: "refuse"; status: number; headers?: Record<string, string> }
  /** Answers, and accepts, only after `release()`. */
  | { kind: "hold" }
  | { kind: "slow"; ms: number }
  /** Never answers. */
  | { kind: "hang" }
  /** Drops the connection after the body has arrived. */
  | { kind: "reset" }
  /** Accepts, and drops the connection in the middle of its answer. */
  | { kind: "break-off" }
  | { kind: "redirect"; to: string }
  /** Accepts, and never ends its answer: it continues sending, or stops in the middle. */
  | { kind: "endless"; isSilent: boolean };

/** A receiver that listens during the tests of a file. */
export function useReceiver(): SentryReceiver {
  const receiver = new SentryReceiver();
  beforeAll(() => receiver.listen());
  afterAll(() => receiver.close());
  return receiver;
}

export class SentryReceiver {
  /** Everything that arrived, refused or not, in order of arrival. */
  readonly received: Received[] = [];
  port = 0;
  /** How many connections were opened so far. */
  connections = 0;
  /** Of the current test. What an earlier one still tries to send is refused, and not recorded. */
  project = 42;
  readonly #server: Server = createServer((request, response) => void this.#take(request, response));
  readonly #planned: Behaviour[] = [];
  #usual: Behaviour = { kind: "accept" };
  #handedOut = 0;
  #waiting: (() => void)[] = [];
  #held: (() => void)[] = [];

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get dsn(): string {
    return `http://${RECEIVER_KEY}@127.0.0.1:${this.port}/${this.project}`;
  }

  /** From now on, for every request that nothing else is planned for. */
  behave(behaviour: Behaviour): void {
    this.#usual = behaviour;
  }

  /** For the next requests, one each. */
  plan(...behaviours: Behaviour[]): void {
    this.#planned.push(...behaviours);
  }

  /** The next that arrived and was not returned yet; waits for it if need be. */
  async nextEnvelope(): Promise<Received> {
    for (;;) {
      const received = this.received[this.#handedOut];
      if (received !== undefined) {
        this.#handedOut += 1;
        return received;
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** What has arrived and was not returned: for "nothing more came" after something later did. */
  get unread(): number {
    return this.received.length - this.#handedOut;
  }

  /** Answers everything that is held. */
  release(): void {
    for (const answer of this.#held.splice(0)) answer();
  }

  /** Resets it for the next test, with a new DSN; pending waits are dropped. */
  reset(): void {
    this.project += 1;
    this.received.length = 0;
    this.#planned.length = 0;
    this.#usual = { kind: "accept" };
    this.#handedOut = 0;
    this.#waiting = [];
    this.release();
  }

  /** The port it had before, if there was one. */
  listen(): Promise<void> {
    this.#server.on("connection", () => (this.connections += 1));
    return new Promise((resolve) => {
      this.#server.listen(this.port, "127.0.0.1", () => {
        // A TCP server has an AddressInfo; only one on a pipe has a string.
        this.port = (this.#server.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  close(): Promise<void> {
    this.release();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    try {
      for await (const part of request) parts.push(part as Buffer);
    } catch {
      // The sender aborted in the middle: nothing has arrived.
      return;
    }
    const body = Buffer.concat(parts);
    const { method = "", url: path = "", headers } = request;
    if (!path.includes(`/${this.project}/`)) return refuse(response, 403, "project unknown");
    const behaviour = this.#planned.shift() ?? this.#usual;
    this.received.push({
      method,
      path,
      headers,
      body,
      text: decode(body, headers["content-encoding"])?.toString("utf8") ?? "",
    });
    for (const wake of this.#waiting.splice(0)) wake();
    this.#answer(behaviour, request, body, response);
  }

  #answer(behaviour: Behaviour, request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const accept = (headers: Record<string, string> = {}): void => answerEnvelope(request, body, response, headers);
    switch (behaviour.kind) {
      case "accept":
        return accept(behaviour.headers);
      case "refuse":
        return refuse(response, behaviour.status, "set to refuse", behaviour.headers);
      case "hold":
        this.#held.push(accept);
        return;
      case "slow":
        setTimeout(accept, behaviour.ms);
        return;
      case "hang":
        return;
      case "reset":
        request.socket.resetAndDestroy();
        return;
      case "break-off":
        response.writeHead(200, { "Content-Length": "1000" });
        response.write("{", () => request.socket.destroy());
        return;
      case "redirect":
        response.writeHead(307, { Location: behaviour.to }).end();
        return;
      case "endless":
        return answerEndlessly(response, behaviour.isSilent);
    }
  }
}
