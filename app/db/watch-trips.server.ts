import { type DatabaseBinding, wrapDatabase, type WrappedStatement } from "./wrap-database.server.ts";

/** Called for each round trip, to make it; `statements` are the SQL without its values: one, or those of a batch. */
export type Watch = <Answer>(statements: readonly string[], makeTrip: () => Promise<Answer>) => Promise<Answer>;

/** A D1 binding that reports each round trip: a statement that runs, or a batch. */
export function watchTrips(binding: DatabaseBinding, watch: Watch): DatabaseBinding {
  return wrapDatabase(binding, {
    runOne: ({ sql }, run) => watch([sql], run),
    read: ({ sql }, run) => watch([sql], run),
    runBatch: <Row>(statements: WrappedStatement[]) =>
      watch(
        statements.map(({ sql }) => sql),
        () => binding.batch<Row>(statements.map(({ original }) => original)),
      ),
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
