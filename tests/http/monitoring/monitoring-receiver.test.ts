import { describe, expect, test } from "vitest";
import { itemsIn, reportIn } from "#tests/support/monitoring/in-process-tunnel.ts";
import type { Behaviour } from "#tests/support/monitoring/sentry-receiver.ts";
import { type TunnelRequest, useTunnel } from "#tests/support/monitoring/tunnel.ts";

/** The rows of the tunnel table about failures and honest counting: an envelope against every kind of receiver. */
const tunnel = useTunnel();
const { receiver } = tunnel;

/** As deployed, but quicker: an attempt still has time to arrive on a busy machine. */
const sending = { attemptMs: 600, deadlineMs: 10_000, pausesMs: [0, 0] };

type Result = { attempts: number; counts: string[] };

/** How often the receiver was asked to accept the envelope, and what the next one reports about it. */
async function resultWith(behaviour: Behaviour, request: TunnelRequest = {}): Promise<Result> {
  receiver.behave(behaviour);
  expect((await tunnel.send({ sending, ...request })).status).toBe(200);
  await expect.poll(() => tunnel.held(), { timeout: 10_000 }).toEqual({ events: 0, bytes: 0 });
  const attempts = receiver.received.length;
  receiver.behave({ kind: "accept" });
  // A limit may be in force: this one is sent when it has ended.
  expect((await tunnel.send({ headers: { "x-later": "3600" } })).status).toBe(200);
  await expect.poll(() => receiver.received.length).toBe(attempts + 1);
  const next = receiver.received.at(-1);
  return { attempts, counts: next === undefined ? [] : reportIn(next) };
}

const items = '{"type":"event"}\n{}\n{"type":"transaction"}\n{"spans":[{},{}]}';

function lost(reason: string): string[] {
  return [`${reason} error 1`, `${reason} transaction 1`, `${reason} span 3`];
}

describe("a receiver that", () => {
  test.each<[string, Behaviour, Result]>([
    ["accepts", { kind: "accept" }, { attempts: 1, counts: [] }],
    ["is slow", { kind: "slow", ms: 100 }, { attempts: 1, counts: [] }],
    ["accepts and breaks off its answer", { kind: "break-off" }, { attempts: 1, counts: [] }],
    [
      "limits, and has counted itself",
      { kind: "refuse", status: 429, headers: { "Retry-After": "5" } },
      { attempts: 1, counts: [] },
    ],
    ...[400, 401, 403, 404, 413].map((status): [string, Behaviour, Result] => [
      `refuses with ${status}`,
      { kind: "refuse", status },
      { attempts: 1, counts: lost("send_error") },
    ]),
    ...[500, 502, 503].map((status): [string, Behaviour, Result] => [
      `fails with ${status}`,
      { kind: "refuse", status },
      { attempts: 3, counts: lost("send_error") },
    ]),
    ["resets the connection", { kind: "reset" }, { attempts: 3, counts: lost("network_error") }],
    ["never answers", { kind: "hang" }, { attempts: 3, counts: lost("network_error") }],
  ])("%s is called that often, and gets these counts", async (_name, behaviour, result) => {
    expect(await resultWith(behaviour, { body: tunnel.envelope({}, items) })).toEqual(result);
  });

  test("redirects is not followed, and gets the count of lost items", async () => {
    const to = `${receiver.origin}/api/${receiver.project}/elsewhere`;
    expect(await resultWith({ kind: "redirect", to })).toEqual({ attempts: 1, counts: ["send_error error 1"] });
    expect(receiver.received.map(({ path }) => path).filter((path) => path.includes("elsewhere"))).toEqual([]);
  });

  test("fails once or twice and then accepts gets no counts", async () => {
    receiver.plan({ kind: "refuse", status: 503 });
    expect(await resultWith({ kind: "accept" })).toEqual({ attempts: 2, counts: [] });
    receiver.reset();
    receiver.plan({ kind: "hang" }, { kind: "reset" });
    expect(await resultWith({ kind: "accept" })).toEqual({ attempts: 3, counts: [] });
  });

  test("never answers is abandoned when the time for all attempts is up", async () => {
    const patient = { attemptMs: 600, deadlineMs: 1_800, pausesMs: [0, 60_000] };
    expect(await resultWith({ kind: "hang" }, { sending: patient })).toEqual({
      attempts: 2,
      counts: ["network_error error 1"],
    });
  });
});

describe("a receiver that fails and names a limit", () => {
  test("isn't called again before the limit ends", async () => {
    const headers = { "X-Sentry-Rate-Limits": "30::organization" };
    const result = await resultWith({ kind: "refuse", status: 503, headers }, { body: tunnel.envelope({}, items) });
    expect(result).toEqual({ attempts: 1, counts: lost("ratelimit_backoff") });
  });
});

describe("a report about a report is never sent", () => {
  const report = '{"type":"client_report"}\n{"discarded_events":[]}';
  test.each<[string, Behaviour]>([
    ["was refused", { kind: "refuse", status: 400 }],
    ["met a receiver that is down", { kind: "refuse", status: 503 }],
    ["met a receiver that hangs", { kind: "hang" }],
  ])("when one %s", async (_name, behaviour) => {
    expect((await resultWith(behaviour, { body: tunnel.envelope({}, report) })).counts).toEqual([]);
  });
});

test("counts that couldn't be delivered because the receiver was down again are delivered once when it is back", async () => {
  const first = await resultWith({ kind: "refuse", status: 503 });
  expect(first.counts).toEqual(["send_error error 1"]);
  receiver.reset();
  receiver.plan(...Array.from({ length: 3 }, () => ({ kind: "refuse", status: 503 }) as const));
  await tunnel.send({ sending });
  await expect.poll(() => tunnel.held()).toEqual({ events: 0, bytes: 0 });
  const second = await resultWith({ kind: "refuse", status: 503 });
  expect(second.counts).toEqual(["send_error error 2"]);
  expect((await resultWith({ kind: "accept" })).counts).toEqual([]);
});

test("an appended report leaves the last payload intact, even one that ends in a newline", async () => {
  receiver.behave({ kind: "refuse", status: 400 });
  await tunnel.send();
  await expect.poll(() => tunnel.held()).toEqual({ events: 0, bytes: 0 });
  receiver.behave({ kind: "accept" });
  const recording = '{"type":"replay_recording","length":3}\nab\n';
  await tunnel.send({ body: tunnel.envelope({}, recording) });
  await receiver.nextEnvelope();
  const received = await receiver.nextEnvelope();
  expect(itemsIn(received).map(({ type }) => type)).toEqual(["replay_recording", "client_report"]);
  expect(itemsIn(received)[0]?.payload).toBe("ab\n");
  expect(reportIn(received)).toEqual(["send_error error 1"]);
});
