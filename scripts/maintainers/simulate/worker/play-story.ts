import { dayMs, minuteMs } from "#app/core/time/time.ts";
import { startsAt } from "../starts-at.ts";
import { isOfPerson } from "../is-of-person.ts";
import type { Broken, Played, Story, Violation } from "../story.ts";
import { Invariants } from "./invariants/invariants.ts";
import { Chronicle } from "./chronicle.ts";
import { Cast } from "./people/cast.ts";
import { realNow, reseed } from "./seeded-platform.ts";
import { StepPlayer } from "./step-player.ts";
import { cronDelayMs, type World } from "./world.ts";

/** After the story, everything has this many rounds to come to an end. */
const settlingRounds = 80;

/** Plays a story step by step, and checks the invariants on the way. Any part of a story can be played: what isn't possible is refused. */
export async function playStory(world: World, story: Story): Promise<Omit<Played, "hash">> {
  const cast = new Cast(world);
  const invariants = new Invariants(world, cast);
  const outcomes: Record<number, string> = {};
  let violation: Violation | null = null;
  let last: number | null = null;
  const note = (found: Broken | null) => {
    if (found) violation ??= { ...found, afterStep: last, at: world.now() };
  };
  const chronicle = story.rehearsal && new Chronicle(world, cast);
  world.afterCron = async (isWhole) => {
    await chronicle?.noteEmails();
    note(await invariants.afterCron(isWhole));
  };
  const player = new StepPlayer(world, cast, { seed: story.seed, outcomes, note });
  await world.begin();
  for (const step of story.steps) {
    const at = startsAt + step.at * minuteMs;
    await world.passTo(at);
    if (violation) break;
    last = step.id;
    const startedAt = realNow();
    reseed(`step ${story.seed} ${step.id}`);
    if (isOfPerson(step)) await player.play(step);
    else if (step.do === "everything settles") note(await settle(world, invariants));
    else await world.change(step);
    world.stir();
    world.spent[step.do] = (world.spent[step.do] ?? 0) + realNow() - startedAt;
    const checkedAt = realNow();
    note(await invariants.afterStep());
    world.spent["invariants"] = (world.spent["invariants"] ?? 0) + realNow() - checkedAt;
    if (violation) break;
  }
  if (!violation) {
    const startedAt = realNow();
    note(await settle(world, invariants));
    world.spent["settling"] = (world.spent["settling"] ?? 0) + realNow() - startedAt;
  }
  const { spent, reports, calls, emails } = world;
  await chronicle?.noteEmails();
  const told = await chronicle?.tell(story.rehearsal?.prices ?? null);
  return {
    ...(told && { told }),
    violation,
    outcomes,
    spent,
    reports,
    calls,
    emails: emails.length,
    lastedDays: (world.now() - startsAt) / dayMs,
  };
}

/** Ends all faults and lets everything that waits happen. Then nothing may be left to do, and the strict invariants hold. */
async function settle(world: World, invariants: Invariants): Promise<Broken | null> {
  await world.heal();
  // Runs for half a day at least and two weeks at most, until nothing is left.
  let left: unknown = null;
  for (let round = 0; round < settlingRounds; round += 1) {
    await world.passTo(world.now() + cronDelayMs / 12);
    await world.cron();
    left = await invariants.leftToDo();
    if (left === null && round >= 2) break;
  }
  if (left !== null) return { invariant: "in the end nothing is left to do", details: left };
  return invariants.onceSettled();
}
