import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { large } from "./catalogue.ts";

const limits = { shelf: 1000, queue: 50 };

/** Two meters, independent of the config: a sum over sources, and a month's maximum. */
export const measured: ProductConfig = {
  ...product,
  timeZone: "Europe/Berlin",
  plans: (product as ProductConfig).plans.map((plan) => ({
    ...plan,
    limits: { ...plan.limits, shelf: limits.shelf * (plan.id === large.id ? 2 : 1), queue: limits.queue },
  })),
  meters: [
    { key: "shelf", label: "Shelf", kind: "last", unit: "count", limit: "shelf" },
    { key: "queue", label: "Queue", kind: "maximum", unit: "count", limit: "queue" },
  ],
};
