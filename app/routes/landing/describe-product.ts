import { toDecimal } from "#app/core/money/money.ts";
import type { PlanOffer } from "#app/modules/catalogue/offers.rules.ts";

type Page = { name: string; description: string; canonical: string; offers: PlanOffer[] };
type Question = { question: string; answer: string };

/** Structured data for search engines. It contains nothing that the page doesn't show: https://schema.org/Product, /FAQPage. */
export function describeProduct(page: Page, questions: readonly Question[]) {
  const currency = page.offers.find(({ price }) => price)?.price?.currency;
  const offers = page.offers.flatMap((offer) => offerOf(offer, currency));
  return {
    "@context": "https://schema.org",
    "@graph": [
      {
        "@type": "Product",
        name: page.name,
        description: page.description,
        url: page.canonical,
        image: `${page.canonical}social/landing.png`,
        brand: { "@type": "Brand", name: page.name },
        // Without a free plan there may be nothing on sale yet.
        ...(offers.length > 0 && { offers }),
      },
      {
        "@type": "FAQPage",
        mainEntity: questions.map(({ question, answer }) => ({
          "@type": "Question",
          name: question,
          acceptedAnswer: { "@type": "Answer", text: answer },
        })),
      },
    ],
  };
}

/** A plan behind a gate isn't on sale yet. A plan without a price costs 0 in the other plans' currency. */
function offerOf({ name, price: own, state, interval }: PlanOffer, currency: string | undefined) {
  const price = own ?? (currency && { amountMinor: 0, currency });
  if (!price || state === "not-on-sale" || state === "price-differs") return [];
  return {
    "@type": "Offer",
    name,
    priceSpecification: {
      "@type": "UnitPriceSpecification",
      price: toDecimal(price),
      priceCurrency: price.currency,
      billingDuration: 1,
      unitCode: interval === "year" ? "ANN" : "MON",
    },
    availability: `https://schema.org/${state === "open" ? "InStock" : "PreOrder"}`,
  };
}
