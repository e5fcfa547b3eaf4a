import { expect, test } from "vitest";
import { newId } from "#app/core/id.ts";
import { isApiRateLimited, rateLimitOfMonitoring } from "./rate-limit.ts";

const request = (headers: Record<string, string> = {}) => new Request("https://foyer.example/monitoring", { headers });

test("the tunnel's rate limiter counts each endpoint by network", async () => {
  const keys: string[] = [];
  const limiter = {
    limit: async ({ key }: { key: string }) => {
      keys.push(key);
      return { success: keys.length === 1 };
    },
  };
  const isRateLimited = rateLimitOfMonitoring(limiter);
  expect(await isRateLimited(request({ "CF-Connecting-IP": "2001:db8:1:2:3::4" }), "reports ")).toBe(false);
  expect(await isRateLimited(request({ "CF-Connecting-IP": "192.0.2.1" }), "")).toBe(true);
  expect(await isRateLimited(request(), "")).toBe(true);
  expect(keys).toEqual(["reports 2001:db8:1:2", "192.0.2.1", "unknown"]);
});

test("the product API's rate limiter counts by network, and devices by themselves", async () => {
  const keys: string[] = [];
  const rateLimitOfApi = {
    limit: async ({ key }: { key: string }) => {
      keys.push(key);
      return { success: true };
    },
  };
  const app = { rateLimitOfApi, report: (error: unknown) => expect.unreachable(String(error)) };
  for (const ip of ["2001:db8:1:2:3::4", "2001:db8:1:2:5::6", "192.0.2.1"]) await isApiRateLimited(app, ip);
  await isApiRateLimited(
    app,
    "192.0.2.1",
    newId("dev", (count) => new Uint8Array(count)),
  );
  expect(keys).toEqual(["2001:db8:1:2", "2001:db8:1:2", "192.0.2.1", expect.stringMatching(/^dev_/)]);
});

test("a failing rate limiter of the tunnel lets envelopes pass", async () => {
  const isRateLimited = rateLimitOfMonitoring({ limit: () => Promise.reject(new Error("binding down")) });
  expect(await isRateLimited(request(), "")).toBe(false);
});
