import { expect, test } from "vitest";
import { legalWords } from "./legal.words.ts";

const facts: Parameters<(typeof legalWords.en.imprint)["sections"]>[0] = {
  product: "Gull",
  seller: { name: "Gull Ltd", address: ["1 Pier"], vatId: "DE111111111" },
  support: "help@gull.example",
  version: "1 November 2026",
  withdrawalDays: 14,
  revertDays: 14,
  friendDiscount: null,
};

const imprintOf = (vatId: string | null) =>
  JSON.stringify(legalWords.en.imprint.sections({ ...facts, seller: { ...facts.seller, vatId } }));

test("the imprint has the seller's VAT ID, and doesn't mention one where there is none", () => {
  expect(imprintOf("DE111111111")).toContain("VAT id DE111111111");
  for (const none of [null, ""]) expect(imprintOf(none)).not.toMatch(/vat/i);
});
