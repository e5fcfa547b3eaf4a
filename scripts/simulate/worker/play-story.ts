import { dayMs, minuteMs } from "#app/core/time/time.ts";
import { startsAt } from "../starts-at.ts";
import { isOfPerson } from "../is-of-person.ts";
import {
  type Death,
  type Deed,
  type PersonStep,
  type Played,
  type Story,
  type Violation,
  type Broken,
} from "../story.ts";
import { Invariants } from "./invariants/invariants.ts";
import { Cast } from "./people/cast.ts";
import { Promises } from "./invariants/promises.ts";
import { realNow, reseed } from "./seeded-platform.ts";
import { Refused } from "./refused.ts";
import { Violated } from "./violated.ts";
import { cronDelayMs, type World } from "./world.ts";

/** After the story everything has this long to come to an end. */
const settlingRounds = 80;

/** Plays a story step by step, and checks the invariants on the way. Any part of a story can be played: what isn't possible is refused. */
export async function playStory(world: World, story: Story): Promise<Omit<Played, "hash">> {
  const cast = new Cast(world);
  const invariants = new Invariants(world, cast);
  const promises = new Promises(world, cast);
  const outcomes: Record<number, string> = {};
  let violation: Violation | null = null;
  let last: number | null = null;
  const note = (found: Broken | null) => {
    if (found) violation ??= { ...found, afterStep: last, at: world.now() };
  };
  world.afterCron = async (isWhole) => note(await invariants.afterCron(isWhole));
  await world.begin();
  for (const step of story.steps) {
    const at = startsAt + step.at * minuteMs;
    await world.passTo(at);
    if (violation) break;
    last = step.id;
    const startedAt = realNow();
    reseed(`step ${story.seed} ${step.id}`);
    if (isOfPerson(step)) await playPersonStep(world, cast, step, outcomes, promises, note);
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
  return {
    violation,
    outcomes,
    spent,
    reports,
    calls,
    emails: emails.length,
    lastedDays: (world.now() - startsAt) / dayMs,
  };
}

async function playPersonStep(
  world: World,
  cast: Cast,
  step: PersonStep,
  outcomes: Record<number, string>,
  promises: Promises,
  note: (found: Broken) => void,
): Promise<void> {
  const play = async (who: string, deed: Deed & { id: number }, dies?: Death, heldBackMinutes = 0) => {
    const holdBack = async () => {
      if (heldBackMinutes > 0) await heldBack.promise;
    };
    const session = cast.meet(who).person.cookie;
    const endedBefore = async () =>
      heldBackMinutes > 0 && session ? world.records.isSessionEnded(session.sessionToken) : false;
    let isLate = false;
    const held = async (kind: "session" | "public") => {
      await holdBack();
      isLate = kind === "session" && (await endedBefore());
    };
    const outcome = await attempt(() => world.run((app) => cast.play(app, who, deed, held), dies), note);
    outcomes[deed.id] = outcome;
    if (outcome.startsWith("thrown")) note({ invariant: "nothing but refusals is thrown", details: outcome });
    const unmet = dies
      ? null
      : await (outcome === "done" ? promises.after(who, deed) : promises.refused(who, deed, outcome));
    if (unmet) note(unmet);
    if (isLate && outcome === "done")
      note({ invariant: "nothing is done by an ended session", details: `${who} ${deed.do}` });
  };
  const heldBack = later();
  const own = play(step.who, step, step.dies, step.heldBackMinutes);
  if (step.heldBackMinutes === undefined) {
    await Promise.all([own, step.beside ? play(step.beside.who, step.beside) : undefined]);
    return;
  }
  // What is beside it happens before the last byte arrives.
  if (step.beside) await play(step.beside.who, step.beside);
  await world.passTo(world.now() + step.heldBackMinutes * minuteMs);
  heldBack.resolve();
  await own;
}

async function attempt(run: () => Promise<unknown>, note: (found: Broken) => void): Promise<string> {
  try {
    return (await run()) === "died" ? "died" : "done";
  } catch (error) {
    if (error instanceof Refused) return error.message;
    if (error instanceof Violated) {
      note(error.broken);
      return error.message;
    }
    // A redirect: the session has ended.
    if (error instanceof Response) return `redirected to ${error.headers.get("Location")}`;
    return `thrown: ${error instanceof Error ? `${error.name}: ${error.message}${causeOf(error)}` : JSON.stringify(error)}`.slice(
      0,
      600,
    );
  }
}

const causeOf = (error: Error): string => (error.cause instanceof Error ? ` (${error.cause.message})` : "");

/** All faults end, and everything that waits happens. Then nothing may be left to do, and the strict invariants hold. */
async function settle(world: World, invariants: Invariants): Promise<Broken | null> {
  await world.heal();
  // Half a day at least, and two weeks at most: until nothing is left.
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

function later(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((given) => {
    resolve = given;
  });
  return { promise, resolve: () => resolve() };
}
