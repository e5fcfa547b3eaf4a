import { describe, expect, test } from "vitest";
import { abbreviateNetwork, networkOf, networksOf } from "./network.ts";

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

describe("the networks that an address belongs to", () => {
  test("are its prefixes from narrow to wide, each with a distinct name", () => {
    expect(networksOf("2001:0DB8:0001:abcd::1")).toEqual([
      { bits: 64, network: "2001:db8:1:abcd" },
      { bits: 56, network: "2001:db8:1:ab/56" },
      { bits: 48, network: "2001:db8:1/48" },
      { bits: 32, network: "2001:db8/32" },
    ]);
    expect(networksOf("2001:db8:1:00cd::1")[1]).toEqual({ bits: 56, network: "2001:db8:1:0/56" });
    expect(networksOf("2001:db8:1:cd::1")[1]).toEqual(networksOf("2001:db8:1:ff::1")[1]);
    expect(networksOf("2001:db8:1:100::1")[1]).not.toEqual(networksOf("2001:db8:1:ff::1")[1]);
  });

  test("are a single one for IPv4 and for an invalid address", () => {
    expect(networksOf("203.0.113.7")).toEqual([{ bits: 64, network: "203.0.113.7" }]);
    expect(networksOf("unknown")).toEqual([{ bits: 64, network: "unknown" }]);
  });
});

describe("the stored form of an address", () => {
  test.each([
    ["203.0.113.7", "203.0.113.0/24"],
    ["2001:0DB8:0001:0002::1", "2001:db8:1::/48"],
    ["::1", "0:0:0::/48"],
    ["unknown", null],
    ["203.0.113.7.example", null],
  ])("of %s is %s", (ip, abbreviated) => {
    expect(abbreviateNetwork(ip)).toBe(abbreviated);
  });
});
