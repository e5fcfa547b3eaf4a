import { expect, test } from "vitest";
import { formatMoney, money } from "../money/money.ts";
import { formatQuantity } from "./quantity.ts";
import { formatDay, formatMoment, formatMonth, formatShortDay, formatShortMoment } from "../time/time.ts";

const at = Date.UTC(2026, 10, 20, 13, 30);

/** Normalises spaces: which space character a locale uses depends on the calendar data. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

test.each([
  ["en-GB", "20 November 2026", "November 2026", "14:30", "€1,234.50", "JP¥1,500", "12.4 GB", "1,204"],
  ["en-US", "November 20, 2026", "November 2026", "2:30 PM", "€1,234.50", "¥1,500", "12.4 GB", "1,204"],
  ["en-CA", "2026-11-20", "November 2026", "14:30", "€1,234.50", "JP¥1,500", "12.4 GB", "1,204"],
  ["de-DE", "20. November 2026", "November 2026", "14:30", "1.234,50 €", "1.500 ¥", "12,4 GB", "1.204"],
  ["fr-FR", "20 novembre 2026", "novembre 2026", "14:30", "1 234,50 €", "1 500 JPY", "12,4 Go", "1 204"],
  ["pl-PL", "20 listopada 2026", "listopad 2026", "14:30", "1234,50 €", "1500 JPY", "12,4 GB", "1204"],
  ["pt-BR", "20 de novembro de 2026", "novembro de 2026", "14:30", "€ 1.234,50", "JP¥ 1.500", "12,4 GB", "1.204"],
  ["ja-JP", "2026年11月20日", "2026年11月", "14:30", "€1,234.50", "￥1,500", "12.4 GB", "1,204"],
])("%s formats dates, money and quantities as is usual there", (locale, day, month, time, euros, yen, bytes, count) => {
  const reader = { locale, timeZone: "Europe/Berlin" };
  expect({
    day: plain(formatDay(at, reader)),
    month: formatMonth(at, reader),
    moment: plain(formatMoment(at, reader)),
    euros: plain(formatMoney(money(123_450, "EUR"), locale)),
    yen: plain(formatMoney(money(1500, "JPY"), locale)),
    bytes: plain(formatQuantity(12_400_000_000, "bytes", locale)),
    count: plain(formatQuantity(1204, "count", locale)),
  }).toEqual({ day, month, moment: `${day}, ${time}`, euros, yen, bytes, count });
});

test.each([
  ["en-GB", "20 Nov 2026", "20 Nov 2026, 14:30"],
  ["en-US", "Nov 20, 2026", "Nov 20, 2026, 2:30 PM"],
  ["en-CA", "2026-11-20", "2026-11-20, 14:30"],
])("%s shortens dates in tables", (locale, day, moment) => {
  const reader = { locale, timeZone: "Europe/Berlin" };
  expect([plain(formatShortDay(at, reader)), plain(formatShortMoment(at, reader))]).toEqual([day, moment]);
});
