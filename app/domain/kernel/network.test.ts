import { describe, expect, test } from "vitest";
import { abbreviateNetwork, networkOf } from "./network.ts";

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

describe("what is kept of an address", () => {
  test.each([
    ["203.0.113.7", "203.0.113.0/24"],
    ["2001:0DB8:0001:0002::1", "2001:db8:1::/48"],
    ["::1", "0:0:0::/48"],
    ["unknown", null],
    ["203.0.113.7.example", null],
  ])("of %s is %s", (ip, kept) => {
    expect(abbreviateNetwork(ip)).toBe(kept);
  });
});
