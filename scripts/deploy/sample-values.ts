/** What a team's product still has of the sample product, and the addresses in its config that can't be anyone's. Pure. */
import { createHash } from "node:crypto";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";

type Configs = { product: ProductConfig; sample: ProductConfig };

/** A sentence for each value that is fine in a first try, and not in a real shop. */
export function unfinishedValues({ product, sample }: Configs): string[] {
  const known = new Set(valuesOf(sample).map(({ text }) => text));
  return valuesOf(product).flatMap(({ path, text }) => {
    if (known.has(text) || names(text, sample)) return [`Still the sample's: ${path} is ${text}`];
    return isReserved(text) ? [`Nobody's address: ${path} is ${text}`] : [];
  });
}

/** Which files of `app/product` still name the sample or have a drawing of it, once the product has another name. */
export function filesOfSample({ product, sample }: Configs, files: Readonly<Record<string, string>>): string[] {
  if (product.name === sample.name) return [];
  return Object.entries(files).flatMap(([path, text]) => (names(text, sample) || hasDrawing(text) ? [path] : []));
}

/** The sample's logo, and of its picture the bird, the doorway, the vault and the flight, as `drawingsOf` has them. */
export const sampleDrawings: readonly string[] = [
  "e45bc8f554958096",
  "a4a1d143da06c864",
  "fc96fc7421b955b4",
  "383888c51dfa5d43",
  "e00b5c8cb74ba505",
];

const hasDrawing = (text: string): boolean => drawingsOf(text).some((hash) => sampleDrawings.includes(hash));

/** The hashes of the longer SVG paths in a text; short ones are lines and boxes that anybody draws. */
export function drawingsOf(text: string): string[] {
  const paths = text.match(/(?<=["'])[Mm]-?[\d.][-\d\s.,a-zA-Z]{25,}(?=["'])/g) ?? [];
  return paths.map((path) => createHash("sha256").update(path.replaceAll(/\s+/g, " ")).digest("hex").slice(0, 16));
}

const names = (text: string, { name }: ProductConfig): boolean => wordsOf(text).includes(wordsOf(name));

const wordsOf = (text: string): string =>
  ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(" ") ?? ""
  } `;

/** What customers rely on: addresses, and who sells. */
function valuesOf({ support, statusUrl, start, seller, imprint, statementDescriptor }: ProductConfig) {
  return textsOf({ support, statusUrl, start, seller, imprint, statementDescriptor }, "");
}

function textsOf(value: unknown, path: string): { path: string; text: string }[] {
  if (typeof value === "string") return [{ path, text: value }];
  if (typeof value !== "object" || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, inside]) =>
    textsOf(inside, isList ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`),
  );
}

/** RFC 2606: domains that are reserved for examples and tests. */
const isReserved = (address: string): boolean =>
  /[/.@](example|test|invalid)(\/|$)|\bexample\.(com|org|net)(\/|$)/.test(address);
