/** Adds up the reports that the rings left in a folder, and says it in one line. */
import { readdirSync, readFileSync } from "node:fs";

const [folder] = process.argv.slice(2);
let [passed, failed] = [0, 0];
for (const name of readdirSync(folder)) {
  const report = JSON.parse(readFileSync(`${folder}/${name}`, "utf8"));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
