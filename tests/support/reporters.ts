/** What a run prints; with FOYER_TEST_REPORTS it also writes its counts to that folder, to be added up. */
export function reporters(): ("minimal" | ["json", { outputFile: string }])[] {
  const folder = process.env.FOYER_TEST_REPORTS;
  return folder ? ["minimal", ["json", { outputFile: `${folder}/${process.pid}.json` }]] : ["minimal"];
}
