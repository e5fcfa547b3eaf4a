import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import vectors from "#tests/vectors/sentry-envelopes.json" with { type: "json" };
import { type Envelope, isSaidOnce, parseEnvelope, rebuildEnvelope, withItem } from "./envelope.rules.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function parsed(bytes: Uint8Array): Envelope {
  const framing = parseEnvelope(bytes);
  if (!framing.ok) throw new Error(framing.fault);
  return framing.envelope;
}

describe("a forwarded envelope", () => {
  test("is byte for byte the same if nothing was changed", () => {
    const envelope = parsed(encode('{"sent_at":"x"}\n{"type":"event"}\n{}\n'));
    expect(rebuildEnvelope(envelope, envelope.items)).toBe(envelope.bytes);
  });

  test("has its remaining items byte for byte after one was dropped", () => {
    const envelope = parsed(
      encode('{ "a":1.0}\n{"type":"event"}\n{}\n{"type":"attachment","length":3}\n\0\n\xff\n'.replace("3", "4")),
    );
    const retained = envelope.items.filter((item) => item.type === "attachment");
    expect(decode(rebuildEnvelope(envelope, retained))).toBe('{ "a":1.0}\n{"type":"attachment","length":4}\n\0\n\xff');
  });

  test("has no forgeable header fields, and all other bytes of the line unchanged", () => {
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
  ])("handles a forgeable field %s", (_name, line, stripped) => {
    const envelope = parsed(encode(`${line}\n{"type":"event","client":"kept"}\n{}`));
    expect(decode(rebuildEnvelope(envelope, envelope.items))).toBe(`${stripped}\n{"type":"event","client":"kept"}\n{}`);
  });

  test("has a duplicate key if a name occurs twice, however it is written", () => {
    const once = (line: string): boolean => isSaidOnce(parsed(encode(line)), "dsn");
    expect(once('{"dsn":"x","trace":{"dsn":"y"}}')).toBe(true);
    expect(once('{"dsn":"x","d\\u0073n":"y"}')).toBe(false);
    expect(once('{"dsn":"x","dsn":"y"}')).toBe(false);
    expect(once('{"d\\u0073n":"x","a":"\\u00fc"}')).toBe(true);
    expect(once('{"trace":{"dsn":"y"}}')).toBe(false);
    expect(once("{}")).toBe(false);
  });

  test("has an empty header if all its fields were forgeable", () => {
    const envelope = parsed(encode('{"client":"x"}\n{"type":"event"}\n{}'));
    expect(decode(rebuildEnvelope(envelope, envelope.items))).toBe('{}\n{"type":"event"}\n{}');
  });

  test("keeps all other members and valid JSON for any header", () => {
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

describe("an appended item", () => {
  const report = encode('{"type":"client_report","length":2}\n{}');

  /** Headers and payloads, byte for byte. */
  function contents({ bytes, items }: Envelope): string[] {
    return items.map((item) => Buffer.from(bytes.subarray(item.start, item.end)).toString("latin1").trimEnd());
  }

  test.each(vectors.envelopes.filter(({ expect: wanted }) => wanted.valid === true))(
    "follows all others, which are unchanged: $id $name",
    ({ b64 }) => {
      const envelope = parsed(Uint8Array.from(Buffer.from(b64, "base64")));
      const joined = parsed(withItem(envelope, report));
      expect(contents(joined)).toEqual([...contents(envelope), decode(report)]);
    },
  );

  test.each([
    [
      "the last payload's own newline",
      '{}\n{"type":"attachment","length":3}\nab\n',
      '{}\n{"type":"attachment","length":3}\nab\n\n',
    ],
    [
      "a newline behind the last payload",
      '{}\n{"type":"attachment","length":2}\nab\n',
      '{}\n{"type":"attachment","length":2}\nab\n',
    ],
    ["no payload and no newline", '{}\n{"type":"attachment","length":0}', '{}\n{"type":"attachment","length":0}\n\n'],
    ["no payload behind a newline", '{}\n{"type":"attachment"}\n', '{}\n{"type":"attachment"}\n\n'],
    ["a payload without length", '{}\n{"type":"attachment"}\nab\r', '{}\n{"type":"attachment"}\nab\r\n'],
  ])("follows %s", (_name, bytes, before) => {
    expect(decode(withItem(parsed(encode(bytes)), report))).toBe(before + decode(report));
  });
});
