import { describe, expect, test } from "vitest";
import type { Behaviour } from "#tests/support/monitoring/sentry-receiver.ts";
import { useTunnel } from "#tests/support/monitoring/tunnel.ts";
import limits from "#tests/vectors/sentry-rate-limits.json" with { type: "json" };

/**
 * The rows of the tunnel table about back-off: what the receiver answers, what a browser then gets, what is dropped.
 */
const tunnel = useTunnel();
const { receiver } = tunnel;

/** One envelope is sent and answered so; the first that is refused because of it is the result. */
async function refusedAfter(status: number, headers: Record<string, string>): Promise<Response> {
  const answer: Behaviour = status === 200 ? { kind: "accept", headers } : { kind: "refuse", status, headers };
  receiver.plan(answer);
  expect((await tunnel.send()).status).toBe(200);
  await receiver.nextEnvelope();
  return tunnel.sendUntil(429);
}

/** Seconds that pass while the test runs. */
const about = (seconds: number): RegExp => new RegExp(`^(${seconds}|${seconds - 1})$`);

describe("a limit is read", () => {
  test.each([
    ["a 429 with both headers", 429, { "X-Sentry-Rate-Limits": "30:error:key", "Retry-After": "90" }, 30, ":error:"],
    ["a 429 with Retry-After alone", 429, { "Retry-After": "30" }, 30, "::"],
    ["a 429 that names no time", 429, {}, 60, "::"],
    ["a 200", 200, { "X-Sentry-Rate-Limits": "30:error:key" }, 30, ":error:"],
    [
      "spaces, fractions and unknown categories",
      200,
      { "X-Sentry-Rate-Limits": " 29.2 : error ; new : key , x" },
      30,
      ":error:",
    ],
    [
      "several limits, of which the longest wins",
      429,
      { "X-Sentry-Rate-Limits": "30:error:key, 5:error:key" },
      30,
      ":error:",
    ],
    ["a 403", 403, { "X-Sentry-Rate-Limits": "30:error:key" }, 30, ":error:"],
  ] as const)("from %s", async (_name, status, headers, seconds, scope) => {
    const refused = await refusedAfter(status, headers);
    expect(refused.headers.get("Retry-After")).toMatch(about(seconds));
    const listedLimits = refused.headers.get("X-Sentry-Rate-Limits") ?? "";
    expect(listedLimits).toMatch(new RegExp(`^(${seconds}|${seconds - 1})${scope}organization$`));
    expect(await refused.json()).toEqual({ detail: "rate limited" });
  });

  const normative = limits.headers.filter(
    ({ normative: isNormative, expect: wanted }) => isNormative && Object.keys(wanted.limits ?? {}).length > 0,
  );
  test.each(normative)("as the protocol demands: $name", async ({ input, expect: wanted }) => {
    const entries = Object.entries(input.headers).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
    const headers: Record<string, string> = Object.fromEntries(entries);
    receiver.plan({ kind: "refuse", status: input.status ?? 429, headers });
    await tunnel.send();
    const all = Object.entries(wanted.limits ?? {}).map(([category, seconds]) => [category, seconds ?? 0] as const);
    // Any answer lists all limits, accepted or refused; this kind of item has none.
    const listedLimits = async (): Promise<string[]> => {
      const answer = await tunnel.send({ body: tunnel.envelope({}, '{"type":"of_the_future"}\n{}') });
      const groups = (answer.headers.get("X-Sentry-Rate-Limits") ?? "").split(", ").map((group) => group.split(":"));
      return groups.flatMap(([seconds, categories = ""]) =>
        (categories === "" ? ["all"] : categories.split(";")).map((category) => `${category} ${seconds}`),
      );
    };
    const isListed = ([category, seconds]: readonly [string, number], lines: string[]): boolean =>
      lines.includes(`${category} ${seconds}`) || lines.includes(`${category} ${seconds - 1}`);
    await expect
      .poll(async () => {
        const lines = await listedLimits();
        return lines.length === all.length && all.every((limit) => isListed(limit, lines));
      })
      .toBe(true);
  });
});

describe("during a limit", () => {
  test("dropped items are counted, and the limit ends automatically", async () => {
    await refusedAfter(429, { "Retry-After": "30" });
    expect((await tunnel.send({ headers: { "x-later": "31" } })).status).toBe(200);
    expect(await tunnel.nextReport()).toContain('"reason":"ratelimit_backoff","category":"error"');
  });

  test("other kinds pass, and their answers list the limit", async () => {
    await refusedAfter(429, { "X-Sentry-Rate-Limits": "30:error:key" });
    const other = await tunnel.send({ body: tunnel.envelope({}, '{"type":"transaction"}\n{}') });
    expect(other.status).toBe(200);
    expect(other.headers.get("X-Sentry-Rate-Limits")).toMatch(/^(30|29):error:organization$/);
    expect(other.headers.get("Retry-After")).toBeNull();
  });

  test("the limited items of a mixed envelope are dropped, and the rest arrives byte for byte", async () => {
    await refusedAfter(429, { "X-Sentry-Rate-Limits": "30:error:key" });
    const binary = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
    const rest = [Buffer.from('{"type":"attachment","length":256}\n'), binary, Buffer.from('\n{"type":"new"}\nü\r')];
    const header = Buffer.from(`{"n":1.0,"dsn":"${receiver.dsn}" }\n`);
    const event = Buffer.from('{"type":"event"}\n{"message":"dropped"}\n');
    const [attachment = header, ...others] = rest;
    const body = Buffer.concat([header, event, attachment, ...others]);
    expect((await tunnel.send({ body })).status).toBe(200);
    const received = await receiver.nextEnvelope();
    const forwarded = Buffer.concat([header, ...rest, Buffer.from('\n{"type":"client_report"')]);
    expect(received.body.subarray(0, forwarded.length).equals(forwarded)).toBe(true);
    expect(received.text).not.toContain("dropped");
    // One by the mixed envelope, the others by sending until the limit was known.
    expect(received.text).toMatch(/"reason":"ratelimit_backoff","category":"error","quantity":\d+\}\]\}$/);
  });
});
