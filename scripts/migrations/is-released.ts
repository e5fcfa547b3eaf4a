import { readFileSync } from "node:fs";

/** Nothing was released before 0.2.0, so until then one migration makes the whole database, and is written again. */
export function isReleased(version = currentVersion()): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 0 || minor >= 2;
}

function currentVersion(): string {
  return (JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version;
}
