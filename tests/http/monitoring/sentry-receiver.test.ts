import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { RECEIVER_KEY } from "#tests/support/monitoring/sentry-protocol.ts";
import { type Behaviour, useReceiver } from "#tests/support/monitoring/sentry-receiver.ts";
import vectors from "#tests/vectors/sentry-receiver.json" with { type: "json" };

/** The receiver that the tunnel is tested against speaks the real protocol: what it answers is what Relay answers. */
const receiver = useReceiver();
beforeEach(() => receiver.reset());

const id = "9ec79c33ec9942ab8353589fcb2e04dc";
const envelope = `{"event_id":"${id}"}\n{"type":"event"}\n{}`;
const key = `sentry_key=${RECEIVER_KEY}`;

function post(query = key, init: RequestInit = {}, path = "envelope/"): Promise<Response> {
  const url = `${receiver.origin}/api/${receiver.project}/${path}?${query}`;
  return fetch(url, { method: "POST", body: envelope, redirect: "manual", ...init });
}

const statusOf = (condition: string): number | undefined =>
  vectors.statusCodes.cases.find((known) => known.condition === condition)?.status;

describe("the receiver answers as Relay does", () => {
  const auth = statusOf("missing / bad / multiple auth");
  const malformed = statusOf("malformed envelope, empty body, bad decompression, header mismatch");

  test.each<[string, () => Promise<Response>, number | undefined]>([
    ["no key", () => post(""), auth],
    ["two keys", () => post(key, { headers: { "X-Sentry-Auth": `Sentry sentry_version=7, ${key}` } }), auth],
    ["an unknown key", () => post(`sentry_key=${"f".repeat(32)}`), 403],
    ["an empty body", () => post(key, { body: "" }), malformed],
    ["words", () => post(key, { body: "words" }), malformed],
    ["plain bytes that are said to be packed", () => post(key, { headers: { "Content-Encoding": "gzip" } }), malformed],
    ["another method", () => post(key, { method: "PUT" }), 405],
    ["another endpoint", () => post(key, {}, "elsewhere/"), 404],
  ])("%s", async (_name, ask, status) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(Object.keys(await answer.json())).toEqual(["detail", "causes"]);
  });

  test("to an envelope with its id, and without one if it contains no event", async () => {
    for (const [body, answer] of [
      [envelope, { id }],
      ['{}\n{"type":"session"}\n{}', {}],
    ] as const) {
      const response = await post(key, { body });
      expect([response.status, await response.json()]).toEqual([statusOf("accepted"), answer]);
    }
    expect((await post("", { headers: { "X-Sentry-Auth": `Sentry ${key}` } })).status).toBe(200);
  });

  test("to a limited request with both headers", async () => {
    const { headers = [], status = 0 } =
      vectors.statusCodes.cases.find((known) => known.condition === "all items rate limited") ?? {};
    receiver.plan({ kind: "refuse", status, headers: Object.fromEntries(headers.map((name) => [name, "60"])) });
    const limited = await post();
    expect(headers.map((name) => limited.headers.get(name))).toEqual(["60", "60"]);
  });
});

describe("the receiver can be configured to", () => {
  test.each([400, 403, 413, 429, 503])("refuse with %i", async (status) => {
    receiver.plan({ kind: "refuse", status });
    expect((await post()).status).toBe(status);
    expect((await post()).status).toBe(200);
  });

  test("redirect", async () => {
    receiver.plan({ kind: "redirect", to: "https://elsewhere.example/" });
    const answer = await post();
    expect([answer.status, answer.headers.get("Location")]).toEqual([307, "https://elsewhere.example/"]);
  });

  test.each<Behaviour["kind"]>(["hang", "hold"])("%s", async (kind) => {
    // The other kinds need more than their name.
    receiver.plan({ kind } as Behaviour);
    const leaving = new AbortController();
    const answer = post(key, { signal: leaving.signal });
    await receiver.nextEnvelope();
    if (kind === "hold") receiver.release();
    else leaving.abort();
    expect(
      await answer.then(
        ({ status }) => status,
        () => "no answer",
      ),
    ).toBe(kind === "hold" ? 200 : "no answer");
  });

  test("answer slowly, reset the connection, and break off in the middle of an answer", async () => {
    receiver.plan({ kind: "slow", ms: 20 }, { kind: "reset" }, { kind: "break-off" });
    expect((await post()).status).toBe(200);
    await expect(post()).rejects.toThrow();
    const broken = await post();
    expect(broken.status).toBe(200);
    await expect(broken.text()).rejects.toThrow();
  });
});

test("received requests can be read back byte for byte, refused or not, compressed or not", async () => {
  const binary = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256));
  const packed = gzipSync(envelope);
  receiver.plan({ kind: "refuse", status: 413 });
  await post(key, { body: binary });
  await post(key, { body: packed, headers: { "Content-Encoding": "gzip" } });
  const [first, second] = [await receiver.nextEnvelope(), await receiver.nextEnvelope()];
  expect(first.body.equals(binary)).toBe(true);
  expect(second.body.equals(packed)).toBe(true);
  expect([second.text, second.method, second.headers["content-encoding"]]).toEqual([envelope, "POST", "gzip"]);
});
