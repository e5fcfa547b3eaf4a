/** Adds up the reports that the suites left in a folder, and prints the ten slowest files and the counts. */
import { readdirSync, readFileSync } from "node:fs";
import { relative } from "node:path";

const slowestMax = 10;

/** What is used of vitest's JSON report. */
type Report = {
  testResults: { name: string; startTime: number; endTime: number }[];
  numPassedTests: number;
  numFailedTests: number;
};

const [folder = "."] = process.argv.slice(2);
const reports = readdirSync(folder).map((name): Report => JSON.parse(readFileSync(`${folder}/${name}`, "utf8")));
const files = reports.flatMap(({ testResults }) =>
  testResults.map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 })),
);
const slowest = files.toSorted((left, right) => right.seconds - left.seconds).slice(0, slowestMax);
console.log(`The slowest of ${files.length} test files, in seconds:`);
for (const { name, seconds } of slowest) {
  console.log(`${seconds.toFixed(1).padStart(7)}  ${relative(process.cwd(), name)}`);
}
const passed = reports.reduce((sum, { numPassedTests }) => sum + numPassedTests, 0);
const failed = reports.reduce((sum, { numFailedTests }) => sum + numFailedTests, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
