import { readFileSync, writeFileSync } from "node:fs";

/** The figures of one page of a customer. Ratios and kilobytes are rounded as they are printed. */
export type PageFigures = {
  elements: number;
  statements: number;
  trips: number;
  rows: number;
  kilobytes: number;
  timesBare: number;
  timesFloor: number;
};

type Recorded = { on: string; pages: Readonly<Record<string, PageFigures>> };

const file = "bench/pages/recorded.json";

/** What `npm run bench -- pages --record` stored, at the last release or after a change that was meant to change them. */
export function readRecorded(): Recorded {
  return JSON.parse(readFileSync(file, "utf8")) as Recorded;
}

export function record(recorded: Recorded): void {
  writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
}
