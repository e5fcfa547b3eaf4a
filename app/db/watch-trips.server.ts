/** Called for each round trip, to make it; `statements` are the SQL without its values: one, or those of a batch. */
export type Watch = <Answer>(statements: readonly string[], makeTrip: () => Promise<Answer>) => Promise<Answer>;

/** A D1 binding that reports each round trip: a statement that runs, or a batch. */
export function watchTrips(binding: D1Database, watch: Watch): D1Database {
  const originals = new WeakMap<D1PreparedStatement, { original: D1PreparedStatement; sql: string }>();

  const watchStatement = (original: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const watched = new Proxy(original, {
      get(target, name) {
        if (name === "bind") return (...values: unknown[]) => watchStatement(target.bind(...values), sql);
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        // Every method of a statement except `bind` runs it.
        return (...args: unknown[]) => watch([sql], () => Reflect.apply(member, target, args) as Promise<unknown>);
      },
    });
    originals.set(watched, { original, sql });
    return watched;
  };

  const runBatch = (statements: D1PreparedStatement[]) => {
    const parts = statements.map((statement) => originals.get(statement) ?? { original: statement, sql: "" });
    return watch(
      parts.map(({ sql }) => sql),
      () => binding.batch(parts.map(({ original }) => original)),
    );
  };

  return new Proxy(binding, {
    get(target, name) {
      if (name === "prepare") return (sql: string) => watchStatement(target.prepare(sql), sql);
      if (name === "batch") return runBatch;
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/** How many round trips a request made, and how many of them ran one after another, which determines the page's latency. */
export type Trips = { toDatabase: number; inARow: number };

/**
 * Counts round trips. Local runs only, where pages report them in Server-Timing; tests assert the numbers. A trip that begins when
 * another has ended is sequential.
 */
export function countTrips(trips: Trips): Watch {
  let ended = 0;
  return async (_statements, makeTrip) => {
    trips.toDatabase += 1;
    const nth = ended + 1;
    trips.inARow = Math.max(trips.inARow, nth);
    try {
      return await makeTrip();
    } finally {
      ended = Math.max(ended, nth);
    }
  };
}
