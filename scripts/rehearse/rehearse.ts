/**
 * `npm run rehearse`: a year of your product with simulated customers, on one page. Plays ordinary lives by the simulation, without faults, and
 * writes `.rehearsal/index.html` and `customers.csv`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { byteOrderMark, writeCsvLine } from "#app/core/text/csv.ts";
import { toDecimal } from "#app/core/money/money.ts";
import { isSold, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { readOptions, stop } from "../command-line.ts";
import { isOfPerson } from "../maintainers/simulate/is-of-person.ts";
import { bundleSimulator, startSimulator } from "../maintainers/simulate/start-simulator.ts";
import type { NewPrices, Step, Story } from "../maintainers/simulate/story.ts";
import { writeRehearsal } from "./customers.rules.ts";
import { renderRehearsal } from "./page.ts";
import { cameBack, hasFailed, isPaying, type Person, reportOf, type Rehearsed } from "./report.rules.ts";

const usage = `npm run rehearse -- [--customers N] [--change PLAN=PRICE]… [--seed N]
  --customers N         how many people, 50 unless said otherwise
  --change PLAN=PRICE   what changes if the plan has another price per month afterwards, in minor units: personal=800 is 8.00;
                        personal.year=8000 is a price per year
  --seed N              other people`;
const folder = ".rehearsal";

const options = readOptions(
  {
    customers: { type: "string", default: "50" },
    change: { type: "string", multiple: true, default: [] },
    seed: { type: "string", default: "1" },
  },
  usage,
);
const customers = wholeNumber("customers", options.customers, 2000);
const seed = wholeNumber("seed", options.seed, 1_000_000);
const prices = pricesIn(options.change, product);

const beganAt = Date.now();
console.log(`Rehearsing a year of ${product.name} with ${customers} customers …`);
const stories = writeRehearsal(customers, seed, prices);
const contents = await bundleSimulator();
const simulators = await Promise.all(
  Array.from({ length: Math.min(stories.length, availableParallelism()) }, () => startSimulator(contents)),
);
const rehearsed: Rehearsed[] = [];
const deeds = new Map<string, { step: Step; outcome: string }[]>();
const waiting = [...stories];
await Promise.all(
  simulators.map(async (simulator) => {
    for (let story = waiting.shift(); story; story = waiting.shift()) await rehearse(simulator, story);
  }),
);
await Promise.all(simulators.map((simulator) => simulator.stop()));
const report = reportOf(rehearsed);
mkdirSync(folder, { recursive: true });
const page = join(folder, "index.html");
const command = `npm run rehearse${process.argv.length > 2 ? ` -- ${process.argv.slice(2).join(" ")}` : ""}`;
const seconds = Math.round((Date.now() - beganAt) / 1000);
writeFileSync(page, renderRehearsal({ product, report, deeds, prices, seconds, command }));
writeFileSync(join(folder, "customers.csv"), csvOf(report.people));
const { joined, paid, failed, cameBack: back, paying } = report.counts;
console.log(
  `${joined} joined, ${paid} paid, ${failed} had a payment that failed, ${back} came back, ${paying} pay at the end.`,
);
console.log(
  report.broken.length === 0
    ? "Nothing broke."
    : report.broken.map(({ invariant }) => `Broken: ${invariant}`).join("\n"),
);
console.log(`${pathToFileURL(resolve(page))} (${seconds} s)`);
process.exitCode = report.broken.length === 0 ? 0 : 1;

async function rehearse(simulator: (typeof simulators)[number], story: Story): Promise<void> {
  const { told = null, violation, outcomes } = await simulator.play(story);
  rehearsed.push({ seed: story.seed, told, violation });
  for (const step of story.steps.filter(isOfPerson)) {
    const own = deeds.get(step.who) ?? [];
    deeds.set(step.who, [...own, { step, outcome: outcomes[step.id] ?? "didn't happen" }]);
  }
}

function csvOf(people: readonly Person[]): string {
  const { currency } = product;
  const line = (cells: Parameters<typeof writeCsvLine>[0]) => writeCsvLine(cells, "comma");
  const figures = (minor: number) => ({ figures: toDecimal({ amountMinor: minor, currency }) });
  const yesNo = (is: boolean) => ({ text: is ? "yes" : "no" });
  const date = (at: number | null) => ({ text: at === null ? "" : new Date(at).toISOString().slice(0, 10) });
  const head = [
    "customer",
    "joined",
    "plan",
    "interval",
    "paid",
    "refunded",
    "payment_failed",
    "came_back",
    "pays_at_the_end",
    "emails",
  ];
  const ofChange = ["price_before", "price_after", "price_for_new_customers", "charged_in_the_month_after"];
  const rows = people.map((person) => {
    const { who, joinedAt, subscriptions, orders, emails, change } = person;
    const paidOrders = orders.filter(({ paidAt }) => paidAt !== null);
    const plan = subscriptions.at(-1);
    return line([
      { text: who },
      date(joinedAt),
      { text: plan?.planId ?? "" },
      { text: plan?.interval ?? "" },
      figures(paidOrders.reduce((sum, { amountMinor }) => sum + amountMinor, 0)),
      figures(paidOrders.reduce((sum, { refundedMinor }) => sum + refundedMinor, 0)),
      yesNo(hasFailed(person)),
      yesNo(cameBack(person)),
      yesNo(isPaying(person)),
      { figures: String(emails.length) },
      ...(prices === null
        ? []
        : [change?.beforeMinor, change?.afterMinor, change?.newMinor, change?.chargedMinor].map((minor) =>
            minor === undefined ? { text: "" } : figures(minor),
          )),
    ]);
  });
  return [byteOrderMark, line([...head, ...(prices === null ? [] : ofChange)].map((text) => ({ text }))), ...rows].join(
    "",
  );
}

function wholeNumber(name: string, text: string, max: number): number {
  const value = Number(text);
  const isRight = Number.isInteger(value) && value >= 1 && value <= max;
  return isRight ? value : stop(`--${name} must be a whole number from 1 to ${max}.\n\n${usage}`);
}

/** `personal=800` and `personal.year=8000`, of plans that are sold by that interval. */
function pricesIn(texts: readonly string[], { plans }: ProductConfig): NewPrices | null {
  const changed: NewPrices = {};
  for (const text of texts) {
    const [, planId = "", interval = "month", minor = ""] = /^([\w-]+)(?:\.(month|year))?=(\d+)$/.exec(text) ?? [];
    const isYear = interval === "year";
    const plan = plans.filter(isSold).find(({ id }) => id === planId);
    if (!plan?.prices?.[isYear ? "year" : "month"] || Number(minor) === 0)
      return stop(`--change ${text} is no new price of a plan that is sold by that interval.\n\n${usage}`);
    changed[planId] = { ...changed[planId], [isYear ? "year" : "month"]: Number(minor) };
  }
  return texts.length === 0 ? null : changed;
}
