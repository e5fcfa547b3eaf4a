/**
 * Decides the lives of ordinary customers for a rehearsal: when they come, what they pay with, and when they upgrade, forget a new card, leave and
 * come back. Invariant: the same seed and number give the same people. The shares below are assumptions, not measurements: change them to
 * those of your product. Called from rehearse.ts.
 */
import { type Add, addFor, dayMinutes, type PlannedStep } from "../maintainers/simulate/planned-step.ts";
import { seededRandom, type SeededRandom } from "../maintainers/simulate/seeded-random.ts";
import type { Means, NewPrices, PlanRole, Step, Story } from "../maintainers/simulate/story.ts";
import { nameOf } from "../maintainers/simulate/story.rules.ts";

/** Of all customers, how many. */
export const shares = {
  comesByFriend: 0.15,
  pays: 0.7,
  leavesCheckout: 0.1,
  takesLarge: 0.3,
  paysByYear: 0.25,
  isDeclinedFirst: 0.06,
  cardFailsLater: 0.08,
  replacesFailedCard: 0.6,
  upgrades: 0.12,
  downgrades: 0.05,
  cancels: 0.2,
  changesMind: 0.2,
  comesBack: 0.25,
  withdraws: 0.04,
  isRefunded: 0.02,
  disputes: 0.01,
  closes: 0.05,
} as const;

/** From the first week of January to the end of December. */
const yearDays = 361;
/** A world has so many people, and several worlds are played beside each other. */
const customersPerStory = 10;

/** Stories that have `customers` people in all, each of a year. */
export function writeRehearsal(customers: number, seed: number, prices: NewPrices | null): Story[] {
  const count = Math.ceil(customers / customersPerStory);
  return Array.from({ length: count }, (_, index) => {
    const own = seed * 1000 + index;
    const random = seededRandom(`rehearsal ${own}`);
    const first = index * customersPerStory;
    const names = Array.from({ length: Math.min(customersPerStory, customers - first) }, (__, at) =>
      nameOf(first + at),
    );
    const planned = names
      .flatMap((name, at) => lifeOf(random, name, names.slice(0, at)))
      .toSorted((left, right) => left.at - right.at);
    const steps = planned.map((step, at) => ({ ...step, id: at + 1 }) as Step);
    return { seed: own, isGated: false, steps, rehearsal: { prices } };
  });
}

function lifeOf(random: SeededRandom, name: string, before: string[]): PlannedStep[] {
  const steps: PlannedStep[] = [];
  const add = addFor(steps, name, yearDays);
  const has = (share: keyof typeof shares) => random.chance(shares[share]);
  // More come each month.
  const comesAt = Math.floor(Math.sqrt(random.next()) * (yearDays - 14)) * dayMinutes + 8 * 60 + random.below(12 * 60);
  const address = `${name.toLowerCase().replaceAll(" ", ".")}@mail.example`;
  const friend = before.length > 0 && has("comesByFriend") ? random.pick(before) : undefined;
  add(comesAt, { do: "signs up", address, ...(friend && { by: friend }) });
  if (!has("pays")) {
    if (random.chance(0.3)) add(comesAt + 3 * dayMinutes, { do: "signs in" });
    return steps;
  }
  pays(random, add, { at: comesAt + 4 + random.below(2 * dayMinutes), has });
  return steps;
}

type Paying = { at: number; has: (share: keyof typeof shares) => boolean };

/** From the first payment on. */
function pays(random: SeededRandom, add: Add, { at, has }: Paying): void {
  const plan: PlanRole = has("takesLarge") ? "large" : "small";
  const interval = has("paysByYear") ? "year" : "month";
  const failsLater = interval === "month" && has("cardFailsLater");
  const means = failsLater ? "card that fails later" : meansOf(random);
  const day = (days: number) => at + Math.floor(days * dayMinutes);
  const signedIn = (when: number, ...deeds: Parameters<Add>[1][]) => {
    add(when, { do: "signs in" });
    for (const [index, deed] of deeds.entries()) add(when + 2 + index * 2, deed);
  };
  add(at - 2, { do: "signs in" });
  if (has("leavesCheckout")) add(at, { do: "leaves the checkout", plan, interval });
  if (has("isDeclinedFirst")) add(at + 2, { do: "buys", plan, interval, with: "declined card", returns: true });
  add(at + 4, { do: "buys", plan, interval, with: means, returns: true });
  add(at + 10, { do: "activates a device" });
  add(at + 12, { do: "uses the product" });
  if (has("withdraws")) {
    const withdrawsAt = 3 + random.below(9);
    signedIn(day(withdrawsAt), { do: "withdraws", order: "newest", as: "owner" });
    // The team's part, in Stripe's dashboard.
    add(day(withdrawsAt + 2), { do: "is refunded", order: "newest", share: 1 });
    return;
  }
  for (let days = 20 + random.below(20); day(days) < yearDays * dayMinutes; days += 25 + random.below(30)) {
    add(day(days), { do: "signs in" });
    add(day(days) + 1, { do: "looks at the plan" });
    add(day(days) + 2, { do: "uses the product" });
  }
  if (failsLater) {
    // The first renewal fails after a month.
    if (has("replacesFailedCard"))
      signedIn(day(31 + 2 + random.below(10)), { do: "changes card", with: "own card" }, { do: "pays what is due" });
    else return;
  }
  if (plan === "small" && has("upgrades"))
    signedIn(day(30 + random.below(120)), { do: "changes plan", plan: "large", interval });
  if (plan === "large" && has("downgrades"))
    signedIn(day(30 + random.below(120)), { do: "changes plan", plan: "small", interval });
  if (has("isRefunded")) add(day(20 + random.below(60)), { do: "is refunded", order: "newest", share: 0.5 });
  if (has("disputes")) {
    const disputesAt = 20 + random.below(60);
    add(day(disputesAt), { do: "disputes", order: "newest" });
    add(day(disputesAt + 21), { do: random.chance(0.4) ? "wins the dispute" : "loses the dispute" });
  }
  if (!has("cancels")) return;
  const cancelsAt = 25 + random.below(200);
  signedIn(day(cancelsAt), { do: "cancels" });
  if (has("changesMind")) return signedIn(day(cancelsAt + 2), { do: "resumes" });
  if (has("comesBack"))
    return signedIn(day(cancelsAt + 40 + random.below(60)), {
      do: "buys",
      plan,
      interval: "month",
      with: "own card",
      returns: true,
    });
  if (has("closes")) signedIn(day(cancelsAt + 35), { do: "closes the account" });
}

function meansOf(random: SeededRandom): Means {
  const at = random.next();
  if (at < 0.78) return "own card";
  if (at < 0.88) return "wallet";
  return at < 0.95 ? "card to confirm" : "bank debit";
}
