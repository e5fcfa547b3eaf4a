/**
 * `npm run docs`: writes docs/reference from the code. The pre-commit hook runs it, too, and `npm run check` runs it with `--check`,
 * which writes nothing and fails if a file differs.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readOptions } from "../../command-line.ts";
import { reference } from "./reference.ts";

const folder = "docs/reference";
const { check } = readOptions({ check: { type: "boolean" } }, "npm run docs, or npm run docs -- --check");
const files = await reference();
mkdirSync(folder, { recursive: true });
const written = new Map(readdirSync(folder).map((file) => [file, readFileSync(`${folder}/${file}`, "utf8")]));
const names = [...new Set([...files.keys(), ...written.keys()])];
const outdated = names.filter((file) => files.get(file) !== written.get(file));
if (check) {
  if (outdated.length > 0) {
    console.error(
      `${outdated.map((file) => `${folder}/${file}`).join(", ")} differs from the code: npm run docs writes it`,
    );
    process.exitCode = 1;
  }
} else {
  for (const file of outdated) {
    const text = files.get(file);
    if (text === undefined) rmSync(`${folder}/${file}`);
    else writeFileSync(`${folder}/${file}`, text);
  }
}
