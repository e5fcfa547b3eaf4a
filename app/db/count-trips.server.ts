/** How often a request went to the database, and how many of those times one had to wait for another: what its page takes. */
export type Trips = { toDatabase: number; inARow: number };

/**
 * A D1 binding that counts round trips: a statement that runs, or a batch. Local runs only, where pages say in Server-Timing how often
 * they went; tests hold them to it. A trip that begins when another has ended came after it.
 */
export function countTrips(binding: D1Database, trips: Trips): D1Database {
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  let ended = 0;

  async function count<Answer>(trip: () => Promise<Answer>): Promise<Answer> {
    trips.toDatabase += 1;
    const nth = ended + 1;
    trips.inARow = Math.max(trips.inARow, nth);
    try {
      return await trip();
    } finally {
      ended = Math.max(ended, nth);
    }
  }

  const watch = (original: D1PreparedStatement): D1PreparedStatement => {
    const watched = new Proxy(original, {
      get(target, name) {
        if (name === "bind") return (...values: unknown[]) => watch(target.bind(...values));
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        // All that a statement can do but `bind` is to run.
        return (...args: unknown[]) => count(() => Reflect.apply(member, target, args) as Promise<unknown>);
      },
    });
    originals.set(watched, original);
    return watched;
  };

  return new Proxy(binding, {
    get(target, name) {
      if (name === "prepare") return (query: string) => watch(target.prepare(query));
      if (name === "batch") {
        return (statements: D1PreparedStatement[]) =>
          count(() => target.batch(statements.map((statement) => originals.get(statement) ?? statement)));
      }
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
