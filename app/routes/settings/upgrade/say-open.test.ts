import { expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { sampleOrder } from "#tests/support/billing/sample-order.ts";
import { openChoiceMessages } from "./messages.ts";
import { sayOpen } from "./say-open.ts";

const { planId, interval } = sampleOrder({});
const other = interval === "month" ? "year" : "month";
const nothing = { planId: null, interval: null };

test("an unfinished payment is replaced by another choice, and not by its own review", () => {
  const open = sampleOrder({ kind: "new-plan", state: "pending" });
  expect(sayOpen(product, open, { planId, interval })).toBeNull();
  for (const choice of [nothing, { planId, interval: other } as const, { planId: "plan-else", interval }]) {
    expect(sayOpen(product, open, choice)).toMatchObject({ blocksChoice: false, text: openChoiceMessages.en.text });
  }
});

test("one that the bank is processing, or that isn't confirmed, blocks any choice", () => {
  for (const open of [sampleOrder({ state: "processing" }), sampleOrder({ state: "pending", isUnconfirmed: true })]) {
    expect(sayOpen(product, open, { planId, interval })).toMatchObject({ blocksChoice: true });
  }
});
