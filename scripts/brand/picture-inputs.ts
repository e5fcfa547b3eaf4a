import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";

/** Contains the hash of what the pictures for link previews were rendered from. */
export const inputsFile = "app/product/social-pictures.sha256";

/** A hash of what a product puts on the public pages. Foyer's own files aren't in it, so no release makes a team's pictures outdated. */
export function inputsHash(product: ProductConfig, folder = "."): string {
  const { name, tagline, currency, locale, gate, waitlist, plans } = product;
  const files = ["app/product/landing/*.{ts,tsx,css}", "app/product/{logo.tsx,brand.css,messages.ts}"];
  const hash = createHash("sha256").update(JSON.stringify({ name, tagline, currency, locale, gate, waitlist, plans }));
  for (const file of globSync(files, { cwd: folder }).toSorted()) {
    hash.update(withoutComments(readFileSync(join(folder, file), "utf8")));
  }
  return `${hash.digest("hex")}\n`;
}

/** Neither a reworded comment nor the formatter changes a picture. Only what begins a line is a comment: `//` is part of addresses, too. */
function withoutComments(code: string): string {
  return code
    .replaceAll(/^\s*(\/\/.*|\/\*[^]*?\*\/)/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
