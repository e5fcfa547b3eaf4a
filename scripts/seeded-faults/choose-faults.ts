import type { Fault } from "./fault.ts";

/**
 * Of the faults, those of the modules that contain a changed file, and those whose tests changed. A fault of the simulation takes five
 * minutes, so a change runs none.
 */
export function chooseFaults(faults: readonly Fault[], changedFiles: readonly string[]): Fault[] {
  const changed = new Set(changedFiles);
  const changedParts = new Set(changedFiles.map(partOf));
  return faults.filter(
    ({ file, tests, suite }) => suite !== "simulate" && (changedParts.has(partOf(file)) || changed.has(tests)),
  );
}

/** `app/modules/codes`, `app/core`, `workers/monitoring`; of a file that is in no such folder, itself. */
function partOf(path: string): string {
  return /^(app\/modules|app|workers|scripts)\/[^/]+/.exec(path)?.[0] ?? path;
}
