/** A timer of Node can't be longer, and fires immediately if it is to be. */
const DELAY_MS_MAX = 2 ** 31 - 1;

/** Calls once at a time, like a Durable Object's alarm. It doesn't keep the process from ending. */
export class Alarm {
  readonly #ring: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(ring: () => void) {
    this.#ring = ring;
  }

  set(at: number): void {
    this.clear();
    const delay = at - Date.now();
    const next = delay > DELAY_MS_MAX ? () => this.set(at) : this.#ring;
    this.#timer = setTimeout(next, Math.min(Math.max(0, delay), DELAY_MS_MAX)).unref();
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
