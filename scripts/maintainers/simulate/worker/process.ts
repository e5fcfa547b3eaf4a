import type { Death, FailingCall } from "../story.ts";
import { DatabaseFailure } from "./database-failure.ts";

/** What goes wrong with a process, if anything does. */
export type Fate = { dies?: Death | undefined; databaseFails?: FailingCall | undefined };

/** One run of the site's Worker: a request, a webhook or the cron job. It may die at one of its calls; then nothing of it continues. */
export class Process {
  readonly id: number;
  readonly #fate: Fate;
  readonly #death: () => void;
  readonly died: Promise<"died">;
  isDead = false;
  calls = 0;
  callsToDatabase = 0;
  databaseFailedAt: number | null = null;
  #later: Promise<unknown>[] = [];

  constructor(id: number, fate: Fate) {
    this.id = id;
    this.#fate = fate;
    let resolveDeath: (word: "died") => void = () => undefined;
    this.died = new Promise((resolve) => {
      resolveDeath = resolve;
    });
    this.#death = () => {
      this.isDead = true;
      resolveDeath("died");
    };
  }

  /** Makes a call, unless the process dies at it: then it never continues, not even its error handling. */
  async call<Value>(make: () => Promise<Value>): Promise<Value> {
    if (this.isDead) return forever();
    this.calls += 1;
    const { dies } = this.#fate;
    const isLast = this.calls === dies?.call;
    if (isLast && dies?.when === "before") return this.#die();
    try {
      const value = await make();
      return isLast ? this.#die() : this.isDead ? forever() : value;
    } catch (error) {
      if (isLast || this.isDead) return this.#die();
      throw error;
    }
  }

  /** Makes a call to the database. `worldFault` is what the world has in store for this call, whichever process makes it. */
  async callDatabase<Value>(
    make: () => Promise<Value>,
    { worldFault, now }: { worldFault: "before" | "after" | null; now: number },
  ): Promise<Value> {
    this.callsToDatabase += 1;
    const { databaseFails: own } = this.#fate;
    const when = worldFault ?? (this.callsToDatabase === own?.call ? own.when : null);
    if (when === null) return make();
    if (when === "after") await make();
    this.databaseFailedAt = now;
    throw new DatabaseFailure();
  }

  #die(): Promise<never> {
    this.#death();
    return forever();
  }

  defer(work: Promise<unknown>): void {
    this.#later.push(work.catch(() => undefined));
  }

  /** Waits until everything that was deferred has happened, or the process has died. */
  async settled(): Promise<void> {
    while (this.#later.length > 0 && !this.isDead) {
      const work = this.#later;
      this.#later = [];
      await Promise.race([Promise.all(work), this.died]);
    }
  }
}

const forever = () => new Promise<never>(() => undefined);
