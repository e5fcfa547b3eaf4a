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

describe("item types", () => {
  test.each(vectors.categories)("are counted as the receiver counts them: $itemType", ({ itemType, relay }) => {
    const [item] = itemsOf(JSON.stringify({ type: itemType }), "{}").items;
    if (item === undefined) throw new Error("no item");
    for (const category of relay.filter((name) => /^\w+$/.test(name) && !isAfterwards(name))) {
      expect(categoriesOf(item)).toContain(category);
    }
    for (const category of categoriesOf(item)) expect(KNOWN_CATEGORIES).toContain(category);
  });

  test.each(limits.dataCategories.values)("are matched with a limit on %s", (category) => {
    expect(KNOWN_CATEGORIES).toContain(category);
  });

  test("include a UI profile chunk, recognised by its platform", () => {
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

describe("the count of a dropped item", () => {
  test("includes a transaction's spans, and the transaction as a span", () => {
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

  test("includes the contents of containers, and for logs also the bytes", () => {
    expect(lossesIn('{"type":"log","item_count":7}', '{"items":[]}')).toEqual([
      ["log_item", 7],
      ["log_byte", 12],
    ]);
    expect(lossesIn('{"type":"span","item_count":3}', "{}")).toEqual([["span", 3]]);
    expect(lossesIn('{"type":"span","item_count":-3}', "{}")).toEqual([["span", 1]]);
  });

  test("has items and bytes for trace metrics", () => {
    expect(lossesIn('{"type":"trace_metric","item_count":2}', '{"items":[]}')).toEqual([
      ["trace_metric", 2],
      ["trace_metric_byte", 12],
    ]);
    expect(lossesIn('{"type":"trace_metric"}', "")).toEqual([
      ["trace_metric", 1],
      ["trace_metric_byte", 1],
    ]);
  });

  test("has one item and its bytes for an attachment, as the receiver counts each kind", () => {
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

  test("accepts the number that an item declares, up to a limit", () => {
    expect(lossesIn('{"type":"span","item_count":9007199254740991}', "{}")).toEqual([["span", 10_000]]);
  });

  test("omits the spans of a transaction above the receiver's size limit", () => {
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

  test("has unknown items as default, and no client reports", () => {
    expect(lossesIn('{"type":"of_the_future"}', "{}", '{"type":"client_report"}', "{}")).toEqual([["default", 1]]);
  });
});

describe("the maximum number of items", () => {
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
  ])("for %j is %i", (header, countMax) => {
    expect(hasTooManyItems(many(countMax, header))).toBe(false);
    expect(hasTooManyItems(many(countMax + 1, header))).toBe(true);
  });

  test("allows us to append a report only if there is room for it", () => {
    const { client_report: countMax } = counted;
    expect(hasRoomForReport(many(countMax - 1, { type: "client_report" }))).toBe(true);
    expect(hasRoomForReport(many(countMax, { type: "client_report" }))).toBe(false);
  });

  test("counts sessions and their aggregates together", () => {
    expect(hasTooManyItems([...many(60, { type: "session" }), ...many(41, { type: "sessions" })])).toBe(true);
  });

  test("allows an event and a transaction together, and ignores unknown items", () => {
    expect(hasTooManyItems([...many(1, { type: "event" }), ...many(1, { type: "transaction" })])).toBe(false);
    expect(hasTooManyItems(many(200, { type: "of_the_future" }))).toBe(false);
  });
});

test("the contents of an item's header are taken literally, and never make the parser throw", () => {
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
