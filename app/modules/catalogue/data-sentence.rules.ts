/**
 * Decides which sentence a product says about the data of a customer whose plan gets smaller or ends. Invariant: a sentence with a day is
 * said only where that day is known. Called from the pages about plans and from the emails about them.
 */
import { dayOf } from "#app/core/time/calendar.ts";
import { dayMs, formatDay, type Reader } from "#app/core/time/time.ts";
import type { ProductConfig } from "./rules.ts";

type Sentence = Pick<ProductConfig, "dataWhenSmaller" | "dataKeptDays">;

/** The last day on which data that no longer fits can be downloaded, formatted. Null if the product names none. */
export function lastDayOfData({ dataKeptDays }: Sentence, changesAt: number, reader: Reader): string | null {
  if (dataKeptDays === undefined) return null;
  // Counts calendar days, since thirty times 24 hours end a day early where the clocks go back in between.
  const { year, month, day } = dayOf(changesAt, reader.timeZone);
  return formatDay(Date.UTC(year, month - 1, day + dataKeptDays), { ...reader, timeZone: "UTC" });
}

/** The sentence with its day. Null if there is none, or if its day isn't known. */
export function sayData(sentence: string | undefined, lastDay: string | null): string | null {
  if (!sentence) return null;
  if (!sentence.includes("{day}")) return sentence;
  return lastDay ? sentence.replaceAll("{day}", lastDay) : null;
}

/** The sentence with its day as lines of an email. */
export function dataLines(sentence: string | undefined, { lastDayOfData }: { lastDayOfData: string | null }): string[] {
  const text = sayData(sentence, lastDayOfData);
  return text === null ? [] : [text];
}

/** The sentence for a change at `changesAt`, which is null if nobody knows when it was. */
export function dataSentence(product: Sentence, changesAt: number | null, reader: Reader): string | null {
  return sayData(product.dataWhenSmaller, changesAt === null ? null : lastDayOfData(product, changesAt, reader));
}

/** Whether data that no longer fits is still there. */
export function isDataKept({ dataKeptDays }: Sentence, changedAt: number, now: number): boolean {
  return dataKeptDays !== undefined && now < changedAt + dataKeptDays * dayMs;
}
