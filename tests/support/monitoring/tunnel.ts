import type { DiagnosticsEnv, DiagnosticsSettings } from "#workers/monitoring/rules.ts";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { unstable_startWorker as startWorker } from "wrangler";
import { type Received, SentryReceiver } from "./sentry-receiver.ts";

export type TunnelRequest = {
  method?: string;
  headers?: Record<string, string>;
  body?: BodyInit;
  path?: string;
  /** As if the Worker had been deployed with them. */
  env?: DiagnosticsEnv;
  sending?: Partial<DiagnosticsSettings["sending"]>;
};

/** A tunnel for the tests of a file; its receiver is reset before each. */
export function useTunnel(): Tunnel {
  const tunnel = new Tunnel();
  beforeAll(() => tunnel.start());
  afterAll(() => tunnel.stop());
  beforeEach(() => tunnel.receiver.reset());
  return tunnel;
}

/**
 * The tunnel in the real runtime over real sockets, with its own receiver. The Worker is tunnel-worker.ts. Not by
 * wrangler's test harness, which sends what a Worker fetches through Node: redirects and resets would become 500s
 * there.
 */
export class Tunnel {
  readonly receiver = new SentryReceiver();
  origin = "";
  #worker: Awaited<ReturnType<typeof startWorker>> | undefined;

  async start(): Promise<void> {
    await this.receiver.listen();
    this.#worker = await startWorker({
      config: "tests/support/monitoring/tunnel-worker.toml",
      dev: {
        server: { hostname: "127.0.0.1", port: 0 },
        inspector: false,
        watch: false,
        persist: false,
        logLevel: "none",
      },
    });
    this.origin = (await this.#worker.url).origin;
  }

  async stop(): Promise<void> {
    await this.#worker?.dispose();
    await this.receiver.close();
  }

  send({
    method = "POST",
    headers = {},
    body = this.envelope(),
    path = "/monitoring",
    env = {},
    sending = {},
  }: TunnelRequest = {}): Promise<Response> {
    // Node demands `duplex` for streams; TypeScript's DOM types don't know it.
    const init: RequestInit & { duplex: "half" } = { method, redirect: "manual", duplex: "half" };
    const settings = { "x-env": JSON.stringify(env), "x-sending": JSON.stringify(sending) };
    init.headers = { "x-dsn": this.receiver.dsn, ...settings, ...headers };
    if (method === "POST") init.body = body;
    return fetch(`${this.origin}${path}`, init);
  }

  envelope(header: object = {}, items = '{"type":"event"}\n{}'): string {
    const usual = { event_id: "9ec79c33ec9942ab8353589fcb2e04dc", dsn: this.receiver.dsn };
    return `${JSON.stringify({ ...usual, ...header })}\n${items}`;
  }

  /** An envelope of exactly this many bytes. */
  sized(bytes: number): string {
    const start = this.envelope({}, '{"type":"attachment"}\n');
    return start + "x".repeat(bytes - start.length);
  }

  /**
   * The tunnel's counters change with the receiver's answer, but on the other side of a socket: poll until they have.
   */
  async sendUntil(status: number, request: TunnelRequest = {}): Promise<Response> {
    for (;;) {
      const response = await this.send(request);
      if (response.status === status) return response;
    }
  }

  /** The next envelope with a client report; `ask` sends one that may include it. */
  async nextReport(ask: () => Promise<unknown> = () => Promise.resolve()): Promise<string> {
    for (;;) {
      await ask();
      const { text } = await this.receiver.nextEnvelope();
      if (text.includes('"client_report"')) return text;
    }
  }

  /** The contents of the queue of this test's DSN. */
  async held(): Promise<unknown> {
    return (await this.send({ headers: { "x-peek": "1" } })).json();
  }

  /** Nothing was forwarded: the next thing that arrives is what is sent now. */
  async nextAfterNothing(): Promise<Received> {
    await this.send({ body: this.envelope({ marker: true }) });
    const received = await this.receiver.nextEnvelope();
    if (!received.text.includes('"marker":true')) throw new Error(`Something was forwarded: ${received.text}`);
    return received;
  }
}
