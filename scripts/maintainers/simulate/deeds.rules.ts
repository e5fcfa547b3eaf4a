/**
 * Decides what a person does at a visit. Invariant: any deed may come at any time; one that isn't possible then is refused. Called from
 * life-of.ts.
 */
import type { Interval } from "#app/core/time/interval.ts";
import { addressFor } from "./address-for.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { Deed, HeldInvoices, Means, PlanRole } from "./story.ts";

/** People want a plan to end within so many days. */
export const wantedDaysMax = 45;

export type ChooseDeed = (random: SeededRandom, name: string, before: string[]) => Deed;
/** Tries to use a plan without paying for it. */
export const freeMonths: ChooseDeed = (random) =>
  random.pick<Deed>([
    { do: "buys", plan: "large", interval: "month", with: "card that fails later", returns: true },
    { do: "buys", plan: "small", interval: "month", with: "card that fails later", returns: true },
    { do: "buys", plan: "small", interval: "month", with: "card that fails later", returns: true },
    { do: "cancels" },
    { do: "changes plan", plan: "large", interval: "month" },
    { do: "changes card", with: "own card" },
    { do: "changes card", with: "card that fails later" },
    { do: "is refunded", order: "oldest", share: 1 },
    { do: "withdraws", order: "oldest", as: "owner" },
  ]);

/** Tries to be a new customer again, and a friend of themselves. */
export const friendsOfTheirOwn: ChooseDeed = (random, name, before) => {
  const by = before.length > 0 ? random.pick(before) : name;
  return random.pick<Deed>([
    { do: "signs up", address: addressFor(random, name, before), by },
    { do: "asks to be let in", address: addressFor(random, name, before), by },
    { do: "confirms the request" },
    {
      do: "buys",
      plan: "small",
      interval: "month",
      with: random.chance(0.5) ? "own card" : `card of ${by}`,
      returns: true,
    },
    { do: "buys", plan: "small", interval: "month", with: "own card", returns: true },
    { do: "withdraws", order: "newest", as: "anyone" },
    { do: "is refunded", order: "newest", share: 1 },
  ]);
};

const heldInvoices: readonly HeldInvoices[] = ["void", "mark_uncollectible", "keep_as_draft"];

/** Chooses a deed by its weight. */
export function deedOf(random: SeededRandom, name: string, before: string[]): Deed {
  const interval: Interval = random.chance(0.75) ? "month" : "year";
  const plan: PlanRole = random.chance(0.5) ? "small" : "large";
  const choices: [weight: number, deed: () => Deed][] = [
    [14, () => purchase(random, before)],
    [3, () => ({ do: "leaves the checkout", plan, interval })],
    [3, () => ({ do: "pays the open checkout", with: meansOf(random, before) })],
    [14, () => ({ do: "changes plan", plan, interval })],
    [6, () => ({ do: "cancels" })],
    [4, () => ({ do: "resumes" })],
    [3, () => ({ do: "keeps the plan" })],
    [5, () => declaration(random, before)],
    [1, () => ({ do: "takes the declaration back" })],
    [7, () => ({ do: "changes card", with: meansOf(random, before) })],
    [6, () => ({ do: "pays what is due" })],
    [6, () => ({ do: "looks at the plan" })],
    [
      7,
      () => ({
        do: "withdraws",
        order: random.chance(0.7) ? "newest" : "oldest",
        as: random.chance(0.7) ? "owner" : "anyone",
      }),
    ],
    [
      9,
      () => ({
        do: "is refunded",
        order: random.chance(0.7) ? "newest" : "oldest",
        share: random.chance(0.65) ? 1 : 0.3,
      }),
    ],
    [2, () => ({ do: "has a withdrawal contested" })],
    [5, () => ({ do: "has a referral decided", verdict: random.chance(0.7) ? "approve" : "void" })],
    [2, () => ({ do: "has charges put on hold", invoices: random.pick(heldInvoices) })],
    [2, () => ({ do: "has the hold lifted" })],
    [2, () => ({ do: "has a debt written off", as: random.chance(0.7) ? "uncollectible" : "void" })],
    [3, () => ({ do: "disputes", order: random.chance(0.7) ? "newest" : "oldest" })],
    [2, () => ({ do: "wins the dispute" })],
    [3, () => ({ do: "loses the dispute" })],
    [2, () => ({ do: "is reported as fraud", order: random.chance(0.7) ? "newest" : "oldest" })],
    [2, () => ({ do: "closes the account" })],
    [1, () => ({ do: "restores the account" })],
    [2, () => ({ do: "changes address", address: addressFor(random, name, []) })],
    [1, () => ({ do: "takes the old address back" })],
    [2, () => ({ do: "changes name" })],
    [4, () => ({ do: "activates a device" })],
    [4, () => ({ do: "uses the product" })],
    [1, () => ({ do: "removes a device" })],
    [2, () => ({ do: "signs in on another browser" })],
    [2, () => ({ do: "signs out" })],
    [1, () => ({ do: "signs out everywhere" })],
    [
      2,
      () => ({
        do: "signs up",
        address: addressFor(random, name, []),
        ...(before.length > 0 && { by: random.pick(before) }),
      }),
    ],
    [
      1,
      () => ({
        do: "asks to be let in",
        address: addressFor(random, name, []),
        ...(before.length > 0 && { by: random.pick(before) }),
      }),
    ],
    [1, () => ({ do: "confirms the request" })],
    [1, () => ({ do: "gives the place up" })],
    [1, () => ({ do: "still wants to join" })],
    [1, () => ({ do: "accepts an invitation" })],
    [1, () => ({ do: "has a request decided", verdict: random.chance(0.5) ? "clear" : "reject" })],
    [2, () => ({ do: "downloads the data" })],
    [3, () => ({ do: "reports usage", share: random.pick([0.4, 0.85, 1.2]), hoursAgo: random.pick([0, 0, 3, 900]) })],
  ];
  const total = choices.reduce((sum, [weight]) => sum + weight, 0);
  let left = random.next() * total;
  for (const [weight, deed] of choices) {
    left -= weight;
    if (left < 0) return deed();
  }
  return { do: "looks at the plan" };
}

export const purchase = (random: SeededRandom, before: string[]): Deed => ({
  do: "buys",
  plan: random.chance(0.6) ? "small" : "large",
  interval: random.chance(0.8) ? "month" : "year",
  with: meansOf(random, before),
  returns: random.chance(0.7),
});

function declaration(random: SeededRandom, before: string[]): Deed {
  const isMistaken = random.chance(0.3);
  const number = !isMistaken
    ? "own"
    : before.length > 0 && random.chance(0.7)
      ? (`of ${random.pick(before)}` as const)
      : "wrong";
  return { do: "declares a cancellation", number, inDays: random.chance(0.3) ? random.below(wantedDaysMax) : 0 };
}

function meansOf(random: SeededRandom, before: string[]): Means {
  const at = random.next();
  if (at < 0.52) return "own card";
  if (at < 0.6) return "declined card";
  if (at < 0.66) return "card to confirm";
  if (at < 0.76) return "card that fails later";
  if (at < 0.83) return "bank debit";
  if (at < 0.86) return "bank debit that fails";
  if (at < 0.9) return "wallet";
  return before.length > 0 ? `card of ${random.pick(before)}` : "own card";
}
