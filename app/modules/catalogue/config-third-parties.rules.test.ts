import { expect, test } from "vitest";
import { checkThirdParties } from "./config-third-parties.rules.ts";
import type { ThirdParty } from "./third-parties.rules.ts";

const sound: ThirdParty = {
  name: "Skua",
  purpose: "Counts visits.",
  privacyUrl: "https://skua.example/privacy",
  stores: [],
  inline: "window.skua = window.skua || []",
  scripts: [{ src: "https://skua.example/js/s.js?v=2", attributes: { "data-domain": "a.example", async: true } }],
  stylesheets: ["https://fonts.skua.example/css?family=A:400;700"],
  policy: {
    "script-src": ["https://cdn.skua.example"],
    "connect-src": ["https://skua.example", "wss://live.skua.example:8443"],
    "frame-src": ["https://skua.example"],
  },
};

const problemsOf = (...services: ThirdParty[]) =>
  checkThirdParties({ thirdParties: services }).map(({ code, path }) => [code, path]);

test("a sound declaration has no problem, nor has none", () => {
  expect(problemsOf(sound)).toEqual([]);
  expect(problemsOf({ ...sound, scripts: [], inline: undefined, stylesheets: [] })).toEqual([]);
  expect(problemsOf()).toEqual([]);
  expect(checkThirdParties({})).toEqual([]);
});

test("an origin is https, a whole host, and nothing else", () => {
  const wrong = [
    "*",
    "https:",
    "https://*",
    "https://*.skua.example",
    "http://skua.example",
    "skua.example",
    "'unsafe-inline'",
    "'unsafe-eval'",
    "data:",
    "blob:",
    "https://skua.example/",
    "https://skua.example/path",
    "https://skua.example?a",
    "https://user@skua.example",
    "https://SKUA.example",
    "https://skua.example; script-src *",
    "https://skua.example https://other.example",
    "",
  ];
  for (const origin of wrong)
    expect([origin, problemsOf({ ...sound, policy: { "img-src": [origin] } })]).toEqual([
      origin,
      [["origin-malformed", "thirdParties[0].policy.img-src[0]"]],
    ]);
  // Only `connect-src` may name a WebSocket.
  expect(problemsOf({ ...sound, policy: { "script-src": ["wss://skua.example"] } })).toHaveLength(1);
});

test("only directives that a page may widen can be named", () => {
  const policy = { "default-src": ["https://skua.example"] } as ThirdParty["policy"];
  expect(problemsOf({ ...sound, policy })).toEqual([["directive-unknown", "thirdParties[0].policy"]]);
});

test.each([
  ["scripts[0].src", { scripts: [{ src: "http://skua.example/s.js" }] }],
  ["scripts[0].src", { scripts: [{ src: "/s.js" }] }],
  ["scripts[0].src", { scripts: [{ src: "//skua.example/s.js" }] }],
  ["scripts[0].src", { scripts: [{ src: "data:text/javascript,1" }] }],
  ["scripts[0].src", { scripts: [{ src: "https://a:b@skua.example/s.js" }] }],
  ["stylesheets[0]", { stylesheets: ["http://skua.example/s.css"] }],
  ["privacyUrl", { privacyUrl: "skua.example/privacy" }],
])("%s has to be an https address", (path, changed) => {
  expect(problemsOf({ ...sound, ...changed })).toEqual([["address-not-https", `thirdParties[0].${path}`]]);
});

test.each(["onload", "onerror", "nonce", "src", "Data-Domain", "data-a b", "style"])(
  "a script's attribute %s is refused",
  (name) => {
    const scripts = [{ src: "https://skua.example/s.js", attributes: { [name]: "x" } }];
    expect(problemsOf({ ...sound, scripts })).toEqual([["attribute-unknown", "thirdParties[0].scripts[0].attributes"]]);
  },
);

test.each(["", " ", "a</script >", "a</SCRIPT>", "<!-- a"])("inline code %j is refused", (inline) => {
  expect(problemsOf({ ...sound, inline })).toEqual([["inline-code-unsuitable", "thirdParties[0].inline"]]);
});

test("what the privacy notice shows isn't empty, and each service has a name of its own that loads something", () => {
  expect(problemsOf({ ...sound, purpose: " ", stores: ["a", ""] })).toEqual([
    ["sentence-empty", "thirdParties[0].purpose"],
    ["sentence-empty", "thirdParties[0].stores[1]"],
  ]);
  expect(problemsOf(sound, sound)).toEqual([["name-taken-twice", "thirdParties[1].name"]]);
  const { name, purpose, privacyUrl, stores } = sound;
  expect(problemsOf({ name, purpose, privacyUrl, stores })).toEqual([["third-party-empty", "thirdParties[0]"]]);
});
