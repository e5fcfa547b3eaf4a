/** SQLite's own `random()` has no seed. Cron jobs choose by it whom they begin with. */
export function withoutChance(db: D1Database): D1Database {
  return new Proxy(db, {
    get(target, name) {
      if (name === "prepare") return (sql: string) => target.prepare(sql.replaceAll(/\brandom\(\)/g, "abs(0)"));
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
