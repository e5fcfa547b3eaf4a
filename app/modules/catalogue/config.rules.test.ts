import { describe, expect, test } from "vitest";
import { currencies, minimumCharge } from "#app/core/money/currencies.ts";
import { amountStep } from "#app/core/money/round-amount.ts";
import { checkConfig } from "./config.rules.ts";
import type { ProductConfig } from "./rules.ts";

const plan = { name: "A plan", tagline: "", limits: { devices: 1, storage: 2 }, points: [] };
const prices = (month: number, year = month * 10) => ({ month: { amountMinor: month }, year: { amountMinor: year } });

const sound: ProductConfig = {
  name: "Sample",
  segment: "sample",
  tagline: "",
  description: "",
  currency: "EUR",
  locale: "en",
  timeZone: "UTC",
  gate: "none",
  plans: [
    { ...plan, id: "free", prices: null },
    { ...plan, id: "small", prices: prices(600) },
    { ...plan, id: "large", prices: prices(1500) },
  ],
  meters: [{ key: "storage", label: "Storage", kind: "last", unit: "bytes", limit: "storage" }],
  lockedMeans: "",
  freeHint: "",
  tax: { rate: 19, name: "VAT" },
  billingAddress: "auto",
  referral: {
    state: "open",
    friendDiscountMinor: 500,
    referrerCreditMinor: 500,
    qualifyingAmountMinor: 500,
    holdDays: 14,
    rewardsPerYear: 12,
    attributionDays: 30,
  },
  start: { downloads: [], steps: [], activationUrl: "" },
  seller: { name: "", address: [], vatId: "" },
  errorReceiver: null,
  support: "",
  statusUrl: "",
  withdrawalDays: 14,
  afterFirstTerm: "another-term",
  duringDispute: "continue",
  cancellationPage: "on",
  httpsOnly: "host",
  terms: { version: "1" },
};

/** Amounts valid in a currency, like those of the sample. */
function inCurrency(currency: string, unit = minimumCharge(currency) * 4): ProductConfig {
  const step = amountStep(currency);
  const price = Math.ceil(unit / step) * step;
  const plans = sound.plans.map((each) => (each.prices ? { ...each, prices: prices(price) } : each));
  const friendDiscountMinor = Math.floor(price / 2 / step) * step;
  const referral = { ...sound.referral, friendDiscountMinor, referrerCreditMinor: price };
  return { ...sound, currency, plans, referral };
}

function withPrices(config: ProductConfig, month: number, year = month * 10): ProductConfig {
  const [free, small, large] = config.plans;
  if (!free || !small || !large) throw new Error("The sample has three plans");
  return { ...config, plans: [free, { ...small, prices: prices(month, year) }, { ...large, prices: prices(year) }] };
}

const withReferral = (config: ProductConfig, referral: Partial<ProductConfig["referral"]>): ProductConfig => ({
  ...config,
  referral: { ...config.referral, ...referral },
});
const found = (config: ProductConfig) => checkConfig(config).map(({ code, path }) => [code, path]);
const month = "plans[1].prices.month.amountMinor";

describe("a product's configuration", () => {
  test("is valid with suitable amounts in each of the provider's currencies", () => {
    expect(checkConfig(sound)).toEqual([]);
    expect(currencies.flatMap((currency) => found(inCurrency(currency)))).toEqual([]);
  });

  test("is valid without a free plan", () => {
    const { freeHint: _unused, ...paidOnly } = { ...sound, plans: sound.plans.slice(1) };
    expect(checkConfig(paidOnly)).toEqual([]);
  });

  test.each([
    ["a currency that Stripe doesn't know", { ...sound, currency: "XXX" }, [["currency-unknown", "currency"]]],
    ["a currency in small letters", { ...sound, currency: "eur" }, [["currency-unknown", "currency"]]],
    [
      "a price below the minimum",
      withReferral(withPrices(sound, 49, 600), { friendDiscountMinor: 0 }),
      [["price-below-minimum", month]],
    ],
    [
      "a price of forints written in forints",
      withReferral(withPrices({ ...sound, currency: "HUF" }, 2990, 29_900), { friendDiscountMinor: 0 }),
      [["price-below-minimum", month]],
    ],
    ["a price with half a cent", withPrices(sound, 600.5, 6000), [["amount-not-chargeable", month]]],
    [
      "a price whose third decimal isn't 0",
      withPrices(inCurrency("KWD", 900), 905, 9000),
      [["amount-not-chargeable", month]],
    ],
    [
      "a price with decimals in a currency that has none in fact",
      withPrices(inCurrency("ISK", 90_000), 90_050, 900_000),
      [["amount-not-chargeable", month]],
    ],
    [
      "a discount that can't be refunded in the currency",
      withReferral(inCurrency("KWD", 900), { friendDiscountMinor: 505 }),
      [["amount-not-chargeable", "referral.friendDiscountMinor"]],
    ],
    [
      "an amount for a reward that no one can pay in the currency",
      withReferral(inCurrency("ISK", 90_000), { qualifyingAmountMinor: 50_050 }),
      [["amount-not-chargeable", "referral.qualifyingAmountMinor"]],
    ],
    ...[
      "Hero",
      "Heron Software Ltd Online",
      "Heron <Watch>",
      "Heron*Watch",
      "Heron's",
      'Heron "1"',
      "Heron \\ 1",
      "12 345",
      "Möwe Watch",
    ].map((statementDescriptor): [string, ProductConfig, [string, string][]] => [
      `a statement descriptor that Stripe refuses or changes: ${statementDescriptor}`,
      { ...sound, statementDescriptor },
      [["statement-descriptor-refused", "statementDescriptor"]],
    ]),
    [
      "a credit below zero",
      withReferral(sound, { referrerCreditMinor: -1 }),
      [["amount-not-chargeable", "referral.referrerCreditMinor"]],
    ],
    [
      "a discount that leaves less than the minimum charge of the cheapest price",
      withReferral(sound, { friendDiscountMinor: 551 }),
      [["discounted-price-below-minimum", "referral.friendDiscountMinor"]],
    ],
    [
      "a discount above the cheapest price",
      withReferral(sound, { friendDiscountMinor: 601 }),
      [["discounted-price-below-minimum", "referral.friendDiscountMinor"]],
    ],
    ["a rate of nothing", { ...sound, tax: { rate: 0, name: "VAT" } }, [["tax-unsuitable", "tax"]]],
    [
      "a rate as a fraction of more than the price",
      { ...sound, tax: { rate: 190, name: "VAT" } },
      [["tax-unsuitable", "tax"]],
    ],
    ["a tax without a name", { ...sound, tax: { rate: 19, name: " " } }, [["tax-unsuitable", "tax"]]],
    ["an exemption without its wording", { ...sound, tax: { exempt: "" } }, [["tax-unsuitable", "tax"]]],
    [
      "a reminder after the renewal",
      { ...sound, renewalReminderDays: 0 },
      [["reminder-unsuitable", "renewalReminderDays"]],
    ],
    [
      "a reminder a year before the renewal",
      { ...sound, renewalReminderDays: 365 },
      [["reminder-unsuitable", "renewalReminderDays"]],
    ],
    [
      "two free plans",
      { ...sound, plans: [...sound.plans.slice(0, 1).map((each) => ({ ...each, id: "other" })), ...sound.plans] },
      [["free-plan-twice", "plans"]],
    ],
    [
      "retired plans alone",
      { ...sound, plans: sound.plans.slice(1).map((each) => ({ ...each, sold: false })) },
      [["plans-missing", "plans"]],
    ],
    ["no plan at all", { ...sound, plans: [] }, [["plans-missing", "plans"]]],
    [
      "plans that aren't cheapest first",
      { ...sound, plans: sound.plans.toReversed() },
      [["plans-not-ascending", "plans"]],
    ],
    [
      "a plan without the limit of a meter",
      { ...sound, plans: sound.plans.map((each) => ({ ...each, limits: { devices: 1 } })) },
      [0, 1, 2].map((at) => ["limit-missing", `plans[${at}].limits.storage`]),
    ],
    ["a meter twice", { ...sound, meters: [...sound.meters, ...sound.meters] }, [["name-taken-twice", "meters[1]"]]],
    ["a segment that is no part of an address", { ...sound, segment: "a b" }, [["name-malformed", "segment"]]],
    [
      "a meter that reads like a code",
      { ...sound, meters: sound.meters.map((each) => ({ ...each, label: "Meter 12345678" })) },
      [["meter-label-unsuitable", "meters[0].label"]],
    ],
    ["a day without its number", { ...sound, dataWhenSmaller: "By {day}." }, [["data-day-unknown", "dataKeptDays"]]],
    ["a number without its day", { ...sound, dataKeptDays: 30 }, [["data-day-unknown", "dataKeptDays"]]],
    [
      "half a day",
      { ...sound, dataWhenSmaller: "By {day}.", dataKeptDays: 0.5 },
      [["data-day-unknown", "dataKeptDays"]],
    ],
    ["an empty sentence", { ...sound, dataWhenSmaller: " " }, [["sentence-empty", "dataWhenSmaller"]]],
    ["a gate before a plan that isn't there", { ...sound, gate: "plan:huge" }, [["gate-unknown", "gate"]]],
    ["a gate before the free plan", { ...sound, gate: "plan:free" }, [["gate-unknown", "gate"]]],
  ] satisfies [string, ProductConfig, string[][]][])("is refused with %s", (_what, config, expected) => {
    expect(found(config)).toEqual(expected);
  });

  test("is valid without devices and without a link that opens the product", () => {
    const plans = sound.plans.map((each) => ({ ...each, limits: {} }));
    const start = { downloads: [], steps: [{ title: "", text: "" }] };
    expect(checkConfig({ ...sound, plans, meters: [], start })).toEqual([]);
  });

  test("leaves at least the minimum charge of the cheapest price after a friend's discount, unless there is none", () => {
    expect(checkConfig(withReferral(sound, { friendDiscountMinor: 550 }))).toEqual([]);
    const [problem] = checkConfig(withReferral(sound, { friendDiscountMinor: 551 }));
    expect(problem?.message).toMatch(
      /€5\.51 leaves less than .*€0\.50.*plans\[1\]\.prices\.month\.amountMinor, €6\.00/,
    );
    // There are only yearly prices, and then the cheapest plan is retired.
    const [free, small, large] = sound.plans.map((each) => (each.prices ? { ...each, prices: prices(50, 500) } : each));
    if (!free || !small || !large) throw new Error("The sample has three plans");
    expect(found(withReferral({ ...sound, plans: [free, small] }, { friendDiscountMinor: 1 }))).toHaveLength(1);
    expect(found(withReferral({ ...sound, plans: [free, small] }, { friendDiscountMinor: 0 }))).toEqual([]);
    const byTheYear = { ...sound, plans: [free, { ...small, prices: { year: { amountMinor: 500 } } }] };
    expect(found(withReferral(byTheYear, { friendDiscountMinor: 450 }))).toEqual([]);
    const retired = { ...sound, plans: [free, { ...small, sold: false }, { ...large, prices: prices(1500) }] };
    expect(found(retired)).toEqual([]);
  });

  test("reports minimum amounts formatted for people", () => {
    const [problem] = checkConfig(withPrices({ ...sound, currency: "HUF" }, 2990, 299_000));
    expect(problem?.message).toMatch(/HUF\s29\.90.*HUF\s175\.00/);
  });
});
