type Asked = { accountId: string; at: number; wantedAt: number | null };

/** What the owners of accounts asked for: that a plan ends, or that it doesn't. Independent of the site's own table. */
export class CancellationBook {
  /** Every declaration that the site accepted, by the site's id. */
  readonly declared: { id: string; who: string; at: number }[] = [];
  readonly #asked: Asked[] = [];
  readonly #kept: { accountId: string; at: number; isResumed: boolean }[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Call before the site is asked, which may die on the way. `wantedAt`: when the plan is wanted to end. */
  ask(accountId: string, wantedAt: number | null = null): void {
    this.#asked.push({ accountId, at: this.#now(), wantedAt });
  }

  /** Call once the site has confirmed it. `isResumed`: a plan that was to end goes on; otherwise a declaration for a later day is forgotten. */
  keep(accountId: string, { isResumed }: { isResumed: boolean }): void {
    this.#kept.push({ accountId, at: this.#now(), isResumed });
  }

  /** What was asked for until then, and not taken back before. */
  askedUntil(accountId: string, until: number): Asked[] {
    const kept = this.#kept.filter((each) => each.accountId === accountId && each.at < until);
    const keptAt = Math.max(0, ...kept.map(({ at }) => at));
    return this.#asked.filter((each) => each.accountId === accountId && each.at >= keptAt && each.at <= until);
  }

  isResumedBetween(accountId: string, from: number, until: number): boolean {
    return this.#kept.some(
      (each) => each.accountId === accountId && each.isResumed && each.at > from && each.at < until,
    );
  }
}
