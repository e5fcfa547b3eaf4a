import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import vectors from "#tests/vectors/sentry-envelopes.json" with { type: "json" };
import {
  type Envelope,
  isSaidOnce,
  joinLines,
  parseEnvelope,
  peekFirstItem,
  rebuildEnvelope,
} from "./envelope.rules.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function parsed(bytes: Uint8Array): Envelope {
  const framing = parseEnvelope(bytes);
  if (!framing.ok) throw new Error(framing.fault);
  return framing.envelope;
}

describe("third-party envelopes are framed exactly by the grammar", () => {
  test.each(vectors.envelopes)("$id $name", (vector) => {
    const framing = parseEnvelope(Uint8Array.from(Buffer.from(vector.b64, "base64")));
    const { expect: wanted } = vector;
    if (wanted.valid !== true) {
      expect(framing).toEqual({ ok: false, fault: wanted.error ?? wanted.strictError });
      return;
    }
    expect(framing.ok).toBe(true);
    if (!framing.ok) return;
    expect(framing.envelope.items.map((item) => item.type)).toEqual(wanted.itemTypes);
    if (wanted.itemLengths) {
      expect(framing.envelope.items.map((item) => item.end - item.payloadStart)).toEqual(wanted.itemLengths);
    }
  });
});

describe("malformed envelopes", () => {
  test.each([
    ["", "invalid_header"],
    ["\n", "invalid_header"],
    ["[]\n", "invalid_header"],
    ["null", "invalid_header"],
    ['"{}"', "invalid_header"],
    ["{} \n", "invalid_header"],
    ["{}\r\n", "invalid_header"],
    ["\ufeff{}", "invalid_header"],
    ["{}\n\n", "invalid_item_header"],
    ['{}\n{"type":""}\n', "invalid_item_header"],
    ['{}\n{"type":1}\n', "invalid_item_header"],
    ['{}\n{"type":"event"}\r\n{}', "invalid_item_header"],
    ['{}\n{"type":"event","length":-1}\n{}', "invalid_item_header"],
    ['{}\n{"type":"event","length":1.5}\n{}', "invalid_item_header"],
    ['{}\n{"type":"event","length":"2"}\n{}', "invalid_item_header"],
    ['{}\n{"type":"event","length":3}\n{}', "unexpected_eof"],
    ['{}\n{"type":"event","length":9007199254740993}\n{}', "invalid_item_header"],
    ['{}\n{"type":"event","length":3}', "unexpected_eof"],
    ['{}\n{"type":"event","length":1}\n{}', "missing_newline"],
    ['{}\n{"type":"event","length":2}\n{} \n', "missing_newline"],
    ['{}\n{"type":"event"}\n{}\n\n', "invalid_item_header"],
  ])("%j is refused as %s", (text, fault) => {
    expect(parseEnvelope(encode(text))).toEqual({ ok: false, fault });
  });

  test("a header line has at most 64 KiB", () => {
    const header = (length: number): Uint8Array => encode(`{"a":"${"x".repeat(length - 8)}"}`);
    expect(parseEnvelope(header(64 * 1024)).ok).toBe(true);
    expect(parseEnvelope(header(64 * 1024 + 1)).ok).toBe(false);
  });

  test("an envelope has at most 1,000 items, and no more are read, however small they are", () => {
    const holding = (count: number): Uint8Array => encode(`{}${'\n{"type":"x"}\n'.repeat(count)}`);
    expect(parsed(holding(1_000)).items.length).toBe(1_000);
    // The one after is not even looked at: were it read, its header would be the fault.
    const more = Buffer.concat([holding(1_001), encode("\nnot a header")]);
    expect(parseEnvelope(more)).toEqual({ ok: false, fault: "too_many_items" });
  });

  test("bytes that are no UTF-8 are no header", () => {
    expect(parseEnvelope(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)).ok).toBe(false);
  });
});

describe("valid envelopes", () => {
  test("an explicit null length is no length, and unknown item types pass", () => {
    const { items } = parsed(encode('{}\n{"type":"of the future","length":null}\npayload'));
    expect(items.map(({ type, payloadStart, end }) => [type, end - payloadStart])).toEqual([["of the future", 7]]);
  });

  test("any payload with a length survives, whatever its bytes", () => {
    const payloads = fc.array(fc.uint8Array({ maxLength: 200 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(payloads, fc.boolean(), (contents, endsWithNewline) => {
        const parts = contents.flatMap((content) => [
          encode(`{"type":"attachment","length":${content.length}}`),
          content,
        ]);
        const bytes = joinLines([encode("{}"), ...parts, ...(endsWithNewline ? [new Uint8Array()] : [])]);
        const { items } = parsed(bytes);
        const payloads = items.map((item) => bytes.subarray(item.payloadStart, item.end));
        expect(payloads.map((payload) => Array.from(payload))).toEqual(contents.map((content) => Array.from(content)));
      }),
    );
  });

  test("no bytes at all make the parser throw", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        parseEnvelope(bytes);
        peekFirstItem(bytes);
      }),
    );
  });
});

describe("what is forwarded", () => {
  test("an untouched envelope is the very same bytes", () => {
    const envelope = parsed(encode('{"sent_at":"x"}\n{"type":"event"}\n{}\n'));
    expect(rebuildEnvelope(envelope, envelope.items)).toBe(envelope.bytes);
  });

  test("dropping an item leaves the others byte for byte", () => {
    const envelope = parsed(
      encode('{ "a":1.0}\n{"type":"event"}\n{}\n{"type":"attachment","length":3}\n\0\n\xff\n'.replace("3", "4")),
    );
    const kept = envelope.items.filter((item) => item.type === "attachment");
    expect(decode(rebuildEnvelope(envelope, kept))).toBe('{ "a":1.0}\n{"type":"attachment","length":4}\n\0\n\xff');
  });

  test("forgeable header fields go, everything else in the line keeps its bytes", () => {
    const line =
      '{"event_id":"a\\/b","forwarded_for":"8.8.8.8","n":1.0,"remote_addr":"x","user_agent":"{,}","origin":{"a":[1,2]},' +
      '"sent_at":"2026","retention":90,"\\u0063lient":"forged","no_cache":true,"trace":{"client":"kept","s":"\\",\\""}}';
    const envelope = parsed(encode(`${line}\n{"type":"event"}\n{}`));
    expect(decode(rebuildEnvelope(envelope, envelope.items))).toBe(
      '{"event_id":"a\\/b","n":1.0,"sent_at":"2026","trace":{"client":"kept","s":"\\",\\""}}\n{"type":"event"}\n{}',
    );
  });

  test.each([
    ["twice", '{"a":1,"client":"x","b":2,"client":"y"}', '{"a":1,"b":2}'],
    ["once plain and once escaped", '{"no_cache":1,"a":1,"no\\u005fcache":2}', '{"a":1}'],
    ["escaped in capitals", '{"\\u0066orwarded\\u005Ffor":"8.8.8.8","a":1}', '{"a":1}'],
    ["behind a key that ends in a backslash", '{"a\\\\":"\\\\","origin":"x"}', '{"a\\\\":"\\\\"}'],
    ["with spaces around everything", '{ "a" : 1 , "retention" : 9 }', '{ "a" : 1 }'],
    ["of a newer receiver", '{"client_hints":{"a":[",\\"}"]},"downsampled_retention":1,"required_features":[]}', "{}"],
    [
      "that only looks like one",
      '{"Client":1,"client ":1,"a":"\\"client\\":1"}',
      '{"Client":1,"client ":1,"a":"\\"client\\":1"}',
    ],
    [
      "in another object",
      '{"trace":{"client":1,"client":2},"a":[{"origin":1}]}',
      '{"trace":{"client":1,"client":2},"a":[{"origin":1}]}',
    ],
  ])("a forgeable field %s", (_name, line, stripped) => {
    const envelope = parsed(encode(`${line}\n{"type":"event","client":"kept"}\n{}`));
    expect(decode(rebuildEnvelope(envelope, envelope.items))).toBe(`${stripped}\n{"type":"event","client":"kept"}\n{}`);
  });

  test("a key that stands twice, however it is written, isn't said once", () => {
    const once = (line: string): boolean => isSaidOnce(parsed(encode(line)), "dsn");
    expect(once('{"dsn":"x","trace":{"dsn":"y"}}')).toBe(true);
    expect(once('{"dsn":"x","d\\u0073n":"y"}')).toBe(false);
    expect(once("{}")).toBe(false);
  });

  test("a header of forgeable fields only becomes an empty one", () => {
    const envelope = parsed(encode('{"client":"x"}\n{"type":"event"}\n{}'));
    expect(decode(rebuildEnvelope(envelope, envelope.items))).toBe('{}\n{"type":"event"}\n{}');
  });

  test("whatever stands in a header, stripping leaves the other members and valid JSON", () => {
    const key = fc.oneof(fc.string(), fc.constantFrom("client", "origin", "no_cache", "dsn"));
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue()), (header) => {
        const envelope = parsed(encode(`${JSON.stringify(header)}\n{"type":"event"}\n{}`));
        const { header: stripped } = parsed(rebuildEnvelope(envelope, envelope.items));
        const { client: _c, origin: _o, no_cache: _n, ...rest } = JSON.parse(JSON.stringify(header));
        expect(stripped).toEqual(rest);
      }),
    );
  });
});
