/** `npm run docs`: writes docs/reference from the code. The pre-commit hook runs it, too. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";

// app/routes.ts imports the product by this name, all other code by a condition of package.json.
process.env["FOYER_PRODUCT"] ??= "tests/support/products/fixed-product.config.ts";
const { reference } = await import("./reference.ts");

const folder = "docs/reference";
const files = await reference();
mkdirSync(folder, { recursive: true });
for (const file of readdirSync(folder)) if (!files.has(file)) rmSync(`${folder}/${file}`);
for (const [file, text] of files) writeFileSync(`${folder}/${file}`, text);
