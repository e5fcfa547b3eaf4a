/** What a run prints; with FOYER_TEST_REPORTS it also leaves its counts in that folder, to be added up. */
export function reporters(): ("default" | ["json", { outputFile: string }])[] {
  const folder = process.env.FOYER_TEST_REPORTS;
  return folder ? ["default", ["json", { outputFile: `${folder}/${process.pid}.json` }]] : ["default"];
}
