import { formatMoney, formatPrice } from "#app/core/money/money.ts";
import type { Interval } from "#app/core/time/interval.ts";
import { freePlan, isSold, type Plan, priceOf, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { product } from "#app/product/config.ts";

/**
 * The parts of the product that tests use. No test contains its text, prices or plans, so that a team which sells
 * something else keeps every test: tests/architecture/product/sample-messages.test.ts and `npm run check:rename` check that.
 */
const config: ProductConfig = product;

/** As the config lists them, cheapest first. */
const [cheapest = config.plans[0], next] = config.plans.filter(isSold);
if (!cheapest) throw new Error("A product has a plan");

/** The suites need two paid plans and a free one, which the tests' product has. The smoke suite and the gallery also run on less. */
export const small = withSeats(cheapest);
export const large = withSeats(next ?? cheapest);
export const free = withSeats(freePlan(config) ?? cheapest);

/** The tests' product has devices. */
function withSeats(plan: Plan): Plan & { limits: { readonly devices: number; readonly [limit: string]: number } } {
  return { ...plan, limits: { devices: 0, ...plan.limits } };
}

/** The pages of the product's own segment. */
export const pages = {
  account: segmentPath(config, "account"),
  plan: segmentPath(config, "plan"),
};

export function minor(plan: Plan, interval: Interval = "month"): number {
  return priceOf(config, plan, interval)?.amountMinor ?? 0;
}

/** As the pages write a price, by default for a browser that names no language. */
export function price(plan: Plan, interval: Interval = "month", locale = config.locale): string {
  return amount(minor(plan, interval), locale);
}

export function amount(amountMinor: number, locale = config.locale): string {
  return formatMoney({ amountMinor, currency: config.currency }, locale);
}

/** As marketing and plan cards write a price: without ".00". */
export function roundAmount(amountMinor: number, locale = config.locale): string {
  return formatPrice({ amountMinor, currency: config.currency }, locale);
}

/**
 * A pattern in which the inserted text is escaped: names and prices have points and plus signs. An inserted pattern
 * stays one.
 */
export function pattern({ raw }: TemplateStringsArray, ...filledIn: unknown[]): RegExp {
  const escaped = filledIn.map((part) => (part instanceof RegExp ? part.source : escape(String(part))));
  return new RegExp(raw.map((part, index) => part + (escaped[index] ?? "")).join(""));
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

/** Any day, as the pages write one for a browser that names no language: "November 23, 2026", "2026年11月23日". */
export const aDay = dayIn("long");
/** The same where there is little room. */
export const aShortDay = dayIn("medium");

function dayIn(dateStyle: "long" | "medium"): RegExp {
  return new RegExp(
    new Intl.DateTimeFormat(config.locale, { dateStyle })
      .formatToParts(0)
      .map(({ type, value }) => {
        if (type === "literal") return escape(value).replaceAll(/\s/g, String.raw`\s`);
        return type === "year"
          ? String.raw`\d{4}`
          : type === "day"
            ? String.raw`\d{1,2}`
            : String.raw`(?:[^\s\d.,]+|\d+)`;
      })
      .join(""),
  );
}
