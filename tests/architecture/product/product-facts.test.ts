import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatMoney, formatPrice } from "#app/core/money/money.ts";
import { currencies } from "#app/core/money/currencies.ts";
import { type Plan, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { formattedAmounts, productFacts } from "../../../scripts/site/product-facts.ts";

let folder = "";
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "product-"))));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the build of a product's Worker replaces, by name. */
async function definesOf(config: unknown): Promise<Record<string, unknown>> {
  const file = join(folder, `${crypto.randomUUID()}.ts`);
  writeFileSync(file, `export const product = ${JSON.stringify(config)};`);
  const { configEnvironment } = productFacts(file);
  if (typeof configEnvironment !== "function") throw new Error("The plugin sets nothing");
  const answer = await configEnvironment.call({} as never, "ssr", {}, {
    command: "build",
    mode: "production",
  } as never);
  const defines = Object.entries(answer?.define ?? {}).map(([name, code]) => [name, JSON.parse(String(code))]);
  return Object.fromEntries(defines) as Record<string, unknown>;
}

test("a Worker is built with the problems of an invalid config, and with none for a valid one", async () => {
  expect(await definesOf(product)).toMatchObject({ PRODUCT_PROBLEMS: [] });
  expect(await definesOf({ ...product, currency: "XXX" })).toMatchObject({
    PRODUCT_PROBLEMS: [{ code: "currency-unknown", path: "currency" }],
  });
});

test.each(currencies)("each price in %s is formatted at build time exactly as at run time", (currency) => {
  const priced = { ...product, currency } satisfies ProductConfig;
  const known = formattedAmounts(priced);
  const plans: readonly Plan[] = priced.plans;
  for (const { amountMinor } of plans.flatMap(({ prices }) => Object.values(prices ?? {}))) {
    const amount = { amountMinor, currency };
    const key = `${amountMinor} ${currency} ${priced.locale}`;
    expect(known[key]).toBe(formatMoney(amount, priced.locale));
    expect(known[`${key} price`]).toBe(formatPrice(amount, priced.locale));
  }
});
