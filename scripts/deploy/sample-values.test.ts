import { describe, expect, test } from "vitest";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { filesOfSample, unfinishedValues } from "./sample-values.ts";

const sample: ProductConfig = product;
const own: ProductConfig = {
  ...sample,
  name: "Ateljé",
  start: { downloads: [], steps: [{ title: "Open it", text: "In any browser." }] },
  seller: { name: "Ateljé AB", address: ["Storgatan 1", "111 22 Stockholm"], vatId: null },
  imprint: [],
  support: "hej@atelje.se",
  statusUrl: "https://status.atelje.se",
};

describe("values that aren't finished", () => {
  test("are none of a product of one's own", () => {
    expect(unfinishedValues({ product: own, sample })).toEqual([]);
  });

  test("are those that are still the sample's", () => {
    const { seller, support } = sample;
    const changed = { ...own, support, seller: { ...own.seller, vatId: seller.vatId } };
    expect(unfinishedValues({ product: changed, sample })).toEqual([
      `Still the sample's: support is ${support}`,
      `Still the sample's: seller.vatId is ${seller.vatId}`,
    ]);
  });

  test("are those of its imprint", () => {
    expect(unfinishedValues({ product: { ...own, imprint: sample.imprint }, sample })).toHaveLength(
      sample.imprint?.length ?? 0,
    );
  });

  test("are addresses that nobody has, which aren't called the sample's", () => {
    const start = { ...own.start, downloads: [{ label: "", href: "https://atelje.test/app", detail: "" }] };
    const changed = { ...own, support: "hej@atelje.example", statusUrl: "https://example.com/status", start };
    expect(unfinishedValues({ product: changed, sample })).toEqual([
      "Nobody's address: support is hej@atelje.example",
      "Nobody's address: statusUrl is https://example.com/status",
      "Nobody's address: start.downloads[0].href is https://atelje.test/app",
    ]);
  });
});

test("a file that names the sample is found once the product has another name", () => {
  const files = { "picture.tsx": `/** ${sample.name} at work. */`, "logo.tsx": "/** Ateljé's logo. */" };
  expect(filesOfSample({ product: own, sample }, files)).toEqual(["picture.tsx"]);
  expect(filesOfSample({ product: sample, sample }, files)).toEqual([]);
});

test("a drawing of the sample is found whatever else its file says", () => {
  const vault = "M564 400V282a84 84 0 0 1 168 0v118";
  const files = { "picture.tsx": `<path d="${vault}" />`, "logo.tsx": `<path d="${vault.replace("564", "565")}" />` };
  expect(filesOfSample({ product: own, sample }, files)).toEqual(["picture.tsx"]);
  expect(filesOfSample({ product: sample, sample }, files)).toEqual([]);
});
