import { describe, expect, test } from "vitest";
import { networkOf } from "./network.ts";

describe("a network", () => {
  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:0DB8:0001:0002::1", "2001:db8:1:2"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["unknown", "unknown"],
  ])("%s counts as %s", (ip, network) => {
    expect(networkOf(ip)).toBe(network);
  });
});
