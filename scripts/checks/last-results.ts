import { readdirSync, readFileSync } from "node:fs";

/** What is used of vitest's JSON report on a file. */
type FileResult = {
  name: string;
  status: "passed" | "failed";
  startTime: number;
  endTime: number;
  assertionResults: { status: string }[];
};

/** The last result of each test file in the reports that the suites left in a folder: a repeated file counts once. */
export function lastResults(folder: string): FileResult[] {
  const results = readdirSync(folder).flatMap(
    (name) => (JSON.parse(readFileSync(`${folder}/${name}`, "utf8")) as { testResults: FileResult[] }).testResults,
  );
  const inOrder = results.toSorted((left, right) => left.startTime - right.startTime);
  return [...new Map(inOrder.map((result) => [result.name, result])).values()];
}
