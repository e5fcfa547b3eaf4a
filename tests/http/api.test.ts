import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Site, startSite } from "#tests/support/site.ts";

let site: Site;

beforeAll(async () => {
  site = await startSite({ stripe: false });
});

afterAll(() => site.close());

/** Each from a network of its own: flood cover counts them. */
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
    "answers %s where there is no such method with what there is, to no other site",
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
  ])("has no call %s", async (path) => {
    const answer = await ask(path);
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([404, "application/problem+json"]);
  });

  test("looks at no cookie: one that would be looked up costs no trip, and opens nothing", async () => {
    const cookie = { Cookie: `__Host-session=${"a".repeat(52)}` };
    const document = await ask("/openapi.json", { headers: cookie });
    expect([document.status, document.headers.get("Server-Timing")]).toEqual([200, 'd1;desc="0"']);
    const refused = await ask("/devices/current", { method: "DELETE", headers: cookie });
    expect([refused.status, refused.headers.get("Server-Timing")]).toEqual([401, 'd1;desc="0"']);
  });
});
