import { expect, test } from "vitest";
import { toDecimal } from "#app/core/money/money.ts";
import { allOnSale, offersOf } from "#app/modules/catalogue/offers.rules.ts";
import { product } from "#app/product/config.ts";
import { free, large } from "#tests/support/billing/catalogue.ts";
import { describeProduct } from "./describe-product.ts";

const about = { name: "Gull", description: "It flies", canonical: "https://gull.example/" };
const nothing = toDecimal({ amountMinor: 0, currency: product.currency });
const questions = [{ question: "Can it swim?", answer: "It can." }];

test("search engines get the prices that the page shows, with gated plans marked as such", () => {
  const offers = offersOf(product, { kind: "plan", planId: large.id }, "year", allOnSale);
  const [described] = describeProduct({ ...about, offers }, questions)["@graph"];
  const price = { priceCurrency: product.currency, billingDuration: 1, unitCode: "ANN" };
  expect(described).toMatchObject({ "@type": "Product", name: "Gull", url: "https://gull.example/" });
  expect(described).toMatchObject({
    offers: product.plans.map(({ id, name, prices }) => ({
      name,
      priceSpecification: prices ? price : { ...price, price: nothing },
      availability: `https://schema.org/${id === large.id ? "PreOrder" : "InStock"}`,
    })),
  });
});

test("a plan that isn't sold has no offer, and a free one has", () => {
  const offers = offersOf(product, { kind: "none" }, "month", { ...allOnSale, isOpen: false });
  const [described] = describeProduct({ ...about, offers }, questions)["@graph"];
  expect(described).toMatchObject({ offers: [{ name: free.name, priceSpecification: { price: nothing } }] });
});

test("a product without a free plan has no free offer, and no offer at all before it is on sale", () => {
  const paidOnly = { ...product, plans: product.plans.filter(({ prices }) => prices !== null) };
  const saidOf = (isOnSale: boolean) => {
    const offers = offersOf(paidOnly, { kind: "none" }, "month", { ...allOnSale, isOpen: isOnSale });
    return describeProduct({ ...about, offers }, questions)["@graph"][0];
  };
  expect(JSON.stringify(saidOf(true))).not.toContain(`"${nothing}"`);
  expect(saidOf(true)).toMatchObject({ offers: paidOnly.plans.map(({ name }) => ({ name })) });
  expect(saidOf(false)).not.toHaveProperty("offers");
});

test("questions are listed with their answers", () => {
  const [, described] = describeProduct({ ...about, offers: [] }, questions)["@graph"];
  expect(described).toMatchObject({
    "@type": "FAQPage",
    mainEntity: [{ name: "Can it swim?", acceptedAnswer: { text: "It can." } }],
  });
});
