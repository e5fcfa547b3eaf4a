/** Adds up the reports that the suites left in a folder, and prints the ten slowest files and the counts. */
import { readdirSync, readFileSync } from "node:fs";
import { relative } from "node:path";

const slowestMax = 10;

/** What is used of vitest's JSON report on a file. */
type FileResult = {
  name: string;
  status: "passed" | "failed";
  startTime: number;
  endTime: number;
  assertionResults: { status: string }[];
};

const [folder = "."] = process.argv.slice(2);
const files = readdirSync(folder).flatMap(
  (name) => (JSON.parse(readFileSync(`${folder}/${name}`, "utf8")) as { testResults: FileResult[] }).testResults,
);
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
const failed = statuses.length - passed;
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
