/**
 * Decides what happens in a story: who does what, when, and which faults occur. Invariant: the same seed, years and number of people give the same
 * story, as plain data. Called from `npm run simulate` and its tests.
 */
import { habitsOf } from "./habits.rules.ts";
import { hasForm } from "./has-form.ts";
import { lifeOf } from "./life-of.ts";
import { names } from "./names.ts";
import type { PlannedStep } from "./planned-step.ts";
import { seededRandom } from "./seeded-random.ts";
import type { Step, Story } from "./story.ts";
import { worldOf } from "./world-of.ts";

const yearDays = 365;

export type StorySize = { seed: number; years: number; people: number };

export function writeStory({ seed, years, people }: StorySize): Story {
  const random = seededRandom(`story ${seed}`);
  const days = years * yearDays;
  const cast = Array.from({ length: people }, (_, index) => nameOf(index));
  // The other people have habits.
  const free = people < 4 ? people : Math.ceil(people * 0.4);
  const planned = [
    ...cast.slice(0, free).flatMap((name, index) => lifeOf(random, name, cast.slice(0, index), days)),
    ...habitsOf(random, cast.slice(free), { seed, days }),
    ...worldOf(random, days),
  ].toSorted((left, right) => left.at - right.at);
  return { seed, isGated: random.chance(0.5), steps: planned.map((step, index) => withId(step, index + 1)) };
}

export const nameOf = (index: number): string => {
  const name = names[index % names.length] ?? "Ada";
  return index < names.length ? name : `${name} ${Math.floor(index / names.length) + 1}`;
};

/** A step without a form has no last byte to hold back. */
function withId(step: PlannedStep, id: number): Step {
  const held = "heldBackMinutes" in step && !hasForm(step) ? { heldBackMinutes: undefined } : {};
  const beside = "beside" in step && step.beside ? { beside: { ...step.beside, id: id * 1000 } } : {};
  return { ...step, ...beside, ...held, id } as Step;
}
