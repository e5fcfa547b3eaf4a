import { resolve } from "node:path";

/** From the root of the repository: a copy of it that a test builds has its own. */
const file = "tests/support/products/fixed-product.config.ts";
const condition = "--conditions=foyer-tests";

/**
 * For a vitest config: tests, and the processes they start, get the fixed product in place of app/product/config.ts.
 * Vite reads FOYER_PRODUCT; scripts that Node runs resolve the import by the condition in package.json.
 */
export function withFixedProduct() {
  process.env.FOYER_PRODUCT = file;
  const options = process.env.NODE_OPTIONS ?? "";
  if (!options.includes(condition)) process.env.NODE_OPTIONS = `${options} ${condition}`.trim();
  return { alias: [{ find: "#app/product/config.ts", replacement: resolve(file) }] };
}
