import { describe, expect, test } from "vitest";
import { checkCards, checkSignUp, readCards, writeCards } from "./eligibility.rules.ts";

const referrer = { addresses: ["mara@gmail.com", "old@example.com"], earlierReferrers: ["nils@example.com"] };
const check = (address: string, isReturned = false) => checkSignUp({ address, isReturned }, referrer);

describe("an account that signs up by a link", () => {
  test("counts, whichever other accounts exist", () => {
    expect(check("olga@example.com")).toBeNull();
  });

  test.each(["mara@gmail.com", "m.ara+friend@googlemail.com", "old+1@example.com"])(
    "is refused as the link's own account, by %s",
    (address) => expect(check(address)).toBe("self"),
  );

  test("is refused as the referrer of the link's owner", () => {
    expect(check("nils+2@example.com")).toBe("circle");
  });

  test("is refused if it existed before", () => {
    expect(check("olga@example.com", true)).toBe("returned");
  });
});

test.each([
  [["a", "b"], "|a|b|"],
  [["a"], "|a|"],
  [[], "||"],
])("cards %j are stored as %s and read again", (hashes, text) => {
  expect(writeCards(hashes)).toBe(text);
  expect(readCards(text)).toEqual(hashes);
});

test("a referral whose cards weren't compared has no cards", () => expect(readCards(null)).toEqual([]));

describe("cards", () => {
  const unshared = { friend: ["a", "b"], referrer: ["c"], earlierReferrers: ["d"] };

  test("that no two people share are no reason for a refusal", () => expect(checkCards(unshared)).toBeNull());
  test("are no reason for a refusal if there are none", () =>
    expect(checkCards({ friend: [], referrer: [], earlierReferrers: [] })).toBeNull());
  test("that are the same cause a refusal", () => {
    expect(checkCards({ ...unshared, referrer: ["c", "b"] })).toBe("same-card");
    expect(checkCards({ ...unshared, earlierReferrers: ["a"] })).toBe("circle");
  });
});
