/** Prints the test files that failed in the reports of a folder, a line each: CI runs them once more. */
import { relative } from "node:path";
import { lastResults } from "./last-results.ts";

const [folder = "."] = process.argv.slice(2);
for (const { name, status } of lastResults(folder)) {
  if (status === "failed") console.log(relative(process.cwd(), name));
}
