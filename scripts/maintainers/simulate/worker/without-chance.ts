/** SQLite's own `random()` has no seed. Cron jobs choose by it whom they begin with. */
export function withoutChance(db: D1Database): D1Database {
  return {
    prepare: (sql) => db.prepare(sql.replaceAll(/\brandom\(\)/g, "abs(0)")),
    batch: (statements) => db.batch(statements),
    exec: (sql) => db.exec(sql),
    withSession: (constraintOrBookmark) => db.withSession(constraintOrBookmark),
    dump: () => db.dump(),
  };
}
