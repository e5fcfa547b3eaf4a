import { describe, expect, test } from "vitest";
import vectors from "#tests/vectors/sentry-receiver.json" with { type: "json" };
import {
  addTallies,
  countLosses,
  type LossReason,
  NOTHING_LOST,
  reportItem,
  splitForReport,
} from "./client-report.rules.ts";
import { parseEnvelope } from "./envelope.rules.ts";
import { KNOWN_CATEGORIES } from "./items.rules.ts";

/** The payload of the report, read from an envelope as a receiver would. */
function payloadOf(report: Uint8Array): { timestamp: number; discarded_events: { quantity: number }[] } {
  const bytes = Buffer.concat([Buffer.from("{}\n"), report]);
  const framing = parseEnvelope(bytes);
  const [item, ...more] = framing.ok ? framing.envelope.items : [];
  if (item?.type !== "client_report" || more.length > 0) throw new Error("not one client report");
  return JSON.parse(bytes.subarray(item.payloadStart, item.end).toString());
}

describe("client reports", () => {
  test("list per reason and category how much was dropped, in one well-framed item", () => {
    let tally = countLosses(NOTHING_LOST, "ratelimit_backoff", [{ category: "error", quantity: 1 }]);
    tally = countLosses(tally, "ratelimit_backoff", [{ category: "error", quantity: 2 }]);
    tally = addTallies(tally, countLosses(NOTHING_LOST, "network_error", [{ category: "span", quantity: 4 }]));
    expect(payloadOf(reportItem(tally, 1_500))).toEqual({
      timestamp: 1.5,
      discarded_events: [
        { reason: "ratelimit_backoff", category: "error", quantity: 3 },
        { reason: "network_error", category: "span", quantity: 4 },
      ],
    });
  });

  const reported = vectors.clientReports.envelopes.filter(({ discarded }) => discarded.length > 0);
  test.each(reported)("are written in the SDK's format: $discarded", ({ discarded, timestamp, expect: wanted }) => {
    const tally = new Map(discarded.map(({ reason, category, quantity }) => [`${reason}:${category}`, quantity]));
    expect(payloadOf(reportItem(tally, (timestamp ?? 0) * 1000))).toEqual(wanted.payload);
  });

  test("contain only reasons that the protocol defines", () => {
    const reasons: Record<LossReason, true> = {
      ratelimit_backoff: true,
      queue_overflow: true,
      send_error: true,
      network_error: true,
    };
    expect(vectors.clientReports.discardReasons).toEqual(expect.arrayContaining(Object.keys(reasons)));
  });

  test("contain no number that a receiver can't parse, since it would discard all the others", () => {
    const tally = new Map([["send_error:log_byte", 2 ** 40]]);
    expect(payloadOf(reportItem(tally, 0)).discarded_events.map(({ quantity }) => quantity)).toEqual([4_294_967_295]);
  });

  test("never exceed the receiver's size limit, and leave the rest for the next report", () => {
    const tally = new Map(
      [...KNOWN_CATEGORIES].flatMap((category) => {
        const reasons = ["ratelimit_backoff", "queue_overflow", "network_error", "send_error"];
        return reasons.map((reason) => [`${reason}:${category}`, 2 ** 40] as const);
      }),
    );
    const reports: Uint8Array[] = [];
    let rest: ReadonlyMap<string, number> = tally;
    while (rest.size > 0) {
      const { reported, left } = splitForReport(rest);
      reports.push(reportItem(reported, Date.now()));
      rest = left;
    }
    for (const report of reports) expect(report.length).toBeLessThan(vectors.sizeLimits.docs.clientReport);
    expect(reports.flatMap((report) => payloadOf(report).discarded_events).length).toBe(tally.size);
  });
});
