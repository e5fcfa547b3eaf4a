/**
 * `npx node scripts/maintainers/restore-check/restore-check.ts`: proves on a local site that the reconciler repairs a database that lost an hour, and lists what it can't bring
 * back. Ends with 1 if money or access of an account differs from Stripe, or from the database that lost nothing.
 */
import buildOnce from "#tests/support/site/build-once.ts";
import { startSite } from "#tests/support/site/site.ts";
import { readOptions } from "../../command-line.ts";
import { proveRestore } from "./prove-restore.ts";
import { spellProof } from "./spell-proof.ts";

readOptions(
  {},
  "npx node scripts/maintainers/restore-check/restore-check.ts: takes about a minute, needs no account, and changes nothing",
);
// Otherwise each email would print a dozen lines.
process.env["WRANGLER_LOG"] ??= "warn";
console.log("A month and an hour at a local site, then the hour is lost. This takes about a minute.");
await buildOnce();
const site = await startSite({ vars: { LAUNCH_GATE: "none" } });
try {
  const proof = await proveRestore(site);
  console.log(spellProof(proof).join("\n"));
  process.exitCode = proof.differences.length === 0 ? 0 : 1;
} finally {
  await site.close();
}
