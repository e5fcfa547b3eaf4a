import { describe, expect, test } from "vitest";
import {
  VIOLATION_WINDOW_MS,
  VIOLATIONS_BODY_BYTES_MAX,
  VIOLATIONS_PATH,
  VIOLATIONS_PER_BODY_MAX,
  VIOLATIONS_PER_WINDOW_MAX,
} from "#workers/monitoring/constants.ts";
import { itemsIn, reportIn } from "#tests/support/monitoring/in-process-tunnel.ts";
import { useTunnel } from "#tests/support/monitoring/tunnel.ts";

/**
 * The endpoint for reports of browsers about the content security policy, with queue, back-off and counts of the
 * tunnel.
 */
const tunnel = useTunnel();
const { receiver } = tunnel;

const LEGACY = "application/csp-report";
const MODERN = "application/reports+json";

type RequestInput = {
  type?: string;
  headers?: Record<string, string>;
  body?: BodyInit;
  method?: string;
  sending?: object;
};

const post = ({ type = LEGACY, headers = {}, body = legacy(), ...rest }: RequestInput = {}): Promise<Response> =>
  tunnel.send({ path: VIOLATIONS_PATH, headers: { "Content-Type": type, ...headers }, body, ...rest });

function legacy(blocked = "https://evil.example/x.js?token=secret", path = "/login?token=secret"): string {
  const report = {
    "document-uri": tunnel.origin + path,
    "effective-directive": "script-src-elem",
    "blocked-uri": blocked,
  };
  return JSON.stringify({ "csp-report": report });
}

/** As many different violations in one body. */
function modern(count: number, start = 0): string {
  const reports = Array.from({ length: count }, (_, index) => ({
    type: "csp-violation",
    body: {
      documentURL: `${tunnel.origin}/login`,
      effectiveDirective: "img-src",
      blockedURL: `https://evil${start + index}.example/x.png`,
      disposition: "enforce",
    },
  }));
  return JSON.stringify(reports);
}

const expectNothingSent = (): Promise<unknown> => tunnel.nextAfterNothing();

describe("a violation arrives as one report in the receiver's own format", () => {
  test("by report-uri, without query and token", async () => {
    const answer = await post({
      headers: { "CF-Connecting-IP": "192.0.2.7", Cookie: "a=b", "User-Agent": "Browser/1" },
    });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    const received = await receiver.nextEnvelope();
    expect(received.path).toContain(`/api/${receiver.project}/envelope/`);
    expect(received.text).not.toContain("secret");
    const [item] = itemsIn(received);
    expect(item?.type).toBe("raw_security");
    expect(JSON.parse(item?.payload ?? "")).toEqual({
      "csp-report": {
        "document-uri": `${tunnel.origin}/login`,
        "violated-directive": "script-src-elem",
        "effective-directive": "script-src-elem",
        "blocked-uri": "https://evil.example",
        disposition: "enforce",
      },
    });
    expect(received.headers).toMatchObject({ "user-agent": "Browser/1" });
    expect(JSON.stringify(received.headers)).not.toContain("192.0.2.7");
    expect(received.headers).not.toHaveProperty("cookie");
  });

  test("by the Reporting API, with an envelope for each violation", async () => {
    expect((await post({ type: MODERN, body: modern(2) })).status).toBe(204);
    const texts = [(await receiver.nextEnvelope()).text, (await receiver.nextEnvelope()).text].sort();
    expect(texts.map((text) => /evil\d/.exec(text)?.[0]).sort()).toEqual(["evil0", "evil1"]);
  });
});

describe("many reports", () => {
  test("of one violation are one report in ten minutes, also when forty arrive at the same time", async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => post()));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    await receiver.nextEnvelope();
    await expectNothingSent();
    // The window began with the first of the forty, which may take seconds on a busy machine.
    await post({ headers: { "x-later": String(VIOLATION_WINDOW_MS / 1000 - 30) } });
    await expectNothingSent();
    await post({ headers: { "x-later": String(VIOLATION_WINDOW_MS / 1000 + 2) } });
    expect((await receiver.nextEnvelope()).text).toContain("raw_security");
  });

  test("of different violations in one body are limited to VIOLATIONS_PER_BODY_MAX, and the rest is counted", async () => {
    await post({ type: MODERN, body: modern(VIOLATIONS_PER_BODY_MAX + 3) });
    for (let index = 0; index < VIOLATIONS_PER_BODY_MAX; index++) await receiver.nextEnvelope();
    const { text } = await tunnel.sendUntil(200).then(() => receiver.nextEnvelope());
    const counts = [...receiver.received.flatMap(reportIn)];
    expect([text.includes("raw_security"), counts]).toEqual([false, ["queue_overflow security 3"]]);
  });

  test("of invented violations are limited to VIOLATIONS_PER_WINDOW_MAX, and leave the queue to errors", async () => {
    for (let start = 0; start < VIOLATIONS_PER_WINDOW_MAX + 20; start += 5) {
      expect((await post({ type: MODERN, body: modern(5, start) })).status).toBe(204);
    }
    await expect.poll(() => tunnel.held()).toEqual({ events: 0, bytes: 0 });
    const count = (): number => receiver.received.filter(({ text }) => text.includes("raw_security")).length;
    expect(count()).toBe(VIOLATIONS_PER_WINDOW_MAX);
    expect((await tunnel.send()).status).toBe(200);
    await post({ type: MODERN, body: modern(5, 500), headers: { "x-later": String(VIOLATION_WINDOW_MS / 1000 + 2) } });
    await expect.poll(count).toBe(VIOLATIONS_PER_WINDOW_MAX + 5);
  });

  test("from one address are refused with 429, without affecting errors from that address", async () => {
    const headers = { "x-rate-limit": "1", "CF-Connecting-IP": "192.0.2.66" };
    const statuses: number[] = [];
    // Twice the limit and more: the minute that is counted may end in between.
    for (let index = 0; index < 14 && statuses.at(-1) !== 429; index++) statuses.push((await post({ headers })).status);
    expect(statuses.at(0)).toBe(204);
    expect(statuses.at(-1)).toBe(429);
    expect((await tunnel.send({ headers })).status).toBe(200);
  });
});

describe("reports use the tunnel's queue and back-off", () => {
  test("no report is sent while the receiver limits them, and each is counted", async () => {
    const headers = { "X-Sentry-Rate-Limits": "60:security:organization" };
    receiver.plan({ kind: "refuse", status: 429, headers });
    await post();
    await receiver.nextEnvelope();
    await expect.poll(() => tunnel.held()).toEqual({ events: 0, bytes: 0 });
    expect((await post({ body: legacy("https://other.example") })).status).toBe(204);
    await tunnel.send();
    expect(reportIn(await receiver.nextEnvelope())).toEqual(["ratelimit_backoff security 1"]);
    await post({ body: legacy("https://other.example"), headers: { "x-later": "61" } });
    expect((await receiver.nextEnvelope()).text).toContain("other.example");
  });

  test("no report is sent while the queue is full; each is counted, and the browser doesn't retry", async () => {
    receiver.behave({ kind: "hold" });
    await Promise.all(Array.from({ length: 64 }, () => tunnel.send()));
    for (let index = 0; index < 64; index++) await receiver.nextEnvelope();
    expect((await post()).status).toBe(204);
    receiver.behave({ kind: "accept" });
    receiver.release();
    await expect.poll(() => tunnel.held()).toEqual({ events: 0, bytes: 0 });
    expect((await tunnel.send()).status).toBe(200);
    expect(reportIn(await receiver.nextEnvelope())).toEqual(["queue_overflow security 1"]);
  });

  test("a failing receiver is called three times, and gets the count of lost reports", async () => {
    receiver.behave({ kind: "refuse", status: 503 });
    await post({ sending: { attemptMs: 600, deadlineMs: 10_000, pausesMs: [0, 0] } });
    await expect.poll(() => tunnel.held()).toEqual({ events: 0, bytes: 0 });
    expect(receiver.received.length).toBe(3);
    receiver.behave({ kind: "accept" });
    await tunnel.send();
    await expect.poll(() => receiver.received.length).toBe(4);
    expect(receiver.received.slice(3).flatMap(reportIn)).toEqual(["send_error security 1"]);
  });
});

describe("nothing is sent for", () => {
  test.each<[string, RequestInput, number, string]>([
    ["another method", { method: "GET" }, 405, "POST only"],
    ["a preflight", { method: "OPTIONS" }, 405, "POST only"],
    ["another site", { headers: { Origin: "https://evil.example" } }, 403, "foreign origin"],
    ["another site's frame", { headers: { "Sec-Fetch-Site": "cross-site" } }, 403, "foreign origin"],
    ["a form", { type: "text/plain" }, 415, "not a report"],
    ["an envelope", { type: "application/x-sentry-envelope", body: "{}" }, 415, "not a report"],
    ["nothing", { body: "" }, 400, "malformed report"],
    ["half a report", { body: '{"csp-report":{' }, 400, "malformed report"],
    ["one format under the other's name", { type: MODERN }, 400, "malformed report"],
    ["too much", { body: " ".repeat(VIOLATIONS_BODY_BYTES_MAX + 1) }, 413, "body too large"],
    ["deep nests", { type: MODERN, body: "[".repeat(60_000) }, 400, "malformed report"],
  ])("%s", async (_name, request, status, detail) => {
    const answer = await post(request);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ detail });
    await expectNothingSent();
    await expect.poll(() => tunnel.held()).toEqual({ events: 0, bytes: 0 });
  });

  test.each<[string, () => RequestInput]>([
    ["an extension", () => ({ body: legacy("chrome-extension://abc/x.js") })],
    ["another site's page", () => ({ body: legacy().replaceAll(tunnel.origin, "https://evil.example") })],
    ["other reports of the Reporting API", () => ({ type: MODERN, body: '[{"type":"deprecation","body":{}}]' })],
    ["an empty list", () => ({ type: MODERN, body: "[]" })],
  ])("%s, and the browser doesn't retry", async (_name, request) => {
    expect((await post(request())).status).toBe(204);
    await expectNothingSent();
  });

  test("a compressed body, since browsers don't compress reports and we don't decompress them", async () => {
    expect((await post({ headers: { "Content-Encoding": "gzip" } })).status).toBe(415);
    await expectNothingSent();
  });
});
