import { availableParallelism, loadavg } from "node:os";
import { readCommandLine } from "../scripts/command-line.ts";
import { featureTools } from "../scripts/features.ts";
import { type Bench, formatTable } from "./table.ts";

/** Benches by the name used in `npm run bench -- <name>`. */
const benches: ReadonlyMap<string, () => Promise<Bench>> = new Map([
  ["pages", async () => (await import("./pages/bench.ts")).benchPages],
  ["sizes", async () => (await import("./sizes/bench.ts")).benchSizes],
  ["scale", async () => (await import("./scale/bench.ts")).benchScale],
  ["account-enumeration", async () => (await import("./account-enumeration/bench.ts")).benchAccountEnumeration],
  ...featureTools.flatMap(({ benches = {} }) => Object.entries(benches)),
  ["billing", async () => (await import("./billing/bench.ts")).benchBilling],
  ["entitlement", async () => (await import("./entitlement/bench.ts")).benchEntitlement],
  ["tunnel", async () => (await import("./tunnel/bench.ts")).benchTunnel],
]);

// Otherwise each email of a measured site would print a dozen lines between the tables.
process.env["WRANGLER_LOG"] ??= "warn";

const usage = `npm run bench -- [--rounds N] [${[...benches.keys()].join("] [")}]
  --rounds N  turns of each variant: more for a narrower range
  --record    with pages: stores its figures, which later runs print in brackets
npm run bench -- soak [--minutes N]: customers for ten minutes, and whether memory rises`;

const { positionals, values } = readCommandLine(
  { rounds: { type: "string" }, record: { type: "boolean", default: false }, minutes: { type: "string" } },
  usage,
);
const names = positionals.length > 0 ? positionals : [...benches.keys()];
const rounds = Number(values.rounds ?? 9);

// A bench's child processes are stopped only on exit, so a signal has to lead to one.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

if (names.includes("soak")) {
  const { soak } = await import("./soak/soak.ts");
  process.exitCode = (await soak(Number(values.minutes ?? 10))) ? 0 : 1;
} else if (names.every((name) => benches.has(name)) && rounds > 0) {
  const [load = 0] = loadavg();
  process.stdout.write(`
${availableParallelism()} cores, load ${load.toFixed(1)}. Variants run in turns, ${rounds} rounds (--rounds N for more or fewer).
Figures are medians. Ratios are to the first row in the same round: their median, and the middle half of them.
`);
  for (const name of names) {
    const bench = await benches.get(name)?.();
    if (bench === undefined) continue;
    for await (const table of bench(rounds, values.record)) process.stdout.write(`\n${formatTable(table)}\n`);
  }
} else {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 1;
}
