import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readSigningKeys } from "./signing-keys.rules.ts";

const aKey = () => JSON.stringify(generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }));

describe("the secret that signs entitlements", () => {
  const [one, two] = [aKey(), aKey()];

  test.each([
    ["one key", one, 1],
    ["two, separated by a comma", `${one},${two}`, 2],
    ["two on lines of their own", `${one}\n${two}\n`, 2],
    ["one written over several lines", JSON.stringify(JSON.parse(one), null, 2), 1],
  ])("holds %s", (_case, text, count) => {
    const keys = readSigningKeys(text);
    expect(keys).toHaveLength(count);
    const { d, x } = JSON.parse(one);
    expect(keys?.[0]).toEqual({ kind: "jwk", jwk: { kty: "OKP", crv: "Ed25519", d, x } });
  });

  test("consists of a word or two on a local run, and never together with real keys", () => {
    expect(readSigningKeys("local-a")).toEqual([{ kind: "seed", seed: "local-a" }]);
    expect(readSigningKeys("local-a,local-b")).toHaveLength(2);
    expect(readSigningKeys(`${one},local-a`)).toBeNull();
    expect(readSigningKeys(`local-a,${one}`)).toBeNull();
  });

  test.each([
    ["nothing", ""],
    ["a word", "secret"],
    ["the public half alone", JSON.stringify({ ...JSON.parse(one), d: undefined })],
    ["a key for something else", JSON.stringify(generateKeyPairSync("x25519").privateKey.export({ format: "jwk" }))],
    ["half a key", one.slice(0, -10)],
    ["a key, and something that is none", `${one},{}`],
    ["a list", `[${one}]`],
  ])("with %s is refused", (_case, text) => expect(readSigningKeys(text)).toBeNull());
});
