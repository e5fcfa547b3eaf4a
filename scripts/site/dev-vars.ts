import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";

const file = ".dev.vars";
const localValues = "scripts/site/local.dev.vars";

/** Local values are in a committed file; a clone without its own gets a copy, and an older one gets the new values. */
export function ensureDevVars(): void {
  if (!existsSync(file)) return copyFileSync(localValues, file);
  const own = readFileSync(file, "utf8");
  const known = new Set(own.match(/^[A-Z][A-Z0-9_]*/gm));
  const local = readFileSync(localValues, "utf8").match(/^[A-Z][A-Z0-9_]*=.*$/gm) ?? [];
  const missing = local.filter((line) => !known.has(line.split("=", 1)[0] ?? ""));
  if (missing.length > 0) writeFileSync(file, `${[own.trimEnd(), ...missing].join("\n")}\n`);
}

/** Reads NAME="value" lines into an object. */
export function readDevVars(): Record<string, string> {
  ensureDevVars();
  const lines = readFileSync(file, "utf8").split("\n");
  const pairs = lines.flatMap((line) => {
    const found = /^([A-Z][A-Z0-9_]*)\s*=\s*"?(.*?)"?\s*$/.exec(line);
    return found ? [[found[1] ?? "", found[2] ?? ""]] : [];
  });
  return Object.fromEntries(pairs);
}
