import { expect, test } from "vitest";
import { siteOrigin } from "./configuration.ts";

test.each([
  ["https://example.com", "https://evil.example/", "https://example.com"],
  ["https://example.com", "http://localhost:9000/", "https://example.com"],
  ["http://localhost:8787", "http://localhost:9000/login", "http://localhost:9000"],
  ["http://localhost:8787", "http://evil.example:9000/login", "http://localhost:8787"],
  ["http://localhost:8787", "https://localhost:9000/login", "http://localhost:8787"],
  ["http://localhost:8787", null, "http://localhost:8787"],
])("links of a site configured as %s lead, at a request for %s, to %s", (configured, requested, origin) => {
  expect(siteOrigin(configured, requested)).toBe(origin);
});
