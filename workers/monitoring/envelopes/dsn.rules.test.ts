import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import vectors from "#tests/vectors/sentry-dsns.json" with { type: "json" };
import { type Dsn, envelopeUrl, isSameDestination, parseDsn, publicDsnText } from "./dsn.rules.ts";

function parsed(text: string): Dsn {
  const dsn = parseDsn(text);
  if (dsn === null) throw new Error(`not a DSN: ${text}`);
  return dsn;
}

describe("third-party DSNs", () => {
  test.each(vectors.dsns)("are parsed as by their own SDKs: $id $input", (vector) => {
    const dsn = parseDsn(vector.input);
    expect(dsn !== null).toBe(vector.valid);
    if (dsn === null) return;
    const { secret, ...rest } = dsn;
    if (vector.components) expect({ ...rest, pass: secret }).toEqual(vector.components);
    if (vector.toString && typeof vector.toString === "string") expect(publicDsnText(dsn)).toBe(vector.toString);
    for (const written of [vector.toStringRust, vector.toStringWithPassword]) {
      if (written) expect(isSameDestination(parsed(written), dsn)).toBe(true);
    }
    if (vector.envelopeUrl) expect(envelopeUrl(dsn).split("?")[0]).toBe(vector.envelopeUrl);
    if (vector.envelopeUrlWithAuth && !vector.tunnel) expect(envelopeUrl(dsn)).toBe(vector.envelopeUrlWithAuth);
  });
});

describe("the DSN check", () => {
  const own = parsed("https://key@sentry.example/sub/42");

  test.each([
    "https://key:@sentry.example/sub/42",
    "https://key:secret@sentry.example/sub/42",
    "https://key@sentry.example:443/sub/42",
    "https://key@SENTRY.example/sub/42",
    "https://key@sentry.example/sub/42?sample.rate=0.1",
  ])("accepts %s as ours, written differently", (text) => {
    expect(isSameDestination(parsed(text), own)).toBe(true);
  });

  test.each([
    "http://key@sentry.example/sub/42",
    "https://other@sentry.example/sub/42",
    "https://key@sentry.example.evil/sub/42",
    "https://key@sentry.example:8443/sub/42",
    "https://key@sentry.example/42",
    "https://key@sentry.example/sub/43",
    "https://KEY@sentry.example/sub/42",
  ])("refuses %s as another project's", (text) => {
    expect(isSameDestination(parsed(text), own)).toBe(false);
  });

  test("refuses a DSN that contains an extra host, path or query", () => {
    for (const text of [
      "https://key@sentry.example@evil.example/42",
      "https://key@sentry.example\\@evil.example/42",
      "https://key@sentry.example/../../42/evil",
      "https://key@sentry.example/42\n",
      " https://key@sentry.example/42",
      "https://key@sentry.example/42#/43",
      "javascript://key@sentry.example/42",
    ]) {
      const dsn = parseDsn(text);
      expect(dsn === null || isSameDestination(dsn, parsed("https://key@sentry.example/42"))).toBe(
        text.includes("#") ? true : dsn === null,
      );
    }
  });

  test("never sends a secret to a browser", () => {
    expect(publicDsnText(parsed("https://key:secret@sentry.example:9000/sub/42"))).toBe(
      "https://key@sentry.example:9000/sub/42",
    );
  });

  test("parses the printed form as the same destination", () => {
    const host = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.ipV6().map((address) => `[${address}]`),
    );
    const port = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: null });
    fc.assert(
      fc.property(fc.constantFrom("http", "https"), host, port, fc.nat(), (protocol, name, number, project) => {
        const dsn = parsed(`${protocol}://abc@${name}${number === null ? "" : `:${number}`}/${project}`);
        expect(isSameDestination(parsed(publicDsnText(dsn)), dsn)).toBe(true);
      }),
    );
  });
});
