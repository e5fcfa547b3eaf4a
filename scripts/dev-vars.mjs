import { copyFileSync, existsSync, readFileSync } from "node:fs";

const file = ".dev.vars";

/** Local values stand in the committed example; a clone that has none of its own gets a copy. */
export function ensureDevVars() {
  if (!existsSync(file)) copyFileSync(".dev.vars.example", file);
}

/** NAME="value" lines as an object. */
export function readDevVars() {
  ensureDevVars();
  const lines = readFileSync(file, "utf8").split("\n");
  const pairs = lines.flatMap((line) => {
    const found = /^([A-Z][A-Z0-9_]*)\s*=\s*"?(.*?)"?\s*$/.exec(line);
    return found ? [[found[1], found[2]]] : [];
  });
  return Object.fromEntries(pairs);
}
