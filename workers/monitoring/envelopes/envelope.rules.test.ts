import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import vectors from "#tests/vectors/sentry-envelopes.json" with { type: "json" };
import { BODY_BYTES_CEILING } from "../constants.ts";
import { type Envelope, parseEnvelope, peekEnvelope } from "./envelope.rules.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function parsed(bytes: Uint8Array): Envelope {
  const framing = parseEnvelope(bytes);
  if (!framing.ok) throw new Error(framing.fault);
  return framing.envelope;
}

describe("third-party envelopes", () => {
  test.each(vectors.envelopes)("are framed exactly by the grammar: $id $name", (vector) => {
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
  ])("are refused: %j as %s", (text, fault) => {
    expect(parseEnvelope(encode(text))).toEqual({ ok: false, fault });
  });

  test("include those with a header line of more than 64 KiB", () => {
    const header = (length: number): Uint8Array => encode(`{"a":"${"x".repeat(length - 8)}"}`);
    expect(parseEnvelope(header(64 * 1024)).ok).toBe(true);
    expect(parseEnvelope(header(64 * 1024 + 1)).ok).toBe(false);
  });

  test("include those with more than 1,000 items, and no further items are read, whatever their size", () => {
    const holding = (count: number): Uint8Array => encode(`{}${'\n{"type":"x"}\n'.repeat(count)}`);
    expect(parsed(holding(1_000)).items.length).toBe(1_000);
    // The next item isn't read at all: if it were, its header would be the fault.
    const more = Buffer.concat([holding(1_001), encode("\nnot a header")]);
    expect(parseEnvelope(more)).toEqual({ ok: false, fault: "too_many_items" });
  });

  test("include those with a header that isn't UTF-8", () => {
    expect(parseEnvelope(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)).ok).toBe(false);
  });
});

describe("valid envelopes", () => {
  test("may have an explicit null length, which counts as none, and unknown item types", () => {
    const { items } = parsed(encode('{}\n{"type":"of the future","length":null}\npayload'));
    expect(items.map(({ type, payloadStart, end }) => [type, end - payloadStart])).toEqual([["of the future", 7]]);
  });

  test("may have any payload with a length, whatever its bytes", () => {
    const payloads = fc.array(fc.uint8Array({ maxLength: 200 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(payloads, fc.boolean(), (contents, endsWithNewline) => {
        const parts = contents.flatMap((content) => [
          encode(`{"type":"attachment","length":${content.length}}`),
          content,
        ]);
        const lines = [encode("{}"), ...parts].flatMap((line) => [line, encode("\n")]);
        const bytes = Buffer.concat(endsWithNewline ? lines : lines.slice(0, -1));
        const { items } = parsed(bytes);
        const payloads = items.map((item) => bytes.subarray(item.payloadStart, item.end));
        expect(payloads.map((payload) => Array.from(payload))).toEqual(contents.map((content) => Array.from(content)));
      }),
    );
  });

  test("are parsed without an exception, as is any other input", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        parseEnvelope(bytes);
        peekEnvelope(bytes);
      }),
    );
  });
});

test("an item that was cut off has the size in its header, up to the largest body, or what arrived of it", () => {
  const sizeOf = (length: string): unknown => {
    const [item] = peekEnvelope(encode(`{}\n{"type":"attachment","length":${length}}\nabc`))?.items ?? [];
    return item && item.end - item.payloadStart;
  };
  expect(["5000", "1e999", "-1", '"7"', "null"].map(sizeOf)).toEqual([5000, BODY_BYTES_CEILING, 3, 3, 3]);
});

test("the items before one that was cut off are recognised, too, and the envelope's header", () => {
  const peeked = peekEnvelope(encode('{"a":1}\n{"type":"feedback"}\n{}\n{"type":"attachment","length":9}\nab'));
  expect(peeked?.header).toEqual({ a: 1 });
  expect(peeked?.items.map(({ type, payloadStart, end }) => [type, end - payloadStart])).toEqual([
    ["feedback", 2],
    ["attachment", 9],
  ]);
});
