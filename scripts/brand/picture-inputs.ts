import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { picturedPages } from "#app/http/page/social-picture.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { featureTools } from "../features.ts";
import { constantsIn, isMessagesFile, onlyOf, overriddenBy } from "../site/message-overrides.ts";

/** Contains the hash of what the pictures for link previews were rendered from. */
export const inputsFile = "app/product/social-pictures.sha256";

/** The constants that texts of the pictured pages are in: those of these pages, and what pages share. */
const isElsewhere = new RegExp(
  `^app/(.*emails\\.messages\\.ts$|modules/email|routes/(?!(${picturedPages.join("|")})/))`,
);
const onPictures = new Set(
  globSync("app/**/*messages.ts")
    .filter((path) => isMessagesFile(`/${path}`) && !isElsewhere.test(path))
    .flatMap(constantsIn),
);

/** A hash of what a product puts on the public pages. Foyer's own files aren't in it, so no release makes a team's pictures outdated. */
export function inputsHash(product: ProductConfig, folder = "."): string {
  const { name, tagline, currency, locale, gate, plans } = product;
  const ofFeatures = featureTools.map(({ pictures }) => pictures?.facts(product) ?? {});
  const files = ["app/product/landing/*.{ts,tsx,css}", "app/product/{logo.tsx,brand.css}"];
  const hash = createHash("sha256").update(
    JSON.stringify({ name, tagline, currency, locale, gate, ...Object.assign({}, ...ofFeatures), plans }),
  );
  for (const file of globSync(files, { cwd: folder }).toSorted()) {
    hash.update(withoutComments(readFileSync(join(folder, file), "utf8")));
  }
  const own = readFileSync(join(folder, "app/product/messages.ts"), "utf8");
  const isOnPicture = (constant: string) => onPictures.has(constant);
  if (overriddenBy(own).some(isOnPicture)) hash.update(withoutComments(onlyOf(own, isOnPicture)));
  return `${hash.digest("hex")}\n`;
}

/** Neither a reworded comment nor the formatter changes a picture. Only what begins a line is a comment: `//` is part of addresses, too. */
function withoutComments(code: string): string {
  return code
    .replaceAll(/^\s*(\/\/.*|\/\*[^]*?\*\/)/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
