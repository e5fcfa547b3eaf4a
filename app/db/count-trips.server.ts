/**
 * A D1 binding that tells of every round trip: a statement that runs, or a batch. Local runs only, where pages say in
 * Server-Timing how often they went; tests hold them to it.
 */
export function countTrips(binding: D1Database, onTrip: () => void): D1Database {
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();

  const watch = (original: D1PreparedStatement): D1PreparedStatement => {
    const watched = new Proxy(original, {
      get(target, name) {
        if (name === "bind") return (...values: unknown[]) => watch(target.bind(...values));
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...args: unknown[]) => {
          onTrip();
          return Reflect.apply(member, target, args);
        };
      },
    });
    originals.set(watched, original);
    return watched;
  };

  return new Proxy(binding, {
    get(target, name) {
      if (name === "prepare") return (query: string) => watch(target.prepare(query));
      if (name === "batch") {
        return (statements: D1PreparedStatement[]) => {
          onTrip();
          return target.batch(statements.map((statement) => originals.get(statement) ?? statement));
        };
      }
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
