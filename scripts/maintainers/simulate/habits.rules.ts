/**
 * Decides the steps of people with a habit: steps that were once taken by hand and need weeks of patience, which chance rarely has.
 * Invariant: if the site is as it should be, none of these people gains anything. Called from story.rules.ts.
 */
import { fateOf } from "./fate-of.ts";
import { type Add, addFor, dayMinutes, type PlannedStep } from "./planned-step.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { DeclaredNumber, Deed, Means, PlanRole } from "./story.ts";

/** `at` plans deeds for a number of days after this person came. `host` is someone who has a plan and a link. */
type Habit = (at: (days: number, ...deeds: Deed[]) => void, person: { name: string; host: string }) => void;

/** Within the time for which a sign-in counts as fresh. */
const minutesApart = 2;
const addressOf = (name: string, spelling = ""): string =>
  `${name.toLowerCase().replaceAll(" ", "")}${spelling}@gmail.com`;
const dottedAddressOf = (name: string, spelling: string): string =>
  `${addressOf(name, spelling).slice(0, 1)}.${addressOf(name, spelling).slice(1)}`;
const buys = (means: Means, plan: PlanRole = "small", interval: "month" | "year" = "month"): Deed => ({
  do: "buys",
  plan,
  interval,
  with: means,
  returns: true,
});
const repeated = (deed: Deed, times: number): Deed[] => Array.from({ length: times }, () => deed);

/** The people whom the others know: they come first, pay, and keep their plan. */
const hosts: Habit = (at, { name }) => {
  at(0, { do: "asks to be let in", address: addressOf(name) }, { do: "confirms the request" });
  // Twice, in case a fault was in the way the first time.
  for (const day of [0.1, 0.6]) at(day, { do: "signs up", address: addressOf(name) }, buys("own card"));
  for (let day = 2; day < 110; day += 12) at(day, { do: "signs in" });
};

/** Presses "Pay" as long as the card fails. */
const pressesOnAndOn: Habit = (at, { name }) => {
  at(0, { do: "signs up", address: addressOf(name) }, buys("card that fails later"));
  at(32.2, { do: "signs in" }, ...repeated({ do: "pays what is due" }, 8));
};

/** Comes back as a new customer, by another spelling of the address and with another card. */
const spellsDifferently: Habit = (at, { name, host: by }) => {
  at(0, { do: "signs up", address: addressOf(name, "+a"), by }, buys("own card"));
  at(20, { do: "signs up", address: dottedAddressOf(name, "+b"), by }, buys("second card"));
};

/** A friend who pays with the card of someone who paid before. */
const borrowsCard: Habit = (at, { name, host: by }) => {
  at(0, { do: "signs up", address: addressOf(name), by }, buys(`card of ${by}`));
};

/** Withdraws within the days, and waits until the referrer's reward would be due. */
const withdrawsAndWaits: Habit = (at, { name, host: by }) => {
  at(0, { do: "signs up", address: addressOf(name), by }, buys("own card", "small", "year"));
  at(8, { do: "signs in" }, { do: "withdraws", order: "newest", as: "owner" });
  at(60, { do: "signs in" }, { do: "looks at the plan" });
};

/** Takes a larger plan, and has the team refund that order some days later: the site refunds what was unused of the one before. Twice. */
const isRefundedAfterChange: Habit = (at, { name }) => {
  for (const day of [0, 40.3]) {
    const comes: Deed = day === 0 ? { do: "signs up", address: addressOf(name) } : { do: "signs in" };
    at(day, comes, buys("own card"));
    at(day + 9.3, { do: "signs in" }, { do: "changes plan", plan: "large", interval: "month" });
    at(day + 17.7, { do: "is refunded", order: "newest", share: 1 });
  }
};

/**
 * Cancels without signing in: by a wrong number, more often than the site sends emails in an hour; by another's; by the right one; and for a
 * later day. Changes their mind each time but the last.
 */
const cancelsSignedOut: Habit = (at, { name, host }) => {
  const declares = (number: DeclaredNumber, inDays = 0): Deed => ({ do: "declares a cancellation", number, inDays });
  at(0, { do: "signs up", address: addressOf(name) }, buys("own card"));
  at(4, ...repeated(declares("wrong"), 6), declares(`of ${host}`));
  at(6, declares("own"));
  at(9, { do: "signs in" }, { do: "resumes" });
  at(34, declares("own", 40));
  at(36, { do: "signs in" }, { do: "takes the declaration back" });
  at(80, declares("own", 30));
  at(130, { do: "signs in" }, { do: "resumes" });
};

/** Ends a year that was renewed, keeps it, and ends it again without signing in: for the day that is a month away, and the rest comes back. */
const endsRenewedYear: Habit = (at, { name }) => {
  at(0, { do: "signs up", address: addressOf(name) }, buys("own card", "small", "year"));
  at(30, { do: "signs in" }, { do: "cancels" });
  at(31, { do: "signs in" }, { do: "resumes" });
  at(372, { do: "signs in" }, { do: "cancels" });
  at(374, { do: "signs in" }, { do: "resumes" });
  at(376, { do: "declares a cancellation", number: "own", inDays: 0 });
};

/** Lets a renewal fail, leaves in the days of grace, and does it again. */
const takesGraceTwice: Habit = (at, { name }) => {
  at(0, { do: "signs up", address: addressOf(name) }, buys("card that fails later"));
  at(46, { do: "signs in" }, { do: "cancels" });
  at(46.5, { do: "signs in" }, buys("card that fails later"));
  at(100, { do: "signs in" }, { do: "cancels" });
};

/** Comes back with a new card once Stripe has given up on a renewal and the next period has begun. */
const paysTooLate: Habit = (at, { name }) => {
  at(0, { do: "signs up", address: addressOf(name) }, buys("card that fails later"));
  at(70, { do: "signs in" }, { do: "changes card", with: "own card" }, { do: "pays what is due" });
};

/** Connects as many devices as the plan allows, and lets it end. */
const leavesDevices: Habit = (at, { name }) => {
  at(0, { do: "signs up", address: addressOf(name) }, buys("own card", "large"), buys("own card"));
  at(1, { do: "signs in" }, ...repeated({ do: "activates a device" }, 4), { do: "cancels" });
  at(70, { do: "signs in" }, { do: "looks at the plan" });
};

/** Moves a friend forward at the gate by each spelling of one address. */
const joinsTwice: Habit = (at, { name, host: by }) => {
  for (const [day, address] of [addressOf(name), dottedAddressOf(name, "+2"), addressOf(name, "+3")].entries())
    at(day, { do: "asks to be let in", address, by }, { do: "confirms the request" });
};

/** The team gives them time: nothing is charged for some months, with each way of leaving an invoice unpaid. Then a card fails. */
const isPutOnHold: Habit = (at, { name }) => {
  at(0, { do: "signs up", address: addressOf(name) }, buys("own card"));
  for (const [index, invoices] of (["void", "mark_uncollectible", "keep_as_draft"] as const).entries()) {
    const from = 20 + index * 60;
    at(from, { do: "has charges put on hold", invoices });
    at(from + 9, { do: "signs in" }, { do: "changes plan", plan: "large", interval: "month" });
    at(from + 30, { do: "has the hold lifted" });
  }
  at(172, { do: "signs in" }, { do: "changes card", with: "card that fails later" });
  at(205, { do: "signs in" }, { do: "changes card", with: "own card" }, { do: "pays what is due" });
};

/** Doesn't pay; the team writes the debt off, and the next ones as well. */
const isForgiven: Habit = (at, { name }) => {
  at(0, { do: "signs up", address: addressOf(name) }, buys("card that fails later"));
  at(36, { do: "has a debt written off", as: "uncollectible" });
  at(37, { do: "signs in" }, { do: "pays what is due" }, { do: "changes card", with: "card that fails later" });
  at(85, { do: "has a debt written off", as: "void" });
  at(140, { do: "signs in" }, { do: "changes card", with: "own card" }, { do: "pays what is due" });
};

/** Doesn't pay after a time on hold, and the team forgives that debt: the draft from the hold is still there. */
const isForgivenAfterHold: Habit = (at, { name }) => {
  at(0, { do: "signs up", address: addressOf(name) }, buys("own card"));
  at(20, { do: "has charges put on hold", invoices: "keep_as_draft" });
  at(40, { do: "has the hold lifted" });
  at(41, { do: "signs in" }, { do: "changes card", with: "card that fails later" });
  at(86, { do: "has a debt written off", as: "void" });
  at(87, { do: "signs in" }, { do: "changes card", with: "own card" }, { do: "pays what is due" });
};

/** Enters a whole family from one network. The team reviews some of them, and changes its mind. */
const bringsFamily: Habit = (at, { name, host: by }) => {
  const network = 90;
  for (const [day, spelling] of ["", "son", "daughter", "uncle", "aunt"].entries())
    at(
      day / 20,
      { do: "asks to be let in", address: addressOf(name, spelling), by, network },
      { do: "confirms the request" },
    );
  at(1, { do: "has a request decided", verdict: "clear" });
  at(2, { do: "has a request decided", verdict: "reject" }, { do: "gives the place up" });
  for (const day of [4, 9, 16]) at(day, { do: "accepts an invitation" });
  at(16.1, { do: "signs up", address: addressOf(name, "uncle") }, buys("own card", "large"));
  at(40, { do: "signs in" }, { do: "downloads the data" }, { do: "cancels" });
  at(80, { do: "still wants to join" });
};

/** Uses as much as the plan allows, from two devices whose reports are late, and removes them. */
const usesALot: Habit = (at, { name }) => {
  at(0, { do: "signs up", address: addressOf(name) }, buys("own card"));
  at(1, { do: "signs in" }, { do: "activates a device" }, { do: "reports usage", share: 0.85, hoursAgo: 0 });
  at(2, { do: "signs in" }, { do: "activates a device" }, { do: "reports usage", share: 0.2, hoursAgo: 30 });
  for (let day = 3; day < 60; day += 9)
    at(day, { do: "reports usage", share: 0.9, hoursAgo: 0 }, { do: "reports usage", share: 1, hoursAgo: 30 });
  at(61, { do: "signs in" }, { do: "downloads the data" }, ...repeated({ do: "removes a device" }, 2));
  at(62, { do: "uses the product" });
};

/** Has a new phone, then a new address, and closes the account at last. */
const usesTwoBrowsers: Habit = (at, { name }) => {
  at(0, { do: "signs up", address: addressOf(name) });
  at(5, { do: "signs in on another browser" }, { do: "changes address", address: addressOf(name, "new") });
  at(9, { do: "signs in on another browser" }, { do: "signs out everywhere" });
  at(12, { do: "signs in on another browser" }, { do: "takes the old address back" });
  at(20, { do: "signs in on another browser" }, { do: "closes the account" });
};

const habits = [
  pressesOnAndOn,
  spellsDifferently,
  borrowsCard,
  withdrawsAndWaits,
  isRefundedAfterChange,
  cancelsSignedOut,
  takesGraceTwice,
  endsRenewedYear,
  paysTooLate,
  leavesDevices,
  joinsTwice,
  isPutOnHold,
  isForgiven,
  isForgivenAfterHold,
  bringsFamily,
  usesALot,
  usesTwoBrowsers,
];

/** The steps of the people with habits, the first of whom is the others' host. Consecutive seeds give different habits. */
export function habitsOf(random: SeededRandom, cast: string[], { seed, days }: { seed: number; days: number }) {
  const steps: PlannedStep[] = [];
  const [host = ""] = cast;
  for (const [index, name] of cast.entries()) {
    const habit = index === 0 ? hosts : (habits[(seed * (cast.length - 1) + index) % habits.length] ?? hosts);
    const comesAt = index === 0 ? 0 : 2 + random.next() * Math.min(40, days * 0.2);
    const add: Add = addFor(steps, name, days);
    habit(
      (after, ...deeds) => {
        for (const [place, deed] of deeds.entries())
          add((comesAt + after) * dayMinutes + place * minutesApart, deed, random.chance(0.2) ? fateOf(random) : {});
      },
      { name, host },
    );
  }
  return steps;
}
