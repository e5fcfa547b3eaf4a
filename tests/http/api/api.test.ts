import { describe, expect, test } from "vitest";
import { calls } from "#app/api/calls.ts";
import { useSite } from "#tests/support/site/use-site.ts";

const site = useSite({ stripe: false });

/** Each from a different network, since the rate limiter counts per network. */
let networks = 0;
function ask(path: string, init: RequestInit & { headers?: Record<string, string> } = {}) {
  networks += 1;
  return site.fetch(`/api/v1${path}`, {
    ...init,
    headers: { "CF-Connecting-IP": `203.0.113.${networks}`, ...init.headers },
  });
}

describe("the product API", () => {
  test.each(["OPTIONS", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"])(
    "answers %s, which has no such method, with the allowed ones, without CORS headers",
    async (method) => {
      const answer = await ask("/openapi.json", {
        method,
        headers: { Origin: "https://elsewhere.example", "Access-Control-Request-Method": "GET" },
      });
      expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
      expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
      expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    },
  );

  test.each([
    "/nothing",
    "/openapi.json/",
    "/openapi.json.data",
    "/devices/current.data",
    "",
    "/%00",
    "/nothing?index",
  ])("doesn't have the call %s", async (path) => {
    const answer = await ask(path);
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([404, "application/problem+json"]);
  });

  test("ignores cookies, so that no session is looked up and nothing is granted", async () => {
    const cookie = { Cookie: `__Host-session=${"a".repeat(52)}` };
    const document = await ask("/openapi.json", { headers: cookie });
    expect([document.status, document.headers.get("Server-Timing")]).toEqual([
      200,
      'd1;desc="0", d1-in-a-row;desc="0"',
    ]);
    const refused = await ask("/devices/current", { method: "DELETE", headers: cookie });
    expect([refused.status, refused.headers.get("Server-Timing")]).toEqual([401, 'd1;desc="0", d1-in-a-row;desc="0"']);
  });
});

/** Any call that is added to the table is tested here. */
const all = calls.map((call) => ({ ...call, name: `${call.method} ${call.path}` }));

describe("in the table of calls,", () => {
  const json = { "Content-Type": "application/json" };
  const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code];

  test.each(all)("$name can't be called from a page of another site", async ({ method, path }) => {
    const elsewhere = { Origin: "https://elsewhere.example", "Access-Control-Request-Method": method };
    const answers = [await ask(path, { method: "OPTIONS", headers: elsewhere })];
    expect(answers[0]?.status).toBe(405);
    answers.push(await ask(path, { method, headers: { ...json, ...elsewhere } }));
    const names = answers.flatMap(({ headers }) => [...headers.keys()]);
    expect(names.filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test.each(all.filter(({ caller }) => caller === "device"))(
    "$name is refused without a token, whatever the cookie, and without reading the database",
    async ({ method, path, body }) => {
      const headers = { ...json, Cookie: `__Host-session=${"a".repeat(52)}` };
      const answer = await ask(path, { method, headers, body: body ? "{}" : undefined });
      expect(answer.headers.get("Server-Timing")).toBe('d1;desc="0", d1-in-a-row;desc="0"');
      expect(await codeOf(answer)).toEqual([401, "token-refused"]);
    },
  );

  test.each(all.filter(({ body }) => body !== null))("$name accepts 64 kB of JSON, and no other body", async (call) => {
    const { method, path } = call;
    const large = JSON.stringify({ more: "x".repeat(65 * 1024) });
    expect(await codeOf(await ask(path, { method, headers: json, body: large }))).toEqual([413, "body-too-large"]);
    const plain = { "Content-Type": "text/plain" };
    expect(await codeOf(await ask(path, { method, headers: plain, body: "{}" }))).toEqual([415, "not-json"]);
  });
});
