import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { addressOf } from "./address.ts";
import { changingPlans } from "./changing-plans.ts";
import { withoutPlan } from "./without-plan.ts";
import { moneyBack } from "./money-back.ts";
import { unpaid } from "./unpaid.ts";
import type { Chapter } from "./replay-demo.ts";
import { subscribers } from "./subscribers.ts";
import { chaptersOfFeatures } from "./features.ts";

/** The people of a list such as "mara,jonas"; if it's empty, all whose story the product supports. A referred person needs the referrer. */
export function peopleOf(names: string, config: ProductConfig = product): Chapter[] {
  const addresses = new Set(names.split(",").map(addressOf));
  return chapters.map((chapter) => ({
    ...chapter,
    people: chapter.people.filter(
      ({ address, needs }) => (names === "" || addresses.has(address)) && (needs?.(config) ?? true),
    ),
  }));
}

const chapters: Chapter[] = [
  { title: "Active plans", people: subscribers },
  { title: "Plans that start, change or end", people: changingPlans },
  { title: "Failed payments", people: unpaid },
  { title: "Refunds and credit", people: moneyBack },
  { title: "Free plan, friends and closed accounts", people: withoutPlan },
  ...chaptersOfFeatures,
];
