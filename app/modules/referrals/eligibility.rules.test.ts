import { describe, expect, test } from "vitest";
import { checkCards, checkSignUp } from "./eligibility.rules.ts";

const referrer = { addresses: ["mara@gmail.com", "old@example.com"], earlierReferrers: ["nils@example.com"] };
const judge = (address: string, isReturned = false) => checkSignUp({ address, isReturned }, referrer);

describe("an account that signs up by a link", () => {
  test("counts, whichever other accounts exist", () => {
    expect(judge("olga@example.com")).toBeNull();
  });

  test.each(["mara@gmail.com", "m.ara+friend@googlemail.com", "old+1@example.com"])(
    "is the one whose link it is, as %s",
    (address) => expect(judge(address)).toBe("self"),
  );

  test("is the referrer of the link's owner", () => {
    expect(judge("nils+2@example.com")).toBe("circle");
  });

  test("was here before", () => {
    expect(judge("olga@example.com", true)).toBe("returned");
  });
});

describe("cards", () => {
  const nobody = { friend: ["a", "b"], referrer: ["c"], earlierReferrers: ["d"] };

  test("of three people are three", () => expect(checkCards(nobody)).toBeNull());
  test("of none say nothing", () => expect(checkCards({ friend: [], referrer: [], earlierReferrers: [] })).toBeNull());
  test("of one are one", () => {
    expect(checkCards({ ...nobody, referrer: ["c", "b"] })).toBe("same-card");
    expect(checkCards({ ...nobody, earlierReferrers: ["a"] })).toBe("circle");
  });
});
