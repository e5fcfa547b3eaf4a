import type { Death } from "../story.ts";

/** One run of the site's Worker: a request, a webhook or the cron job. It may die at one of its calls; then nothing of it continues. */
export class Process {
  readonly id: number;
  readonly #dies: Death | undefined;
  readonly #death: () => void;
  readonly died: Promise<"died">;
  isDead = false;
  calls = 0;
  #later: Promise<unknown>[] = [];

  constructor(id: number, dies: Death | undefined) {
    this.id = id;
    this.#dies = dies;
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
    const isLast = this.calls === this.#dies?.call;
    if (isLast && this.#dies?.when === "before") return this.#die();
    try {
      const value = await make();
      return isLast ? this.#die() : this.isDead ? forever() : value;
    } catch (error) {
      if (isLast || this.isDead) return this.#die();
      throw error;
    }
  }

  #die(): Promise<never> {
    this.#death();
    return forever();
  }

  defer(work: Promise<unknown>): void {
    this.#later.push(work.catch(() => undefined));
  }

  /** Until everything that was deferred has happened, or the process has died. */
  async settled(): Promise<void> {
    while (this.#later.length > 0 && !this.isDead) {
      const work = this.#later;
      this.#later = [];
      await Promise.race([Promise.all(work), this.died]);
    }
  }
}

const forever = () => new Promise<never>(() => undefined);
