import { addressFor } from "./address-for.ts";
import { type ChooseDeed, deedOf, freeMonths, friendsOfTheirOwn, purchase } from "./deeds.rules.ts";
import { fateOf } from "./fate-of.ts";
import { type Add, addFor, dayMinutes, type PlannedStep } from "./planned-step.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { Deed, Circumstances } from "./story.ts";

/** How many days pass between two visits, on average. */
const visitDays = 14;

/** One person, from the day on which they hear of the product. */
export function lifeOf(random: SeededRandom, name: string, before: string[], days: number): PlannedStep[] {
  const steps: PlannedStep[] = [];
  const comesAt = Math.floor(random.next() * Math.min(days * 0.6, 200)) * dayMinutes + random.below(dayMinutes);
  const friend = before.length > 0 && random.chance(0.6) ? random.pick(before) : undefined;
  const network = random.chance(0.25) ? 1 : undefined;
  const add = addFor(steps, name, days);
  const address = addressFor(random, name, before);
  if (random.chance(0.3)) {
    add(comesAt - 60, {
      do: "asks to be let in",
      address,
      ...(friend && { by: friend }),
      ...(network && { network }),
    });
    add(comesAt - 50, { do: "confirms the request" });
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

type Visitor = { name: string; before: string[]; wants: ChooseDeed };

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

function besideOf(random: SeededRandom, name: string, before: string[]): Circumstances {
  const deed: Deed = random.chance(0.5) ? { do: "signs out" } : deedOf(random, name, before);
  return {
    beside: { id: 0, who: name, ...deed },
    ...(random.chance(0.5) && { heldBackMinutes: 1 + random.below(25) }),
  };
}
