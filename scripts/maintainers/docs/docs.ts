/** `npm run docs`: writes docs/reference from the code. The pre-commit hook runs it, too. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { reference } from "./reference.ts";

const folder = "docs/reference";
const files = await reference();
mkdirSync(folder, { recursive: true });
for (const file of readdirSync(folder)) if (!files.has(file)) rmSync(`${folder}/${file}`);
for (const [file, text] of files) writeFileSync(`${folder}/${file}`, text);
