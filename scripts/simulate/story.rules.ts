/**
 * Decides what happens in a story: who does what, when, and which faults occur. Invariant: the same seed, years and number of people give the same
 * story, as plain data. Called from `npm run simulate` and its tests.
 */
import type { Interval } from "#app/core/time/interval.ts";
import { names } from "./names.ts";
import { seededRandom, type SeededRandom } from "./seeded-random.ts";
import type { Death, Deed, Means, PersonStep, PlanRole, Step, Story, WorldChange } from "./story.ts";

const dayMinutes = 24 * 60;
const yearDays = 365;

export type StorySize = { seed: number; years: number; people: number };

/** Time without an idea: people visit this often, on average. */
const visitDays = 14;
const worldChangeDays = 20;

export function writeStory({ seed, years, people }: StorySize): Story {
  const random = seededRandom(`story ${seed}`);
  const days = years * yearDays;
  const cast = Array.from({ length: people }, (_, index) => nameOf(index));
  const planned = [
    ...cast.flatMap((name, index) => lifeOf(random, name, cast.slice(0, index), days)),
    ...worldOf(random, days),
  ].toSorted((left, right) => left.at - right.at);
  return { seed, isGated: random.chance(0.35), steps: planned.map((step, index) => withId(step, index + 1)) };
}

export const nameOf = (index: number): string => {
  const name = names[index % names.length] ?? "Ada";
  return index < names.length ? name : `${name} ${Math.floor(index / names.length) + 1}`;
};

type Unnumbered<One> = One extends unknown ? Omit<One, "id"> : never;
type PlannedStep = Unnumbered<Step>;

function withId(step: PlannedStep, id: number): Step {
  const beside = "beside" in step && step.beside ? { beside: { ...step.beside, id: id * 1000 } } : {};
  return { ...step, ...beside, id } as Step;
}

/** One person, from the day on which they hear of the product. */
function lifeOf(random: SeededRandom, name: string, before: string[], days: number): PlannedStep[] {
  const steps: PlannedStep[] = [];
  const comesAt = Math.floor(random.next() * Math.min(days * 0.6, 200)) * dayMinutes + random.below(dayMinutes);
  const friend = before.length > 0 && random.chance(0.6) ? random.pick(before) : undefined;
  const network = random.chance(0.25) ? 1 : undefined;
  const add = (at: number, deed: Deed, extra: Partial<PersonStep> = {}) => {
    if (at <= days * dayMinutes) steps.push({ at: Math.floor(at), who: name, ...deed, ...extra } as PlannedStep);
  };
  const address = addressFor(random, name, before);
  if (random.chance(0.3)) {
    add(comesAt - 60, {
      do: "joins the waitlist",
      address,
      ...(friend && { by: friend }),
      ...(network && { network }),
    });
    add(comesAt - 50, { do: "confirms the waitlist entry" });
  }
  add(comesAt, { do: "signs up", address, ...(friend && { by: friend }), ...(network && { network }) }, fateOf(random));
  if (random.chance(0.75)) add(comesAt + 5 + random.below(600), purchase(random, before), fateOf(random));
  const habit = random.next() < 0.3 ? visitDays / 3 : visitDays;
  const wants = random.chance(0.2) ? freeMonths : random.chance(0.2) ? friendsOfTheirOwn : deedOf;
  for (let at = comesAt + dayMinutes / 2; ;) {
    at += Math.max(30, -Math.log(1 - random.next()) * habit * dayMinutes);
    if (at > days * dayMinutes) break;
    visit(random, { name, before, wants }, at, add);
  }
  return steps;
}

type ChooseDeed = (random: SeededRandom, name: string, before: string[]) => Deed;
type Visitor = { name: string; before: string[]; wants: ChooseDeed };

/** Tries to use a plan without paying for it. */
const freeMonths: ChooseDeed = (random) =>
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
const friendsOfTheirOwn: ChooseDeed = (random, name, before) => {
  const by = before.length > 0 ? random.pick(before) : name;
  return random.pick<Deed>([
    { do: "signs up", address: addressFor(random, name, before), by },
    { do: "joins the waitlist", address: addressFor(random, name, before), by },
    { do: "confirms the waitlist entry" },
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

type Add = (at: number, deed: Deed, extra?: Partial<PersonStep>) => void;

/** A visit is a sign-in and one or a few deeds, minutes apart. */
function visit(random: SeededRandom, { name, before, wants }: Visitor, at: number, add: Add): void {
  add(
    at,
    random.chance(0.05) ? { do: "mistypes a code" } : { do: "signs in" },
    random.chance(0.04) ? fateOf(random) : {},
  );
  if (random.chance(0.06)) for (let time = 1; time <= 7; time += 1) add(at + time * 20, { do: "pays what is due" });
  if (random.chance(0.1)) {
    add(at + 9, { do: "activates a device" });
    add(at + 10, { do: "activates a device" });
  }
  const count = 1 + random.below(3);
  for (let index = 1; index <= count; index += 1) {
    const deed = (random.chance(0.7) ? wants : deedOf)(random, name, before);
    const extra = { ...fateOf(random), ...(random.chance(0.07) && besideOf(random, name, before)) };
    add(at + index * (1 + random.below(8)), deed, extra);
  }
}

/** Each with how often it is chosen. */
function deedOf(random: SeededRandom, name: string, before: string[]): Deed {
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
    [3, () => ({ do: "disputes", order: random.chance(0.7) ? "newest" : "oldest" })],
    [2, () => ({ do: "wins the dispute" })],
    [3, () => ({ do: "loses the dispute" })],
    [2, () => ({ do: "closes the account" })],
    [1, () => ({ do: "restores the account" })],
    [2, () => ({ do: "changes address", address: addressFor(random, name, []) })],
    [1, () => ({ do: "takes the old address back" })],
    [2, () => ({ do: "changes name" })],
    [4, () => ({ do: "activates a device" })],
    [4, () => ({ do: "uses the product" })],
    [1, () => ({ do: "removes a device" })],
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
        do: "joins the waitlist",
        address: addressFor(random, name, []),
        ...(before.length > 0 && { by: random.pick(before) }),
      }),
    ],
    [1, () => ({ do: "confirms the waitlist entry" })],
  ];
  const total = choices.reduce((sum, [weight]) => sum + weight, 0);
  let left = random.next() * total;
  for (const [weight, deed] of choices) {
    left -= weight;
    if (left < 0) return deed();
  }
  return { do: "looks at the plan" };
}

const purchase = (random: SeededRandom, before: string[]): Deed => ({
  do: "buys",
  plan: random.chance(0.6) ? "small" : "large",
  interval: random.chance(0.8) ? "month" : "year",
  with: meansOf(random, before),
  returns: random.chance(0.7),
});

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

/** Also another spelling of an earlier person's mailbox: a plus tag, or dots where the provider ignores them. */
function addressFor(random: SeededRandom, name: string, before: string[]): string {
  const word = (random.chance(0.25) && before.length > 0 ? random.pick(before) : name)
    .toLowerCase()
    .replaceAll(" ", "");
  const tag = random.chance(0.5) ? `+${random.below(5)}` : "";
  if (random.chance(0.6)) {
    const dotted = random.chance(0.5) ? `${word.slice(0, 1)}.${word.slice(1)}` : word;
    return `${dotted}${tag}@${random.chance(0.2) ? "googlemail.com" : "gmail.com"}`;
  }
  return `${word}${tag}@${random.chance(0.3) ? `${word}.example` : "mail.example"}`;
}

const deathOf = (random: SeededRandom): Death => ({
  call: 1 + Math.floor(-Math.log(1 - random.next()) * 9),
  when: random.chance(0.4) ? "before" : "after",
});

/** What goes wrong with a step, if anything does. */
function fateOf(random: SeededRandom): Partial<PersonStep> {
  const at = random.next();
  if (at < 0.04) return { dies: deathOf(random) };
  if (at < 0.055) return { heldBackMinutes: 1 + random.below(10) };
  return {};
}

function besideOf(random: SeededRandom, name: string, before: string[]): Partial<PersonStep> {
  const deed: Deed = random.chance(0.5) ? { do: "signs out" } : deedOf(random, name, before);
  return {
    beside: { id: 0, who: name, ...deed },
    ...(random.chance(0.5) && { heldBackMinutes: 1 + random.below(10) }),
  };
}

/** Faults around the site come and go. */
function worldOf(random: SeededRandom, days: number): PlannedStep[] {
  const steps: PlannedStep[] = [];
  const add = (at: number, change: WorldChange) => steps.push({ at: Math.floor(at), ...change } as PlannedStep);
  for (let at = 0; ;) {
    at += Math.max(30, -Math.log(1 - random.next()) * worldChangeDays * dayMinutes);
    if (at > days * dayMinutes) return steps;
    const endsAt = at + (1 + random.below(5 * 24)) * 60;
    const kind = random.next();
    if (kind < 0.35) {
      add(at, { do: "webhooks arrive", how: random.pick(["late", "twice", "in reverse", "never"] as const) });
      add(endsAt, { do: "webhooks arrive", how: "promptly" });
    } else if (kind < 0.5) {
      add(at, { do: "email", works: false });
      add(Math.min(endsAt, at + 12 * 60), { do: "email", works: true });
    } else if (kind < 0.75) {
      add(at, {
        do: "Stripe fails",
        how: random.pick(["before", "after", "429", "500", "html"] as const),
        times: 1 + random.below(6),
      });
    } else if (kind < 0.92) {
      add(at, { do: "the Worker dies", during: random.pick(["cron", "webhook"] as const), dies: deathOf(random) });
    } else add(at, { do: "everything settles" });
  }
}
