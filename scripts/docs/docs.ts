/** `npm run docs`: writes docs/reference from the code. With `-- --check` it only prints the differences, and fails if there are any. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { folder, reference } from "./reference.ts";

const files = await reference();
mkdirSync(folder, { recursive: true });
const there = readdirSync(folder);
const stale = there.filter((file) => !files.has(file));
const changed = [...files].filter(
  ([file, text]) => !there.includes(file) || readFileSync(`${folder}/${file}`, "utf8") !== text,
);

if (process.argv.includes("--check")) {
  const differing = [...stale, ...changed.map(([file]) => file)];
  if (differing.length > 0) console.error(`${folder} differs from the code (npm run docs): ${differing.join(", ")}`);
  process.exitCode = differing.length > 0 ? 1 : 0;
} else {
  for (const file of stale) rmSync(`${folder}/${file}`);
  for (const [file, text] of changed) writeFileSync(`${folder}/${file}`, text);
  console.log(`${folder}: ${changed.length} written, ${stale.length} removed, ${files.size} in all`);
}
