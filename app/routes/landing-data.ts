import { toDecimal } from "#app/domain/kernel/money.ts";
import type { Interval, PlanOffer } from "#app/domain/product/rules.ts";

type Page = { name: string; description: string; canonical: string; interval: Interval; offers: PlanOffer[] };
type Question = { question: string; answer: string };

/** What search engines are told of the page, and nothing that doesn't stand on it: https://schema.org/Product, /FAQPage. */
export function describeProduct(page: Page, questions: readonly Question[]) {
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
        offers: page.offers.flatMap((offer) => offerOf(offer, page.interval)),
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

/** A plan with a price. What waits behind a gate isn't sold yet. */
function offerOf({ name, price, state }: PlanOffer, interval: Interval) {
  if (!price || state === "not-on-sale") return [];
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
