import fc from "fast-check";
import { cookieNames, fieldNames, knownTexts } from "./known-names.ts";

/** Texts that have caused failures somewhere: extremes of encodings, headers, queries, files and lengths. */
const infamous = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\r\nSet-Cookie: a=b",
  "\u2028",
  "\u2029",
  "\u0085",
  "\u200b",
  "\u202e",
  "\ufeff",
  "\ufffd",
  "\ud800",
  "\udc00\ud800",
  "a\ud83d",
  "👩‍👩‍👧‍👦",
  "ﷺ".repeat(30),
  "İı",
  "ＡＤＭＩＮ",
  "１２３４５６７８",
  "٠١٢٣٤٥٦٧",
  "'",
  '"',
  "`",
  "\\",
  "%",
  "%00",
  "%ZZ",
  "%ff",
  "${1}",
  "{{1}}",
  "<script>alert(1)</script>",
  "]]>",
  "<!--",
  "' or 1=1 --",
  "'); drop table accounts; --",
  "*[a-",
  "%_%",
  "\\_",
  "1e309",
  "-1",
  "-0",
  "0x10",
  "NaN",
  "Infinity",
  "9007199254740993",
  "99999999999999999999",
  "1.5",
  "00",
  "1_000",
  "true",
  "null",
  "undefined",
  "[object Object]",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "../../etc/passwd",
  "//evil.example",
  "/\\evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "a@b",
  "a@b.c",
  "a@b@c.de",
  '"a b"@example.com',
  "a@[127.0.0.1]",
  "ä@exämple.com",
  "a@xn--e.com",
  `${"a".repeat(64)}@${"b".repeat(63)}.com`,
  `${"a".repeat(300)}@example.com`,
  "2026-000001",
  "9999-999999",
  "ord_",
  "Mars/Olympus",
  "Europe/Berlin",
  "UTC",
  "en",
  "de-DE-u-ca-buddhist",
  "zz-ZZ",
  "600.EUR.0",
  "0.EUR.9e99",
  "600.EUR.99999999999999.1",
  "[]",
  "{}",
  '{"a":',
  '{"id":1,"response":null}',
  "[".repeat(500),
  "x".repeat(10_000),
];

/** A text: one of those, a word that the code knows, or random. */
export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...infamous) },
  { weight: 3, arbitrary: fc.constantFrom(...knownTexts) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  { weight: 1, arbitrary: fc.double().map(String) },
  { weight: 1, arbitrary: fc.json() },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
      .map((units) => String.fromCharCode(...units)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("a", "mara").chain((name) => fc.nat(99).map((n) => `${name}${n}@example.com`)),
  },
);

const field = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...fieldNames) }, { weight: 1, arbitrary: text });

/** Fields as they may arrive: known ones, unknown ones, the same one twice. */
export const fields = fc.array(fc.tuple(field, text), { maxLength: 8 });

/** A part of a URL, with malformed escapes. */
export const rawPart = fc.oneof(
  fc.constantFrom(
    "%ZZ",
    "%",
    "%0",
    "%00",
    "%C0%AF",
    "%E2%80%A8",
    "%ud800",
    "//",
    "/..",
    "/.",
    ";",
    "?",
    "&&",
    "=",
    "+",
    "%2F",
    "%5C",
    "_.data",
    ".data",
  ),
  text.map((word) => encodeURIComponent(Buffer.from(word).toString()).slice(0, 300)),
);

/** Any JSON value, including deep ones and huge numbers. */
export const value: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom<unknown>(
    1e308,
    -1e308,
    2 ** 53,
    -(2 ** 63),
    0.1,
    null,
    true,
    [],
    {},
    [[[[]]]],
    -1,
    0,
    Date.now(),
    8.64e15,
    8.64e15 + 1,
  ),
);

/** Bytes of a header's value: any that a line can contain. */
const headerText = fc.oneof(
  fc.array(fc.integer({ min: 0x20, max: 0xff }), { maxLength: 80 }).map((bytes) => String.fromCharCode(...bytes)),
  fc.constantFrom(
    "*",
    '"',
    'W/"',
    '""',
    '"a", W/"b"',
    ",,,",
    "q=",
    ";;;=",
    "en-US,en;q=x",
    "*;q=0",
    "zz-ZZ-x-y-z",
    "x".repeat(4000),
  ),
);

const headerNames = [
  "Accept-Language Accept If-Match If-None-Match User-Agent Authorization Operator Range Referer",
  "CF-IPCountry X-Forwarded-For Sec-CH-UA-Platform Sec-Fetch-Site Purpose Accept-Encoding",
  "If-Modified-Since Baggage Sentry-Trace Stripe-Signature X-React-Router Content-Language CF-Timezone",
  "Cookie2",
].flatMap((some) => some.split(" "));

export const headers = fc.dictionary(fc.constantFrom(...headerNames), headerText, { maxKeys: 4 });

/** A cookie header of garbage under known names. */
export const cookies = fc
  .array(fc.tuple(fc.constantFrom(...cookieNames, "a", ""), headerText), { maxLength: 4 })
  .map((pairs) => pairs.map(([name, content]) => `${name}=${content}`).join("; "));
