import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** Of one page of a customer. Times and kilobytes as printed. */
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
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Recorded) : { on: "no day", pages: {} };
}

export function record(recorded: Recorded): void {
  writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
}
