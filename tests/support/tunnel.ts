import { createTestHarness } from "wrangler";
import { SentryReceiver } from "./sentry-receiver.ts";

export type TunnelRequest = { method?: string; headers?: Record<string, string>; body?: BodyInit; path?: string };

/** The tunnel in the real runtime over real sockets, with a receiver of its own. The Worker is tunnel-worker.ts. */
export class Tunnel {
  readonly receiver = new SentryReceiver();
  origin = "";
  readonly #harness = createTestHarness({ workers: [{ configPath: "tests/support/tunnel-worker.toml" }] });

  async start(): Promise<void> {
    await this.receiver.listen();
    this.origin = (await this.#harness.listen()).url.origin;
  }

  async stop(): Promise<void> {
    await this.#harness.close();
    await this.receiver.close();
  }

  send({
    method = "POST",
    headers = {},
    body = this.envelope(),
    path = "/monitoring",
  }: TunnelRequest = {}): Promise<Response> {
    // Node demands `duplex` for streams; TypeScript's DOM types don't know it.
    const init: RequestInit & { duplex: "half" } = { method, redirect: "manual", duplex: "half" };
    init.headers = { "x-dsn": this.receiver.dsn, ...headers };
    if (method === "POST") init.body = body;
    return fetch(`${this.origin}${path}`, init);
  }

  envelope(header: object = {}, items = '{"type":"event"}\n{}'): string {
    const usual = { event_id: "9ec79c33ec9942ab8353589fcb2e04dc", dsn: this.receiver.dsn };
    return `${JSON.stringify({ ...usual, ...header })}\n${items}`;
  }

  /** The bookkeeping follows the receiver's answer at once, but on the other side of a socket: ask until it has. */
  async sendUntil(status: number): Promise<Response> {
    for (;;) {
      const response = await this.send();
      if (response.status === status) return response;
    }
  }

  /** The next envelope that brings a client report along; `ask` sends what may bring it. */
  async nextReport(ask: () => Promise<unknown> = () => Promise.resolve()): Promise<string> {
    for (;;) {
      await ask();
      const { text } = await this.receiver.nextEnvelope();
      if (text.includes('"client_report"')) return text;
    }
  }
}
