/** With this variable a run also writes its counts to the folder that it names, to be added up. */
const reportsVariable = "FOYER_TEST_REPORTS";

/** What a run prints. */
export function reporters(): ("minimal" | ["json", { outputFile: string }])[] {
  const folder = process.env[reportsVariable];
  return folder ? ["minimal", ["json", { outputFile: `${folder}/${process.pid}.json` }]] : ["minimal"];
}
