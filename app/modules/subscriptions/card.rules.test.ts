import { expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { expiresBefore, cardExpiryOf } from "./card.rules.ts";
import { cardNoticeMs } from "./notices.rules.ts";

test("a card is good until the end of its month, and is said to run out some weeks before", () => {
  const ends = Date.UTC(2027, 0, 1);
  expect(cardExpiryOf("2026-12", ends - cardNoticeMs - 1)).toBe("valid");
  expect(cardExpiryOf("2026-12", ends - cardNoticeMs)).toBe("expires-soon");
  expect(cardExpiryOf("2026-12", ends - 1)).toBe("expires-soon");
  expect(cardExpiryOf("2026-12", ends)).toBe("expired");
});

test("of something that isn't a card nothing runs out", () => {
  expect(cardExpiryOf(null, 9000 * 365 * dayMs)).toBe("valid");
});

test("a charge after a card's last month is going to fail, which is said from when the card is said to run out", () => {
  const ends = Date.UTC(2027, 0, 1);
  const soon = ends - cardNoticeMs;
  expect(expiresBefore("2026-12", ends, soon)).toBe(true);
  expect(expiresBefore("2026-12", ends, soon - 1)).toBe(false);
  expect(expiresBefore("2026-12", ends - 1, soon)).toBe(false);
  expect(expiresBefore(null, ends, ends)).toBe(false);
});
