/**
 * `npm run brand`: formats app/product, and writes what follows from it: the icon, the names of the Worker, its database, its rate limits
 * and the package, and the pictures for link previews, if what they show has changed (that takes Chromium).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { createElement, type FunctionComponent } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { runnerImport } from "vite";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { run } from "../run.ts";
import { iconOf } from "./icon.ts";
import { inputsFile, inputsHash } from "./picture-inputs.ts";
import { withResourceNames } from "./resource-names.ts";

// First, since the pictures are compared by what they show, and a formatter changes quotes and brackets.
await run("oxfmt", ["app/product"]);
const { resources }: ProductConfig = product;
if (resources !== undefined) {
  const files = { "wrangler.toml": read("wrangler.toml"), "package.json": read("package.json") };
  for (const [file, text] of Object.entries(withResourceNames(files, resources))) write(file, text);
}
const { module } = await runnerImport<{ Logo: FunctionComponent }>(resolve("app/product/logo.tsx"), {
  configFile: false,
});
write("app/product/public/favicon.svg", iconOf(renderToStaticMarkup(createElement(module.Logo))));
if (read(inputsFile) !== inputsHash(product)) {
  console.log("Rendering the pictures for link previews …");
  await run("node", ["scripts/gallery/gallery.ts", "--social"]);
  console.log("app/product/public/social");
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function write(file: string, text: string): void {
  if (read(file) === text) return;
  writeFileSync(file, text);
  console.log(file);
}
