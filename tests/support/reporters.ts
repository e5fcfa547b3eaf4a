import type { Reporter, TestCase } from "vitest/node";

/** With this variable a run also writes its counts to the folder that it names, to be added up. */
const reportsVariable = "FOYER_TEST_REPORTS";

/** A test that passes only when it is repeated doesn't stop the run, but is named. */
class FlakyTests implements Reporter {
  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) console.log(`Passed only when repeated: ${test.module.moduleId} > ${test.fullName}`);
  }
}

/** What a run prints. */
export function reporters(): ("minimal" | FlakyTests | ["json", { outputFile: string }])[] {
  const folder = process.env[reportsVariable];
  return folder
    ? ["minimal", new FlakyTests(), ["json", { outputFile: `${folder}/${process.pid}.json` }]]
    : ["minimal"];
}

/** How often a failed browser test is repeated: once in CI, where it shares two cores with others; never by hand. */
export const browserRetries = process.env[reportsVariable] ? 1 : 0;
