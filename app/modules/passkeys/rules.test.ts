import { describe, expect, test } from "vitest";
import {
  counterIncreased,
  decodeText,
  encodeBytes,
  isTheirs,
  checkClientData,
  namePasskey,
  readAssertion,
  readClientData,
  readRegistration,
} from "./rules.ts";

const encode = (text: string) => encodeBytes(new TextEncoder().encode(text));

describe("the count of uses", () => {
  test("increases, or is always zero; staying equal or decreasing means a copied passkey", () => {
    expect([counterIncreased(3, 4), counterIncreased(0, 1), counterIncreased(0, 0)]).toEqual([true, true, true]);
    expect([counterIncreased(4, 4), counterIncreased(4, 3), counterIncreased(4, 0)]).toEqual([false, false, false]);
  });
});

describe("whose a passkey is", () => {
  const passkey = { accountId: "acc_one" as const };

  test("the passkey's own if no account was known before", () => {
    expect(isTheirs(passkey, encode("acc_one"), null)).toBe(true);
    expect(isTheirs(passkey, encode("acc_two"), null)).toBe(false);
    expect(isTheirs(passkey, null, null)).toBe(false);
  });

  test("it may leave unsaid where the account was known, but never contradict", () => {
    expect(isTheirs(passkey, null, "acc_one")).toBe(true);
    expect(isTheirs(passkey, encode("acc_two"), "acc_one")).toBe(false);
    expect(isTheirs(passkey, encode("acc_one"), "acc_two")).toBe(false);
  });
});

describe("what the browser wrote down", () => {
  const expected = { type: "webauthn.get", origin: "https://foyer.example" } as const;
  const ours = { ...expected, challenge: "c", crossOrigin: false };

  test("is for this ceremony, from our own page, and not from a frame in another", () => {
    expect(checkClientData(ours, expected)).toBe(null);
    expect(checkClientData({ ...ours, type: "webauthn.create" }, expected)).toEqual({ reason: "challenge-unknown" });
    expect(checkClientData({ ...ours, origin: "https://foyer.example.evil" }, expected)).toEqual({
      reason: "origin-foreign",
    });
    expect(checkClientData({ ...ours, crossOrigin: true }, expected)).toEqual({ reason: "origin-foreign" });
  });

  test("is read whole or not at all", () => {
    const read = (value: unknown) => readClientData({ clientDataJSON: encode(JSON.stringify(value)) });
    expect(read({ type: "webauthn.get", challenge: "abc", origin: "https://a" })).toMatchObject({ challenge: "abc" });
    for (const value of [null, [], "text", {}, { type: "webauthn.get", challenge: "a b", origin: "" }]) {
      expect(read(value)).toBe(null);
    }
    expect(readClientData({ clientDataJSON: "_w" })).toBe(null);
  });
});

describe("what a script posts", () => {
  const credential = { id: "abc", rawId: "abc", type: "public-key" };
  const assertion = { ...credential, response: { clientDataJSON: "a", authenticatorData: "b", signature: "c" } };

  test("is read as far as it has the parts, and nothing else of it is kept", () => {
    expect(readAssertion(JSON.stringify({ ...assertion, isAdmin: true }))).toEqual(assertion);
    const registration = { ...credential, response: { clientDataJSON: "a", attestationObject: "b" } };
    const reported = { ...registration, response: { ...registration.response, transports: ["usb", "telepathy"] } };
    expect(readRegistration(JSON.stringify(reported))?.response.transports).toEqual(["usb"]);
    expect(readRegistration(JSON.stringify(registration))?.response.transports).toEqual([]);
  });

  test.each(["", "null", "[]", '"x"', "{", JSON.stringify({ ...assertion, id: "a b" }), JSON.stringify(credential)])(
    "is refused as malformed: %s",
    (text) => {
      expect([readAssertion(text), readRegistration(text)]).toEqual([null, null]);
    },
  );
});

test("text goes through base64url and back, and what is none is none", () => {
  expect(decodeText(encode("ü~?>"))).toBe("ü~?>");
  expect([decodeText("!"), decodeText("_w")]).toEqual([null, null]);
});

test("a passkey is called what its owner typed, else after its keeper, else after the browser", () => {
  expect(namePasskey("Desk", "Bitwarden", "Firefox on Linux")).toBe("Desk");
  expect(namePasskey("", "Bitwarden", "Firefox on Linux")).toBe("Bitwarden");
  expect(namePasskey("", null, "Firefox on Linux")).toBe("Firefox on Linux");
});
