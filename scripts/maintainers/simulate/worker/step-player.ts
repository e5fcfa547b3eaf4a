import { minuteMs } from "#app/core/time/time.ts";
import { seededRandom } from "../seeded-random.ts";
import type { Broken, Deed, PersonStep } from "../story.ts";
import { isDatabaseFailure } from "./database-failure.ts";
import { databaseFailed, Promises } from "./invariants/promises.ts";
import type { Cast } from "./people/cast.ts";
import type { Fate } from "./process.ts";
import { Refused } from "./refused.ts";
import { Violated } from "./violated.ts";
import type { World } from "./world.ts";

type Playing = {
  seed: number;
  /** How each deed ended, by its step. */
  outcomes: Record<number, string>;
  note: (found: Broken) => void;
};
type NumberedDeed = Deed & { id: number };

/** How often someone sends a form that led to an error page. */
const triesMax = 3;

/** Plays what people do, with what happens beside it, and notes what it violates. */
export class StepPlayer {
  readonly #world: World;
  readonly #cast: Cast;
  readonly #promises: Promises;
  readonly #playing: Playing;

  constructor(world: World, cast: Cast, playing: Playing) {
    this.#world = world;
    this.#cast = cast;
    this.#promises = new Promises(world, cast);
    this.#playing = playing;
  }

  async play(step: PersonStep): Promise<void> {
    const { who, beside, dies, databaseFails, heldBackMinutes } = step;
    if (heldBackMinutes === undefined) {
      await Promise.all([
        this.#playDeed(who, step, { dies, databaseFails }),
        beside ? this.#playDeed(beside.who, beside, {}) : undefined,
      ]);
    } else {
      const heldBack = later();
      const own = this.#playDeed(who, step, { dies, databaseFails }, heldBack.promise);
      // What happens beside it comes before the last byte arrives.
      if (beside) await this.#playDeed(beside.who, beside, {});
      await this.#world.passTo(this.#world.now() + heldBackMinutes * minuteMs);
      heldBack.resolve();
      await own;
    }
    await this.#tryAgain(who, step);
    if (beside) await this.#tryAgain(beside.who, beside);
  }

  /** After an error page, they send the form again a minute later, or leave it. */
  async #tryAgain(who: string, deed: NumberedDeed): Promise<void> {
    const { seed, outcomes } = this.#playing;
    const random = seededRandom(`again ${seed} ${deed.id}`);
    for (let tries = 1; tries < triesMax && outcomes[deed.id] === databaseFailed; tries += 1) {
      if (random.chance(0.4)) return;
      await this.#world.passTo(this.#world.now() + minuteMs);
      await this.#playDeed(who, deed, {});
    }
  }

  /** `lastByte` is what the form waits for if it is held back. */
  async #playDeed(who: string, deed: NumberedDeed, fate: Fate, lastByte?: Promise<void>): Promise<void> {
    const { outcomes, note } = this.#playing;
    const session = this.#cast.meet(who).person.cookie;
    let isLate = false;
    const holdBack = async (kind: "session" | "public") => {
      await lastByte;
      if (lastByte && session && kind === "session")
        isLate = await this.#world.records.isSessionEnded(session.sessionToken);
    };
    const outcome = await this.#attempt(() =>
      this.#world.run((app) => this.#cast.play(app, who, deed, holdBack), fate),
    );
    outcomes[deed.id] = outcome;
    if (outcome.startsWith("thrown")) note({ invariant: "nothing but refusals is thrown", details: outcome });
    const unmet = fate.dies
      ? null
      : await (outcome === "done" ? this.#promises.after(who, deed) : this.#promises.refused(who, deed, outcome));
    if (unmet) note(unmet);
    if (isLate && outcome === "done")
      note({ invariant: "nothing is done by an ended session", details: `${who} ${deed.do}` });
  }

  async #attempt(run: () => Promise<unknown>): Promise<string> {
    try {
      return (await run()) === "died" ? "died" : "done";
    } catch (error) {
      if (error instanceof Refused) return error.message;
      if (isDatabaseFailure(error)) return databaseFailed;
      if (error instanceof Violated) {
        this.#playing.note(error.broken);
        return error.message;
      }
      // A redirect means that the session has ended.
      if (error instanceof Response) return `redirected to ${error.headers.get("Location")}`;
      const text = error instanceof Error ? `${error.name}: ${error.message}${causeOf(error)}` : JSON.stringify(error);
      return `thrown: ${text}`.slice(0, 600);
    }
  }
}

const causeOf = (error: Error): string => (error.cause instanceof Error ? ` (${error.cause.message})` : "");

function later(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((given) => {
    resolve = given;
  });
  return { promise, resolve: () => resolve() };
}
