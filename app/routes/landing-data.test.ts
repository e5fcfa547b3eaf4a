import { expect, test } from "vitest";
import { offersOf } from "#app/domain/product/rules.ts";
import { product } from "#app/product.config.ts";
import { large } from "#tests/support/catalogue.ts";
import { describeProduct } from "./landing-data.ts";

const about = { name: "Gull", description: "It flies", canonical: "https://gull.example/" };
const questions = [{ question: "Can it swim?", answer: "It can." }];

test("search engines are told the prices that stand on the page, and what waits behind a gate as such", () => {
  const offers = offersOf(product, { kind: "plan", planId: large.id }, "year", true);
  const [said] = describeProduct({ ...about, interval: "year", offers }, questions)["@graph"];
  const price = { priceCurrency: product.currency, billingDuration: 1, unitCode: "ANN" };
  expect(said).toMatchObject({ "@type": "Product", name: "Gull", url: "https://gull.example/" });
  const sold = product.plans.filter(({ prices }) => prices !== null);
  expect(said?.offers).toMatchObject(
    sold.map(({ id, name }) => ({
      name,
      priceSpecification: price,
      availability: `https://schema.org/${id === large.id ? "PreOrder" : "InStock"}`,
    })),
  );
});

test("what isn't on sale has no offer", () => {
  const offers = offersOf(product, { kind: "none" }, "month", false);
  expect(describeProduct({ ...about, interval: "month", offers }, questions)["@graph"][0]?.offers).toEqual([]);
});

test("questions are told with their answers", () => {
  const [, said] = describeProduct({ ...about, interval: "month", offers: [] }, questions)["@graph"];
  expect(said).toMatchObject({
    "@type": "FAQPage",
    mainEntity: [{ name: "Can it swim?", acceptedAnswer: { text: "It can." } }],
  });
});
