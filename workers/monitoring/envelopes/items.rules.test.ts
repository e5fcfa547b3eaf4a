import { describe, expect, test } from "vitest";
import vectors from "#tests/vectors/sentry-items.json" with { type: "json" };
import limits from "#tests/vectors/sentry-receiver.json" with { type: "json" };
import { type EnvelopeItem, parseEnvelope } from "./envelope.rules.ts";
import { categoriesOf, hasRoomForReport, hasTooManyItems, KNOWN_CATEGORIES, lossesOf } from "./items.rules.ts";

function itemsOf(...lines: string[]): { items: readonly EnvelopeItem[]; bytes: Uint8Array } {
  const bytes = new TextEncoder().encode(["{}", ...lines].join("\n"));
  const framing = parseEnvelope(bytes);
  if (!framing.ok) throw new Error(framing.fault);
  return { items: framing.envelope.items, bytes };
}

function lossesIn(...lines: string[]): unknown {
  const { items, bytes } = itemsOf(...lines);
  return items.flatMap((item) => lossesOf(item, bytes)).map(({ category, quantity }) => [category, quantity]);
}

/** Categories that Relay counts in addition, for data that it extracts after accepting: they don't limit sending. */
const isAfterwards = (category: string): boolean => category.endsWith("_indexed");

describe("item types count as the receiver counts them", () => {
  test.each(vectors.categories)("$itemType", ({ itemType, relay }) => {
    const [item] = itemsOf(JSON.stringify({ type: itemType }), "{}").items;
    if (item === undefined) throw new Error("no item");
    for (const category of relay.filter((name) => /^\w+$/.test(name) && !isAfterwards(name))) {
      expect(categoriesOf(item)).toContain(category);
    }
    for (const category of categoriesOf(item)) expect(KNOWN_CATEGORIES).toContain(category);
  });

  test.each(limits.dataCategories.values)("a limit on %s is understood", (category) => {
    expect(KNOWN_CATEGORIES).toContain(category);
  });

  test("a profile chunk of a user interface is recognised by its platform", () => {
    const [browser, server] = itemsOf(
      '{"type":"profile_chunk","platform":"javascript"}',
      "",
      '{"type":"profile_chunk","platform":"node"}',
      "",
    ).items;
    expect(browser && categoriesOf(browser)).toEqual(["profile_chunk_ui"]);
    expect(server && categoriesOf(server)).toEqual(["profile_chunk"]);
  });
});

describe("what is lost with an item", () => {
  test("a transaction is lost with its spans, and is a span itself", () => {
    expect(lossesIn('{"type":"transaction"}', '{"spans":[{},{}]}')).toEqual([
      ["transaction", 1],
      ["span", 3],
    ]);
    expect(lossesIn('{"type":"transaction"}', "{}")).toEqual([
      ["transaction", 1],
      ["span", 1],
    ]);
    expect(lossesIn('{"type":"transaction"}', "not JSON")).toEqual([
      ["transaction", 1],
      ["span", 1],
    ]);
  });

  test("containers are lost with what they contain, logs with their bytes too", () => {
    expect(lossesIn('{"type":"log","item_count":7}', '{"items":[]}')).toEqual([
      ["log_item", 7],
      ["log_byte", 12],
    ]);
    expect(lossesIn('{"type":"span","item_count":3}', "{}")).toEqual([["span", 3]]);
    expect(lossesIn('{"type":"span","item_count":-3}', "{}")).toEqual([["span", 1]]);
  });

  test("trace metrics are counted in items and in bytes", () => {
    expect(lossesIn('{"type":"trace_metric","item_count":2}', '{"items":[]}')).toEqual([
      ["trace_metric", 2],
      ["trace_metric_byte", 12],
    ]);
    expect(lossesIn('{"type":"trace_metric"}', "")).toEqual([
      ["trace_metric", 1],
      ["trace_metric_byte", 1],
    ]);
  });

  test("an attachment is counted as one item and in bytes, as the receiver does for each kind", () => {
    const ref = '"content_type":"application/vnd.sentry.attachment-ref+json"';
    const trace = '"content_type":"application/vnd.sentry.trace-attachment"';
    const bytesOf = (header: string, payload: string): unknown => lossesIn(`{"type":"attachment"${header}}`, payload);
    const lost = (bytes: number): unknown => [
      ["attachment_item", 1],
      ["attachment", bytes],
    ];
    expect(bytesOf("", "0123456789")).toEqual(lost(10));
    expect(bytesOf("", "")).toEqual(lost(1));
    expect(bytesOf(`,${ref},"attachment_length":5000`, "{}")).toEqual(lost(5000));
    expect(bytesOf(`,${ref}`, "{}")).toEqual(lost(1));
    expect(bytesOf(`,${ref},"attachment_length":9007199254740991`, "{}")).toEqual(
      lost(limits.sizeLimits.relayDefaults.max_attachment_size),
    );
    expect(bytesOf(`,${trace},"meta_length":4`, "meta012345")).toEqual(lost(6));
    expect(bytesOf(`,${trace},"meta_length":99`, "meta")).toEqual(lost(1));
  });

  test("an item says how many it contains, but not so many that all honest numbers drown", () => {
    expect(lossesIn('{"type":"span","item_count":9007199254740991}', "{}")).toEqual([["span", 10_000]]);
  });

  test("a transaction above the receiver's size isn't unfolded to be counted", () => {
    const sized = (bytes: number): string => `{"spans":[{},{}${" ".repeat(bytes - 17)}]}`;
    const { max_event_size: sizeMax } = limits.sizeLimits.relayDefaults;
    expect(lossesIn('{"type":"transaction"}', sized(sizeMax))).toEqual([
      ["transaction", 1],
      ["span", 3],
    ]);
    expect(lossesIn('{"type":"transaction"}', sized(sizeMax + 1))).toEqual([
      ["transaction", 1],
      ["span", 1],
    ]);
  });

  test("unknown items count as default, client reports not at all", () => {
    expect(lossesIn('{"type":"of_the_future"}', "{}", '{"type":"client_report"}', "{}")).toEqual([["default", 1]]);
  });
});

describe("item counts", () => {
  const many = (count: number, header: object): readonly EnvelopeItem[] =>
    itemsOf(...Array.from({ length: count }, () => `${JSON.stringify(header)}\n{}`)).items;

  const { source: _, span_container, ...counted } = limits.sizeLimits.relayItemCountPerEnvelope;
  test.each([
    ...Object.entries(counted).map(([type, countMax]) => [{ type }, countMax] as const),
    [{ type: "span", content_type: "application/vnd.sentry.items.span.v2+json" }, span_container] as const,
    [{ type: "span" }, limits.sizeLimits.relayDefaults.max_standalone_span_count] as const,
    ...["transaction", "feedback", "replay_event", "replay_video", "profile_chunk", "statsd"].map(
      (type) => [{ type }, 1] as const,
    ),
    [{ type: "user_report" }, limits.sizeLimits.relayDefaults.max_attachment_count] as const,
  ])("of %j there may be %i and no more", (header, countMax) => {
    expect(hasTooManyItems(many(countMax, header))).toBe(false);
    expect(hasTooManyItems(many(countMax + 1, header))).toBe(true);
  });

  test("a report of ours is joined only where it isn't the one too many", () => {
    const { client_report: countMax } = counted;
    expect(hasRoomForReport(many(countMax - 1, { type: "client_report" }))).toBe(true);
    expect(hasRoomForReport(many(countMax, { type: "client_report" }))).toBe(false);
  });

  test("sessions and their aggregates are counted together", () => {
    expect(hasTooManyItems([...many(60, { type: "session" }), ...many(41, { type: "sessions" })])).toBe(true);
  });

  test("an event and a transaction may travel together, and unknown items are not counted", () => {
    expect(hasTooManyItems([...many(1, { type: "event" }), ...many(1, { type: "transaction" })])).toBe(false);
    expect(hasTooManyItems(many(200, { type: "of_the_future" }))).toBe(false);
  });
});

test("the content of an item's header is taken literally, and nothing in it throws", () => {
  const trap = '{"toString":1,"valueOf":1}';
  const { items, bytes } = itemsOf(
    `{"type":"profile_chunk","platform":${trap}}`,
    "",
    `{"type":"span","content_type":${trap},"item_count":${trap}}`,
    "",
    '{"type":"__proto__","platform":null}',
    "",
    '{"type":"constructor","item_count":1e999}',
    "",
  );
  expect(items.map(categoriesOf)).toEqual([["profile_chunk"], ["span"], [], []]);
  expect(hasTooManyItems(items)).toBe(false);
  expect(items.flatMap((item) => lossesOf(item, bytes)).every(({ quantity }) => quantity === 1)).toBe(true);
});
