import { execFileSync } from "node:child_process";

/** The HTTP ring tests what would be deployed: the built Worker, built anew when a source is newer. */
export default function setup() {
  execFileSync("node", ["scripts/build.mjs", "--if-stale"], { stdio: ["ignore", "ignore", "inherit"] });
}
