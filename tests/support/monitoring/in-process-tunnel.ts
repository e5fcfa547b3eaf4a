import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { parseEnvelope } from "#workers/monitoring/envelopes/envelope.rules.ts";
import { relayEnvelope } from "#workers/monitoring/forwarding/relay-envelope.server.ts";
import { type DiagnosticsSettings, settingsFromEnv } from "#workers/monitoring/rules.ts";
import { SendQueue } from "#workers/monitoring/forwarding/send-queue.server.ts";
import type { IsRateLimited } from "#workers/monitoring/refuse.server.ts";
import { type Received, SentryReceiver } from "./sentry-receiver.ts";

const page = "https://foyer.example";

/** A tunnel for the tests of a file, reset before each; none of them may leave anything in its queue. */
export function useLoneTunnel(): LoneTunnel {
  const tunnel = new LoneTunnel();
  beforeAll(() => tunnel.receiver.listen());
  afterAll(() => tunnel.receiver.close());
  beforeEach(() => tunnel.reset());
  afterEach(() => tunnel.expectEmpty());
  return tunnel;
}

/** The tunnel by itself, in this process, against a real receiver, with a clock and a queue of the test's own. */
export class LoneTunnel {
  readonly receiver = new SentryReceiver();
  queue = new SendQueue();
  now = 0;
  #sendings: Promise<unknown>[] = [];

  reset(): void {
    this.receiver.reset();
    this.queue = new SendQueue();
    this.now = 1_700_000_000_000;
    this.#sendings = [];
  }

  /** After any number of sent, refused or lost envelopes, the queue ends up empty. */
  async expectEmpty(): Promise<void> {
    this.receiver.release();
    await this.settled();
    expect({ events: this.queue.events, bytes: this.queue.bytes }).toEqual({ events: 0, bytes: 0 });
  }

  settled(): Promise<unknown> {
    return Promise.all(this.#sendings);
  }

  envelope(...types: string[]): string {
    return [`{"dsn":"${this.receiver.dsn}"}`, ...types.map((type) => `{"type":"${type}"}\n{}`)].join("\n");
  }

  post(
    body: BodyInit,
    headers: Record<string, string> = {},
    sending: Partial<DiagnosticsSettings["sending"]> = {},
    isRateLimited?: IsRateLimited,
  ): Promise<Response> {
    const settings = settingsFromEnv({ SENTRY_DSN: this.receiver.dsn });
    settings.sending = { attemptMs: 2_000, deadlineMs: 5_000, pausesMs: [0, 0], ...sending };
    // Node demands `duplex` for streams; TypeScript's DOM types don't know it.
    const init = { method: "POST", body, headers, duplex: "half" } as RequestInit;
    const ctx = { waitUntil: (promise: Promise<unknown>) => void this.#sendings.push(promise) };
    return relayEnvelope(
      new Request(`${page}/monitoring`, init),
      settings,
      ctx,
      () => this.now,
      isRateLimited,
      this.queue,
    );
  }

  /** A later envelope: it reports what the tunnel counted. */
  async nextReport(): Promise<string[]> {
    this.now += 3_600_000;
    this.receiver.reset();
    await this.post(this.envelope("event"));
    return reportIn(await this.receiver.nextEnvelope());
  }
}

export function itemsIn(received: Received): { type: string; payload: string }[] {
  const framing = parseEnvelope(received.body);
  if (!framing.ok) throw new Error(framing.fault);
  return framing.envelope.items.map(({ type, payloadStart, end }) => ({
    type,
    payload: received.body.subarray(payloadStart, end).toString(),
  }));
}

type Discarded = { reason: string; category: string; quantity: number };

export function reportIn(received: Received): string[] {
  const report = itemsIn(received).find(({ type }) => type === "client_report");
  if (report === undefined) return [];
  // What a test sends as a report may be empty.
  const { discarded_events: discarded = [] }: { discarded_events?: Discarded[] } = JSON.parse(report.payload);
  return discarded.map(({ reason, category, quantity }) => `${reason} ${category} ${quantity}`);
}
