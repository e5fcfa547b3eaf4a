import type { SeededRandom } from "../seeded-random.ts";
import { simulatedClock, untilQuiet } from "./seeded-platform.ts";

type Call = { run: () => Promise<unknown>; resolve: (value: unknown) => void; reject: (error: unknown) => void };

const callMsMax = 40;

/**
 * Makes every call to the database and to Stripe, one at a time. Of those that wait, a seeded choice is next: what runs side by side takes
 * turns in an order that the seed determines. Each call takes some milliseconds of the simulated clock.
 */
export class SeededScheduler {
  #waiting: Call[] = [];
  #isRunning = false;
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  call<Value>(run: () => Promise<Value>): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      // The call's own value goes to its own promise.
      this.#waiting.push({ run, resolve: resolve as (value: unknown) => void, reject });
      if (!this.#isRunning) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    for (;;) {
      await untilQuiet();
      const chosen = this.#waiting.length > 1 ? this.#random.below(this.#waiting.length) : 0;
      const [next] = this.#waiting.splice(chosen, 1);
      if (!next) break;
      simulatedClock.set(simulatedClock.now() + 1 + this.#random.below(callMsMax));
      try {
        next.resolve(await next.run());
      } catch (error) {
        next.reject(error);
      }
    }
    this.#isRunning = false;
  }
}
