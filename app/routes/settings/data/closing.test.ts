import { expect, test } from "vitest";
import { accountClosingMessages } from "./messages.ts";
import { sayRefund } from "./closing.tsx";

const { close: messages } = accountClosingMessages.en;
const refund = { amount: "€43.20", until: "12 January 2027" };

test("the page names the amount that comes back, from when, and until when more can be had by a withdrawal", () => {
  expect(sayRefund({ refund, withdrawUntil: null })).toBe(messages.refund(refund));
  expect(messages.refund(refund)).toMatch(/12 January 2027.*€43\.20/);
  const both = sayRefund({ refund, withdrawUntil: "20 December 2026" });
  expect(both).toMatch(/€43\.20.*20 December 2026/);
  expect(both).not.toContain(messages.noRefund);
});

test("it says that nothing comes back, unless by a withdrawal", () => {
  expect(sayRefund({ refund: null, withdrawUntil: null })).toBe(messages.noRefund);
  expect(sayRefund({ refund: null, withdrawUntil: "20 December 2026" })).toContain("20 December 2026");
});
