import { textToBase64url } from "#app/core/text/base64url.ts";
import { describe, expect, test } from "vitest";
import {
  counterIncreased,
  isTheirs,
  checkClientData,
  namePasskey,
  readAssertion,
  readClientData,
  readRegistration,
} from "./rules.ts";

describe("the use counter", () => {
  test("must increase or always be zero; staying equal or decreasing means a copied passkey", () => {
    expect([counterIncreased(3, 4), counterIncreased(0, 1), counterIncreased(0, 0)]).toEqual([true, true, true]);
    expect([counterIncreased(4, 4), counterIncreased(4, 3), counterIncreased(4, 0)]).toEqual([false, false, false]);
  });
});

describe("the owner of a passkey", () => {
  const passkey = { accountId: "acc_one" as const };

  test("is given by the passkey if no account was known before", () => {
    expect(isTheirs(passkey, textToBase64url("acc_one"), null)).toBe(true);
    expect(isTheirs(passkey, textToBase64url("acc_two"), null)).toBe(false);
    for (const missing of [null, undefined, ""]) expect(isTheirs(passkey, missing, null)).toBe(false);
  });

  test("may be omitted if the account was known, and must never contradict it", () => {
    for (const missing of [null, undefined, ""]) expect(isTheirs(passkey, missing, "acc_one")).toBe(true);
    expect(isTheirs(passkey, textToBase64url("acc_two"), "acc_one")).toBe(false);
    expect(isTheirs(passkey, textToBase64url("acc_one"), "acc_two")).toBe(false);
  });
});

describe("the browser's client data", () => {
  const expected = { type: "webauthn.get", origin: "https://foyer.example" } as const;
  const ours = { ...expected, challenge: "c", crossOrigin: false };

  test("must be for this ceremony, from our own page, and not from a frame in another site", () => {
    expect(checkClientData(ours, expected)).toBe(null);
    expect(checkClientData({ ...ours, type: "webauthn.create" }, expected)).toEqual({ reason: "challenge-unknown" });
    expect(checkClientData({ ...ours, origin: "https://foyer.example.evil" }, expected)).toEqual({
      reason: "origin-foreign",
    });
    expect(checkClientData({ ...ours, crossOrigin: true }, expected)).toEqual({ reason: "origin-foreign" });
  });

  test("is read completely or rejected", () => {
    const read = (value: unknown) => readClientData({ clientDataJSON: textToBase64url(JSON.stringify(value)) });
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

  test("is read as far as it has the expected parts, and the rest is discarded", () => {
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

test("a passkey is named by its owner, otherwise after its provider, otherwise after the browser", () => {
  expect(namePasskey("Desk", "Bitwarden", "Firefox on Linux")).toBe("Desk");
  expect(namePasskey("", "Bitwarden", "Firefox on Linux")).toBe("Bitwarden");
  expect(namePasskey("", null, "Firefox on Linux")).toBe("Firefox on Linux");
});
