import { describe, expect, test } from "vitest";
import { reportIn, useLoneTunnel } from "#tests/support/monitoring/in-process-tunnel.ts";
import type { Behaviour } from "#tests/support/monitoring/sentry-receiver.ts";
import limits from "#tests/vectors/sentry-rate-limits.json" with { type: "json" };
import vectors from "#tests/vectors/sentry-receiver.json" with { type: "json" };
import { SEND_QUEUE_EVENTS_MAX } from "../constants.ts";

const tunnel = useLoneTunnel();
const { receiver } = tunnel;

type Step = {
  at: number;
  send?: string | string[];
  response?: string | { statusCode?: number; headers?: Record<string, string | undefined> };
  expect?: string;
  outcome?: string[] | null;
  outcomes?: string[][];
  outcomes_reason?: string;
};

function behaviourOf(response: Step["response"] = {}): Behaviour {
  if (typeof response === "string") return { kind: "reset" };
  const headers = Object.fromEntries(
    Object.entries(response.headers ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  // Retry-After counts on a 429 only, which is how a receiver sends it.
  const status = response.statusCode ?? ("retry-after" in headers ? 429 : undefined);
  return status === undefined ? { kind: "accept", headers } : { kind: "refuse", status, headers };
}

/** Reported losses, summed over all envelopes: "reason category" to a quantity. */
function addUp(lines: readonly string[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const line of lines) {
    const [reason, category, quantity] = line.split(" ");
    sums[`${reason} ${category}`] = (sums[`${reason} ${category}`] ?? 0) + Number(quantity);
  }
  return sums;
}

function wantedOutcomes(steps: readonly Step[]): Record<string, number> {
  const lines = steps.flatMap(({ send, outcome, outcomes, outcomes_reason: reason }) => [
    ...[outcome ?? [], ...(outcomes ?? [])].filter((pair) => pair.length > 0).map((pair) => pair.join(" ")),
    ...(reason === undefined ? [] : [send ?? []].flat().map((type) => `${reason} ${CATEGORY.get(type)}`)),
  ]);
  return addUp(lines.map((line) => `${line} ${line.endsWith(" attachment") ? ATTACHMENT_BYTES : 1}`));
}

/** The SDKs count an attachment as 1. Relay counts this category in bytes, and so does the tunnel: the payload is `{}`. */
const ATTACHMENT_BYTES = 2;

const CATEGORY = new Map([
  ["event", "error"],
  ["user_report", "feedback"],
  ["session", "session"],
  ["attachment", "attachment"],
]);

describe("back-off and counting match the SDKs' own tests", () => {
  test.each(limits.sequences)("$name", async (sequence) => {
    // The union of the cases' fields; each is checked where it is read.
    const steps = sequence.steps as readonly Step[];
    const start = tunnel.now;
    for (const { at, send, response, expect: wanted } of steps) {
      tunnel.now = start + at * 1000;
      receiver.behave(behaviourOf(response));
      const answer = await tunnel.post(tunnel.envelope(...[send ?? "event"].flat()));
      await tunnel.settled();
      // The tunnel accepts some envelopes that a receiver then refuses: the browser doesn't wait for that answer.
      expect(answer.status).toBe(wanted === "dropped" ? 429 : 200);
    }
    const reported = addUp([...receiver.received.flatMap(reportIn), ...(await tunnel.nextReport())]);
    expect(reported).toMatchObject(wantedOutcomes(steps));
    for (const { reason, category, quantity } of sequence.clientReport?.discarded_events_contains ?? []) {
      expect(reported[`${reason} ${category}`]).toBe(quantity);
    }
    if (steps.some(({ outcome }) => outcome === null)) expect(reported).toEqual({});
  });
});

describe("counting per status matches the protocol", () => {
  const answers = [200, 202, 400, 401, 403, 404, 413, 429, 500, 502, 503];
  const ruleOf = (status: number) => {
    const special = vectors.clientReports.rules.find((rule) => rule.status === status);
    const general = status < 300 ? "2xx" : "4xx/5xx other than 413 and 429";
    return special ?? vectors.clientReports.rules.find((rule) => rule.status === general);
  };

  test.each(answers)("%i", async (status) => {
    receiver.behave({ kind: "refuse", status });
    await tunnel.post(tunnel.envelope("event"));
    await tunnel.settled();
    const { record, retry } = ruleOf(status) ?? {};
    expect(receiver.received.length).toBe(status < 500 || retry === false ? 1 : 3);
    expect(await tunnel.nextReport()).toEqual(typeof record === "string" ? [`${record} error 1`] : []);
  });
});

describe("the queue matches the tests of the SDKs' own buffer", () => {
  const limited = vectors.promiseBuffer.filter(({ limit }) => limit !== undefined);
  test.each(limited)("$name: $limit of $adds", ({ limit = 0, adds = 0, expect: wanted }) => {
    // Their limit is an argument, ours a constant: the queue is filled until only the case's capacity is left.
    for (let index = limit; index < SEND_QUEUE_EVENTS_MAX; index++) tunnel.queue.enter(0);
    const entered = Array.from({ length: adds }, () => tunnel.queue.enter(0));
    expect(entered.filter(Boolean).length).toBe(wanted.accepted);
    expect(entered.flatMap((isIn, index) => (isIn ? [] : [index]))).toEqual(wanted.rejectedIndex);
    expect(tunnel.queue.events).toBe(SEND_QUEUE_EVENTS_MAX);
    for (let index = 0; index < SEND_QUEUE_EVENTS_MAX; index++) tunnel.queue.leave(0);
    expect(tunnel.queue.events).toBe(wanted.lengthAfterDrain ?? 0);
  });

  test("is freed by a failed envelope as by a delivered one", async () => {
    receiver.plan({ kind: "accept" }, { kind: "refuse", status: 400 });
    await tunnel.post(tunnel.envelope("event"));
    await tunnel.post(tunnel.envelope("event"));
    await tunnel.settled();
    expect(tunnel.queue.events).toBe(0);
  });
});
