import { expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { expiresBefore, cardExpiryOf } from "./card.rules.ts";
import { cardReminderMs } from "./reminders.rules.ts";

test("a card is valid until the end of its month, and is shown as expiring some weeks before", () => {
  const ends = Date.UTC(2027, 0, 1);
  expect(cardExpiryOf("2026-12", ends - cardReminderMs - 1)).toBe("valid");
  expect(cardExpiryOf("2026-12", ends - cardReminderMs)).toBe("expires-soon");
  expect(cardExpiryOf("2026-12", ends - 1)).toBe("expires-soon");
  expect(cardExpiryOf("2026-12", ends)).toBe("expired");
});

test("a payment method that isn't a card doesn't expire", () => {
  expect(cardExpiryOf(null, 9000 * 365 * dayMs)).toBe("valid");
});

test("a charge after a card's last month will fail, which is announced from when the card is shown as expiring", () => {
  const ends = Date.UTC(2027, 0, 1);
  const soon = ends - cardReminderMs;
  expect(expiresBefore("2026-12", ends, soon)).toBe(true);
  expect(expiresBefore("2026-12", ends, soon - 1)).toBe(false);
  expect(expiresBefore("2026-12", ends - 1, soon)).toBe(false);
  expect(expiresBefore(null, ends, ends)).toBe(false);
});
