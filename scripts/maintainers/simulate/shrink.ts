import { isOfPerson } from "./is-of-person.ts";
import type { PersonStep, Step, Story } from "./story.ts";

/** Whether a story still fails in the same way. */
export type Fails = (story: Story) => Promise<boolean>;

/**
 * The shortest story found that fails in the same way: delta debugging over its steps, then over the fields of each step. Any part of a
 * story can be played, since what isn't possible is refused.
 */
export async function shrink(story: Story, fails: Fails, isOver: () => boolean = () => false): Promise<Story> {
  let short = await withFewerSteps(await withFewerPeople(story, fails, isOver), fails, isOver);
  for (;;) {
    const simpler = await simplifyOnce(short, fails, isOver);
    if (simpler === null || isOver()) return short;
    short = await withFewerSteps(simpler, fails, isOver);
  }
}

/** Leaves out each person in turn, and the world's faults, since most of a story is about others. */
async function withFewerPeople(story: Story, fails: Fails, isOver: () => boolean): Promise<Story> {
  const actorOf = (step: Step) => (isOfPerson(step) ? step.who : null);
  let { steps } = story;
  for (const actor of new Set(story.steps.map(actorOf))) {
    if (isOver()) break;
    const left = steps.filter((step) => actorOf(step) !== actor);
    if (left.length > 0 && (await fails({ ...story, steps: left }))) steps = left;
  }
  return { ...story, steps };
}

/** Leaves out ever smaller parts of the story. */
async function withFewerSteps(story: Story, fails: Fails, isOver: () => boolean): Promise<Story> {
  let { steps } = story;
  for (let size = Math.ceil(steps.length / 2); size >= 1 && !isOver();) {
    let hasShrunk = false;
    // From the end: later steps depend on earlier ones.
    for (let end = steps.length; end > 0 && !isOver(); end -= size) {
      const left = [...steps.slice(0, Math.max(0, end - size)), ...steps.slice(end)];
      if (left.length === steps.length || !(await fails({ ...story, steps: left }))) continue;
      steps = left;
      hasShrunk = true;
    }
    if (size === 1 && !hasShrunk) break;
    size = size === 1 ? 1 : Math.ceil(size / 2);
  }
  return { ...story, steps };
}

/** The first simplification with which it still fails. Null if there is none. */
async function simplifyOnce(story: Story, fails: Fails, isOver: () => boolean): Promise<Story | null> {
  for (const simpler of simplifications(story)) {
    if (isOver()) return null;
    if (await fails(simpler)) return simpler;
  }
  return null;
}

function* simplifications(story: Story): Iterable<Story> {
  if (story.isGated) yield { ...story, isGated: false };
  for (const [index, step] of story.steps.entries()) {
    if (!isOfPerson(step)) continue;
    for (const simpler of simplerSteps(step)) {
      yield { ...story, steps: story.steps.map((each, at) => (at === index ? simpler : each)) };
    }
  }
}

function* simplerSteps(step: PersonStep): Iterable<PersonStep> {
  const { dies, databaseFails, heldBackMinutes, beside, ...plain } = step;
  if (dies) {
    yield without(step, "dies") as PersonStep;
    if (dies.call > 1) yield { ...step, dies: { ...dies, call: dies.call - 1 } };
  }
  if (databaseFails) {
    yield without(step, "databaseFails") as PersonStep;
    if (databaseFails.call > 1) yield { ...step, databaseFails: { ...databaseFails, call: databaseFails.call - 1 } };
  }
  if (heldBackMinutes !== undefined || beside) yield plain as PersonStep;
  if ("with" in step && step.with !== "own card") yield { ...step, with: "own card" };
  if ("returns" in step && !step.returns) yield { ...step, returns: true };
  if ("by" in step && step.by !== undefined) yield without(step, "by") as PersonStep;
  if ("network" in step && step.network !== undefined) yield without(step, "network") as PersonStep;
  if ("interval" in step && step.interval === "year") yield { ...step, interval: "month" };
}

function without<Value extends object>(value: Value, name: string): Partial<Value> {
  // A copy without one member.
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)) as Partial<Value>;
}
