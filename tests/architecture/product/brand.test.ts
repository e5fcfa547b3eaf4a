import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { Logo } from "#app/product/logo.tsx";
import { product as sample } from "#tests/support/products/fixed-product.config.ts";
// By its path: the tests' product replaces the other name.
import { product } from "../../../app/product/config.ts";
import { iconOf } from "../../../scripts/brand/icon.ts";
import { inputsFile, inputsHash } from "../../../scripts/brand/picture-inputs.ts";
import { withResourceNames } from "../../../scripts/brand/resource-names.ts";
import { drawingsOf, filesOfSample, sampleDrawings } from "../../../scripts/deploy/sample-values.ts";

const read = (file: string) => readFileSync(file, "utf8");
const files = { "wrangler.toml": read("wrangler.toml"), "package.json": read("package.json") };

describe("`npm run brand` has been run for the current app/product, and updated", () => {
  test("the names of the Worker, its database, its rate limits and the package", () => {
    const { resources }: ProductConfig = product;
    expect(resources === undefined ? files : withResourceNames(files, resources)).toEqual(files);
  });

  test("the icon", () => {
    expect(read("app/product/public/favicon.svg")).toBe(iconOf(renderToStaticMarkup(createElement(Logo))));
  });

  test("the pictures for link previews", () => {
    expect(read(inputsFile)).toBe(inputsHash(product));
  });
});

const texts = globSync("app/product/**/*.{ts,tsx,css,svg}").map((file) => [file, read(file)] as const);

test("no file of app/product is about the sample any more, once the product has another name", () => {
  expect(filesOfSample({ product, sample }, Object.fromEntries(texts))).toEqual([]);
});

const drawings = texts.flatMap(([, text]) => drawingsOf(text));
const { name }: ProductConfig = product;
// A copy that sells another product by the same name, as `npm run check:rename` makes it, has none of them.
test.runIf(name === sample.name && drawings.some((drawing) => sampleDrawings.includes(drawing)))(
  "the sample's drawings are known as they are now",
  () => expect(drawings).toEqual(expect.arrayContaining([...sampleDrawings])),
);

test("a new name replaces all of them and nothing else, and gives the rate limits new numbers", () => {
  const renamed = withResourceNames(files, "acme");
  expect(renamed["package.json"]).toContain('"name": "acme"');
  expect(renamed["wrangler.toml"]).toContain('\nname = "EMAIL"');
  expect(renamed["wrangler.toml"].match(/^(name|database_name) = "acme"/gm)).toEqual([
    'name = "acme"',
    'database_name = "acme"',
  ]);
  const numbers = (text: string) => text.match(/(?<=^namespace_id = ")\d+/gm) ?? [];
  const all = [...numbers(renamed["wrangler.toml"]), ...numbers(files["wrangler.toml"])];
  expect([all.length, new Set(all).size]).toEqual([6, 6]);
  expect(withResourceNames(renamed, "acme")).toEqual(renamed);
  expect(() => withResourceNames(files, "Acme Inc.")).toThrow("lower-case");
});

test("new prices make the pictures outdated, and a new seller doesn't", () => {
  expect(inputsHash({ ...product, plans: [] })).not.toBe(inputsHash(product));
  expect(inputsHash({ ...product, seller: { ...product.seller, name: "Another" } })).toBe(inputsHash(product));
});

test("a page's own text makes them outdated, and an email's or another page's doesn't", () => {
  const folder = mkdtempSync(join(tmpdir(), "foyer-pictures-"));
  cpSync("app/product", join(folder, "app/product"), { recursive: true });
  const hashWith = (texts: string) => {
    writeFileSync(join(folder, "app/product/messages.ts"), `export const messages = {${texts}};`);
    return inputsHash(product, folder);
  };
  const login = 'loginMessages: { en: { title: "Welcome" } },';
  const elsewhere = 'accountEmails: { en: {} }, verifyMessages: { en: { code: "Number" } },';
  expect(hashWith(elsewhere)).toBe(hashWith(""));
  expect(hashWith(login)).not.toBe(hashWith(""));
  expect(hashWith(`${login} ${elsewhere}`)).toBe(hashWith(`${login} `));
  rmSync(folder, { recursive: true });
});
