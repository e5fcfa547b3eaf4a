import { intervals } from "#app/core/time/interval.ts";
import type { Plan, ProductConfig } from "#app/modules/catalogue/rules.ts";
import { features } from "#app/features.ts";
import { featureSamples } from "#tests/support/features.ts";
import { coverPairs, type Row } from "./pairwise.ts";

/** A product with every feature, in euros. Each value of a factor changes it. */
const base: ProductConfig = {
  name: "Heron",
  segment: "watch",
  tagline: "A river watch",
  description: "Heron watches the water level for you.",
  currency: "EUR",
  locale: "en-GB",
  timeZone: "Europe/Berlin",
  gate: "none",
  plans: [
    plan("pond", "Pond", null, 1),
    plan("brook", "Brook", [600, 6000], 3),
    plan("stream", "Stream", [1500, 15_000], 8),
  ],
  meters: [
    { key: "readings", label: "Readings", kind: "last", unit: "count", limit: "readings" },
    { key: "archive", label: "Archive", kind: "maximum", unit: "bytes", limit: "archive" },
  ],
  lockedMeans: "You can see what was measured; nothing new is measured.",
  dataWhenSmaller: "Your latest readings stay; older ones are deleted on {day}.",
  dataKeptDays: 60,
  freeHint: "Choose another plan to watch more than one place.",
  tax: { rate: 20, name: "VAT" },
  billingAddress: "auto",
  referral: {
    state: "open",
    friendDiscountMinor: 300,
    referrerCreditMinor: 300,
    qualifyingAmountMinor: 600,
    holdDays: 30,
    rewardsPerYear: 4,
    attributionDays: 30,
  },
  start: {
    downloads: [{ label: "Gauge", href: "https://heron.example/gauge", detail: "1 MB" }],
    steps: [{ title: "Hang it up", text: "Above the water.", needsKey: true }],
    activationUrl: "heron://activate",
  },
  seller: { name: "Heron Ltd", address: ["1 Weir", "Bath"], vatId: "GB123456789" },
  errorReceiver: null,
  support: "help@heron.example",
  statusUrl: "https://status.heron.example",
  withdrawalDays: 14,
  afterFirstTerm: "another-term",
  duringDispute: "continue",
  cancellationPage: "on",
  httpsOnly: "host",
  terms: { version: "2026-11-01" },
};

function plan(id: string, name: string, amounts: [month: number, year: number] | null, size: number): Plan {
  const [month, year] = amounts ?? [];
  return {
    id,
    name,
    tagline: `${name}, for ${size}`,
    prices: month && year ? { month: { amountMinor: month }, year: { amountMinor: year } } : null,
    limits: { devices: size, readings: size * 1000, archive: size * 10 ** 9, alarm: size * 100 },
    points: [`${size} gauges`, `${size} thousand readings`],
  };
}

type Change = (config: ProductConfig) => ProductConfig;

const needDevices = features.flatMap(({ name, needs = [] }) => (needs.includes("devices") ? name : []));

/** A web app: nothing to install, no licence key, and nothing that devices report or read. */
export const withoutDevices: Change = ({ start, ...config }) => ({
  ...config,
  plans: config.plans.map(({ limits: { devices: _seats, ...limits }, ...plan }) => ({ ...plan, limits })),
  meters: [],
  ...Object.assign({}, ...featureSamples.filter(({ name }) => needDevices.includes(name)).map(({ off }) => off)),
  start: { downloads: [], steps: start.steps.map(({ title, text }) => ({ title, text })) },
});

/** The same prices and amounts, multiplied. */
const inCurrency =
  (currency: string, times: number): Change =>
  (config) => {
    const scale = (amountMinor: number) => Math.round(amountMinor * times);
    const { referral } = config;
    return {
      ...config,
      currency,
      plans: config.plans.map((each) => ({
        ...each,
        prices:
          each.prices &&
          Object.fromEntries(
            Object.entries(each.prices).map(([interval, price]) => [
              interval,
              { amountMinor: scale(price.amountMinor) },
            ]),
          ),
      })),
      referral: {
        ...referral,
        friendDiscountMinor: scale(referral.friendDiscountMinor),
        referrerCreditMinor: scale(referral.referrerCreditMinor),
        qualifyingAmountMinor: scale(referral.qualifyingAmountMinor),
      },
    };
  };

/** The intervals that the smaller and the larger plan keep. */
const soldBy =
  (...retained: (readonly string[])[]): Change =>
  (config) => {
    let paid = 0;
    const plans = config.plans.map((each) => {
      if (!each.prices) return each;
      const own = retained[paid++] ?? intervals;
      const prices = Object.fromEntries(Object.entries(each.prices).filter(([interval]) => own.includes(interval)));
      return { ...each, prices };
    });
    return { ...config, plans };
  };

const change =
  (part: Partial<ProductConfig>): Change =>
  (config) => ({ ...config, ...part });
const same: Change = (config) => config;
const [firstMeter] = base.meters;
const ofFeatures: Record<string, Record<string, Change>> = Object.fromEntries(
  featureSamples.flatMap(({ factors: own = {} }) =>
    Object.entries(own).map(([factor, parts]) => [
      factor,
      Object.fromEntries(Object.entries(parts).map(([value, part]) => [value, part ? change(part) : same])),
    ]),
  ),
);

/**
 * What a team changes in its config, and the values between which a change can matter. Any two values may be
 * combined.
 */
const factors = {
  // Two decimals, none, three (of which the last is 0), and none in fact although Stripe counts two.
  currency: {
    eur: same,
    jpy: inCurrency("JPY", 1.5),
    kwd: inCurrency("KWD", 10),
    isk: inCurrency("ISK", 100),
  },
  intervals: {
    both: same,
    month: soldBy(["month"], ["month"]),
    year: soldBy(["year"], ["year"]),
    mixed: soldBy(["year"], ["month"]),
  },
  locale: {
    en: same,
    "de-DE": change({ locale: "de-DE" }),
    "ja-JP": change({ locale: "ja-JP", timeZone: "Asia/Tokyo" }),
    "hi-IN": change({ locale: "hi-IN", timeZone: "Asia/Kolkata" }),
  },
  gate: {
    none: same,
    signup: change({ gate: "signup" }),
    plan: change({ gate: "plan:stream" }),
  },
  paidPlans: {
    two: same,
    one: (config) => ({ ...config, plans: config.plans.filter(({ id }) => id !== "brook") }),
    retired: (config) => ({
      ...config,
      plans: config.plans.map((each) => (each.id === "brook" ? { ...each, sold: false } : each)),
    }),
  },
  freePlan: {
    free: same,
    paid: ({ freeHint: _unused, ...config }) => ({
      ...config,
      plans: config.plans.filter(({ prices }) => prices !== null),
    }),
  },
  meters: { two: same, one: change({ meters: firstMeter ? [firstMeter] : [] }), none: change({ meters: [] }) },
  ...ofFeatures,
  tax: {
    fixed: same,
    stripe: change({ tax: "stripe" }),
    exempt: change({ tax: { exempt: "No VAT is charged: small business." } }),
  },
  address: { auto: same, required: change({ billingAddress: "required" }) },
  dataWhenSmaller: { given: same, none: ({ dataWhenSmaller: _unused, dataKeptDays: _days, ...config }) => config },
  dataWhenClosed: { given: same, none: ({ dataWhenClosed: _unused, ...config }) => config },
  withdrawal: { "14": same, off: change({ withdrawalDays: "off" }) },
  afterFirstTerm: { "another-term": same, "month-notice": change({ afterFirstTerm: "month-notice" }) },
  duringDispute: { continue: same, pause: change({ duringDispute: "pause" }) },
  cancellation: { on: same, off: change({ cancellationPage: "off" }) },
  referral: { open: same, off: (config) => ({ ...config, referral: { ...config.referral, state: "off" } }) },
  seller: {
    vat: same,
    none: change({ seller: { ...base.seller, vatId: null }, httpsOnly: "preload", statementDescriptor: "Heron Watch" }),
  },
  // Last: it takes away what others have set.
  devices: { some: same, none: withoutDevices },
} satisfies Record<string, Record<string, Change>>;

/** Their names alone. */
export const values: Record<string, readonly string[]> = Object.fromEntries(
  Object.entries(factors).map(([factor, changes]) => [factor, Object.keys(changes)]),
);

/** The configs that `npm run check:configs` tries: every two values are combined in one of them. */
export const configs: { name: string; row: Row; config: ProductConfig }[] = coverPairs(values).map((row, index) => ({
  name: `${String(index + 1).padStart(2, "0")} ${Object.values(row).join(" ")}`,
  row,
  config: configOf(row),
}));

export function configOf(row: Row): ProductConfig {
  return Object.entries(factors).reduce((config, [factor, changes]) => {
    const chosen = Object.entries<Change>(changes).find(([value]) => value === row[factor]);
    if (!chosen) throw new Error(`No value "${row[factor]}" for ${factor}`);
    return chosen[1](config);
  }, base);
}
