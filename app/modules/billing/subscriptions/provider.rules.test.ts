import { describe, expect, test } from "vitest";
import { isMissing } from "#app/core/stripe/provider-refusal.ts";
import { isChangeBlocked, translateFailure, type ProviderFailure } from "./provider.rules.ts";

const refusedWith = (code: string): ProviderFailure => ({ reason: "provider-refused", code });
const others: ProviderFailure[] = [
  { reason: "not-on-sale" },
  { reason: "provider-unreachable", isFinal: false },
  { reason: "provider-unreachable", isFinal: true },
  refusedWith("card_declined"),
  refusedWith(""),
];
/** The code without Stripe having refused anything. */
const elsewhere = (code: string) => ({ reason: "provider-unreachable", code });

test("an object that Stripe doesn't know is missing there; any other refusal says nothing about it", () => {
  expect(isMissing(refusedWith("resource_missing"))).toBe(true);
  const troubles = [...others, elsewhere("resource_missing"), refusedWith("change-blocked")];
  expect(troubles.filter(isMissing)).toEqual([]);
});

test("a change is blocked only if the refusal says so", () => {
  expect(isChangeBlocked(refusedWith("change-blocked"))).toBe(true);
  const troubles = [...others, elsewhere("change-blocked"), refusedWith("resource_missing")];
  expect(troubles.filter(isChangeBlocked)).toEqual([]);
});

describe("a failed payment", () => {
  test.each([
    ["email_invalid", "email-refused"],
    ["amount_too_small", "amount-too-small"],
    ["price-differs", "price-differs"],
  ])("by %s has a distinct reason, since the buyer can act on it", (code, reason) => {
    expect(translateFailure(refusedWith(code))).toEqual({ reason });
    expect(translateFailure(elsewhere(code))).toEqual(elsewhere(code));
  });

  test("of any other kind keeps its reason", () => {
    for (const trouble of others) expect(translateFailure(trouble)).toBe(trouble);
  });
});
