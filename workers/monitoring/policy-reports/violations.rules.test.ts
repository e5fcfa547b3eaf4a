import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDsn } from "../envelopes/dsn.rules.ts";
import { parseEnvelope } from "../envelopes/envelope.rules.ts";
import { violationEnvelope } from "./violation-envelope.rules.ts";
import { readViolations, reportFormat, type Violation, violationKey } from "./violations.rules.ts";

const own = "https://foyer.example";
const encode = (body: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(body));

/** As Chromium 156 sends it by `report-uri`. */
const legacy = {
  "document-uri": `${own}/settings/orders?order=ord_secret#fragment`,
  referrer: `${own}/verify?code=123456`,
  "violated-directive": "img-src",
  "effective-directive": "img-src",
  "original-policy": "default-src 'none'; script-src 'nonce-secret'; report-uri /monitoring/reports",
  disposition: "enforce",
  "blocked-uri": "https://evil.example/x.png?token=secret",
  "source-file": `${own}/assets/root-C0ffee12.js?secret`,
  "line-number": 3,
  "column-number": 14,
  "status-code": 200,
  "script-sample": "secret",
};

/** In the format of the Reporting API (CSP level 3, `CSPViolationReportBody`). */
const modern = {
  type: "csp-violation",
  age: 10,
  url: `${own}/settings/orders?order=ord_secret`,
  user_agent: "Browser/1",
  body: {
    documentURL: legacy["document-uri"],
    referrer: legacy.referrer,
    blockedURL: legacy["blocked-uri"],
    effectiveDirective: "img-src",
    originalPolicy: legacy["original-policy"],
    sourceFile: legacy["source-file"],
    sample: "secret",
    disposition: "enforce",
    statusCode: 200,
    lineNumber: 3,
    columnNumber: 14,
  },
};

const read: Violation = {
  directive: "img-src",
  blocked: "https://evil.example",
  document: `${own}/settings/orders`,
  disposition: "enforce",
  source: `${own}/assets/root-C0ffee12.js`,
  line: 3,
  column: 14,
};

const ofLegacy = (fields: object): Violation[] | null =>
  readViolations(encode({ "csp-report": { ...legacy, ...fields } }), "legacy", own);

describe("a report", () => {
  test("describes the same violation in both formats, without queries, fragments, referrer, policy and sample", () => {
    expect(ofLegacy({})).toEqual([read]);
    expect(readViolations(encode([modern, modern]), "reporting-api", own)).toEqual([read, read]);
    expect(JSON.stringify(ofLegacy({}))).not.toContain("secret");
  });

  test("has the format that its content type names", () => {
    const types = ["application/csp-report", "Application/Reports+JSON; charset=utf-8", "application/json", "", null];
    expect(types.map(reportFormat)).toEqual(["legacy", "reporting-api", null, null, null]);
  });

  test.each<[string, unknown, "legacy" | "reporting-api"]>([
    ["a list in the legacy format", [legacy], "legacy"],
    ["a report without its frame", legacy, "legacy"],
    ["one report of the Reporting API", modern, "reporting-api"],
    ["a list of words", ["csp-violation"], "reporting-api"],
    ["null", null, "legacy"],
  ])("that is %s is malformed", (_name, body, format) => {
    expect(readViolations(encode(body), format, own)).toBeNull();
  });

  test("that isn't JSON in UTF-8 is malformed", () => {
    expect(readViolations(new TextEncoder().encode("{"), "legacy", own)).toBeNull();
    expect(readViolations(Uint8Array.of(0x5b, 0xff, 0x5d), "reporting-api", own)).toBeNull();
  });

  test("of another kind is ignored", () => {
    const deprecation = { type: "deprecation", body: { id: "x", message: "secret" } };
    expect(readViolations(encode([deprecation, modern]), "reporting-api", own)).toEqual([read]);
  });

  test.each(["https://evil.example/settings", "about:blank", "", 7, `${own}.evil.example/`])(
    "about the page %j is ignored as not ours",
    (document) => expect(ofLegacy({ "document-uri": document })).toEqual([]),
  );

  test("by an old browser is understood with sources in its directive, and without an address for inline code", () => {
    const old = {
      "effective-directive": undefined,
      "violated-directive": "script-src 'self' https:",
      "blocked-uri": "",
    };
    expect(ofLegacy(old)).toMatchObject([{ directive: "script-src", blocked: "inline" }]);
  });

  test.each(["<script>", "a".repeat(41), "", 5, "Img-Src"])("with the directive %j is ignored", (directive) => {
    expect(ofLegacy({ "effective-directive": directive, "violated-directive": "" })).toEqual([]);
  });
});

describe("the blocked resource", () => {
  test.each([
    ["inline", "inline"],
    ["self", "self"],
    ["data", "data"],
    ["data:text/html,secret", "data"],
    ["blob:https://foyer.example/secret", "blob"],
    ["wss://evil.example:8443/socket?secret", "wss://evil.example:8443"],
    ["https://user:secret@evil.example/secret", "https://evil.example"],
    ["trusted-types-sink", "trusted-types-sink"],
  ])("%s is reported as %s", (blocked, reported) => {
    expect(ofLegacy({ "blocked-uri": blocked })).toMatchObject([{ blocked: reported }]);
  });

  test("is omitted if it isn't an address", () => {
    expect(ofLegacy({ "blocked-uri": "two words" })).toEqual([]);
  });
});

describe("noise", () => {
  const extensions = ["chrome-extension", "moz-extension", "safari-web-extension", "webkit-masked-url", "about"];
  test.each(extensions)("of %s is ignored, as the blocked resource and as the source", (scheme) => {
    expect(ofLegacy({ "blocked-uri": `${scheme}://abcdef/inject.js` })).toEqual([]);
    expect(ofLegacy({ "blocked-uri": scheme })).toEqual([]);
    expect(ofLegacy({ "source-file": `${scheme}://abcdef/content.js` })).toEqual([]);
    expect(ofLegacy({ "source-file": scheme })).toEqual([]);
  });

  test("includes text that an extension evaluates, but not text that a file of ours does", () => {
    for (const blocked of ["eval", "wasm-eval"]) {
      expect(ofLegacy({ "blocked-uri": blocked, "source-file": undefined })).toEqual([]);
      expect(ofLegacy({ "blocked-uri": blocked, "source-file": "https://evil.example/x.js" })).toEqual([]);
      expect(ofLegacy({ "blocked-uri": blocked })).toMatchObject([{ blocked }]);
    }
  });
});

describe("the page and the source", () => {
  test.each([
    ["/", "/"],
    ["/legal/terms", "/legal/terms"],
    ["/places/0123456789abcdefghjkmnpqrs", "/places/[id]"],
    ["/pay%20ment/ada@mail.example", "/[id]/[id]"],
    [`/${"a".repeat(25)}`, "/[id]"],
    ["/a/b/c/d/e/f/g/h/i/j", "/a/b/c/d/e/f/g/h"],
  ])("are reported for %s as %s", (path, pattern) => {
    expect(ofLegacy({ "document-uri": own + path, "source-file": own + path })).toMatchObject([
      { document: own + pattern, source: own + pattern },
    ]);
  });

  test("include only the origin of another site's file, and nothing if there is no file", () => {
    expect(ofLegacy({ "source-file": "https://evil.example/secret.js" })).toMatchObject([
      { source: "https://evil.example" },
    ]);
    expect(ofLegacy({ "source-file": "secret", "line-number": -1, "column-number": "4" })).toEqual([
      { ...read, source: undefined, line: undefined, column: undefined },
    ]);
  });
});

test("two reports are one violation if directive, blocked resource and page are equal, wherever in a file it happened", () => {
  const key = violationKey(read);
  expect(violationKey({ ...read, line: 9, source: undefined })).toBe(key);
  expect(violationKey({ ...read, directive: "font-src" })).not.toBe(key);
  expect(violationKey({ ...read, blocked: "inline" })).not.toBe(key);
  expect(violationKey({ ...read, document: own })).not.toBe(key);
});

test("no body makes the parser throw, and no text of a body is passed on", () => {
  const value = fc.jsonValue();
  fc.assert(
    fc.property(value, value, value, fc.webUrl({ withQueryParameters: true }), (a, b, c, url) => {
      const report = { ...legacy, "blocked-uri": a, "source-file": b, "line-number": c };
      const found = readViolations(encode({ "csp-report": report }), "legacy", own) ?? [];
      expect(JSON.stringify(found)).not.toContain("secret");
      readViolations(encode({ "csp-report": a }), "legacy", own);
      readViolations(
        encode([
          { type: "csp-violation", body: a },
          { type: "csp-violation", body: b },
        ]),
        "reporting-api",
        own,
      );
      expect(ofLegacy({ "blocked-uri": url })).toMatchObject([{ blocked: new URL(url).origin }]);
    }),
  );
});

test("the envelope contains one report in the receiver's format, with release and environment", () => {
  const dsn = parseDsn("https://key:secret@receiver.example/42");
  if (dsn === null) throw new Error("no DSN");
  const eventId = "9ec79c33ec9942ab8353589fcb2e04dc";
  const bytes = violationEnvelope(read, { dsn, environment: "production", release: "r1", eventId, now: 0 });
  const framing = parseEnvelope(bytes);
  if (!framing.ok) throw new Error(framing.fault);
  const { header, items } = framing.envelope;
  expect(header).toEqual({
    event_id: eventId,
    dsn: "https://key@receiver.example/42",
    sent_at: "1970-01-01T00:00:00.000Z",
  });
  expect(items.map((item) => item.header)).toEqual([
    expect.objectContaining({ type: "raw_security", sentry_environment: "production", sentry_release: "r1" }),
  ]);
  const payload: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(items[0]?.payloadStart)));
  expect(payload).toEqual({
    "csp-report": {
      "document-uri": `${own}/settings/orders`,
      "violated-directive": "img-src",
      "effective-directive": "img-src",
      "blocked-uri": "https://evil.example",
      "source-file": `${own}/assets/root-C0ffee12.js`,
      "line-number": 3,
      "column-number": 14,
      disposition: "enforce",
    },
  });
});
