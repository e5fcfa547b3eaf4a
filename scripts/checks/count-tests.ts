/** Adds up the reports that the suites left in a folder, and prints the ten slowest files and the counts. */
import { relative } from "node:path";
import { lastResults } from "./last-results.ts";

const slowestMax = 10;

const [folder = "."] = process.argv.slice(2);
const files = lastResults(folder);
const slowest = files
  .map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
  .toSorted((left, right) => right.seconds - left.seconds)
  .slice(0, slowestMax);
console.log(`The slowest of ${files.length} test files, in seconds:`);
for (const { name, seconds } of slowest) {
  console.log(`${seconds.toFixed(1).padStart(7)}  ${relative(process.cwd(), name)}`);
}
const statuses = files.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
const passed = statuses.filter((status) => status === "passed").length;
const failed = files.filter(({ status }) => status === "failed").length;
const skipped = statuses.filter((status) => status === "skipped").length;
console.log(`${passed} tests passed, ${failed} files failed`);
if (skipped > 0) console.log(`${skipped} slow tests were left out: .ci/run all`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
