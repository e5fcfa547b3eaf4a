/**
 * `npm run costs`: what a thousand and a hundred thousand customers cost in a month, from what the benchmarks measured and from
 * assumptions that are options. docs/guides/deploy.md says which plan is needed.
 */
import { measured } from "../../bench/costs/measured.ts";
import { formatTable, type Table } from "../../bench/table.ts";
import { readOptions, stop } from "../command-line.ts";
import { type Activity, assumedActivity, assumptions } from "./activity.ts";
import { freeLimits, priceOf, stripeFees, usageOf } from "./costs.rules.ts";
import { databaseGbMax, paidPlanUsd, type Resource } from "./prices.ts";

const usage = `npm run costs -- [--customers N] [--ASSUMPTION N]

  --customers N  in place of a thousand and a hundred thousand
${Object.entries(assumptions)
  .map(([name, { value, what }]) => `  ${`--${name} ${value}`.padEnd(21)}${what}`)
  .join("\n")}

Assumptions are of a month. Shares are from 0 to 1.`;

const names = Object.keys(assumptions) as (keyof Activity)[];
const given: Record<string, string | undefined> = readOptions(
  Object.fromEntries(["customers", ...names].map((name) => [name, { type: "string" as const }])),
  usage,
) as Record<string, string | undefined>;
const sizes = given.customers === undefined ? [1_000, 100_000] : [readNumber("customers", given.customers)];
const activity: Activity = { ...assumedActivity };
for (const name of names) {
  if (given[name] !== undefined) activity[name] = readNumber(name, String(given[name]));
}
const all = sizes.map((customers) => ({ customers, usage: usageOf(customers, activity, measured) }));

const units: Record<Resource, string> = {
  requests: "requests",
  cpuMs: "processor time, ms",
  rowsRead: "rows read",
  rowsWritten: "rows written",
  storageGb: "database, GB",
  kvReads: "KV reads",
  kvWrites: "KV writes",
  emails: "emails",
};

console.log(`\n${formatTable(priceTable())}\n\n${formatTable(freeTable())}\n`);
for (const { customers, usage: used } of all) {
  if (used.storageGb > databaseGbMax) {
    console.log(`  ${whole(customers)} customers need more than the ${databaseGbMax} GB that a D1 database can have.`);
  }
}

function priceTable(): Table {
  const prices = all.map((each) => ({ ...each, price: priceOf(each.usage) }));
  const rows = (prices[0]?.price.lines ?? []).map(({ resource }, index) => [
    units[resource],
    ...prices.flatMap(({ price }) => [whole(price.lines[index]?.used ?? 0), money(price.lines[index]?.usd ?? 0)]),
  ]);
  const total = prices.flatMap(({ price }) => ["", money(price.usd)]);
  const fees = prices.flatMap(({ customers }) => ["", money(stripeFees(customers, activity))]);
  return {
    title: "A month on Workers Paid",
    notes: [
      `US dollars, with ${money(paidPlanUsd)} for the plan; a line is what is used beyond that. Measured at ${measured.version}; other assumptions: --help.`,
    ],
    head: ["", ...prices.flatMap(({ customers }) => [`${whole(customers)} customers`, "$"])],
    rows: [...rows, ["Cloudflare", ...total], ["Stripe's fees, in their currency", ...fees]],
  };
}

function freeTable(): Table {
  const found = all.map(({ usage: used }) => freeLimits(used, measured));
  const rows = (found.at(-1) ?? []).map(({ limit, max }) => [
    limit === "cpuMsOfRequest"
      ? "processor time of a page, ms"
      : limit === "subrequests"
        ? "calls of one cron run"
        : `${units[limit]}${limit === "storageGb" ? "" : " a day"}`,
    whole(max),
    ...found.map((limits) => {
      const own = limits.find((each) => each.limit === limit);
      return own ? `${whole(own.used)}${own.isPassed ? " exceeded" : ""}` : "";
    }),
  ]);
  return {
    title: "Limits of Workers Free",
    notes: [
      "Those that are exceeded most first. The free plan sends emails to verified addresses alone, so no customer gets a code.",
    ],
    head: ["", "limit", ...all.map(({ customers }) => `${whole(customers)} customers`)],
    rows,
  };
}

function readNumber(name: string, text: string): number {
  const number = Number(text);
  const max = name.endsWith("-share") ? 1 : 1_000_000_000;
  if (text.trim() === "" || !(number >= 0 && number <= max))
    stop(`--${name} is a number from 0 to ${max}, not ${text}`);
  return number;
}

/** Numbers below 100 have up to two decimals. */
function whole(number: number): string {
  return number.toLocaleString("en-GB", { maximumFractionDigits: number < 100 ? 2 : 0 });
}

function money(amount: number): string {
  return amount.toLocaleString("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}
