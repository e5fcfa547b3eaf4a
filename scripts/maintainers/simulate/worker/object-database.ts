/**
 * D1's interface on the SQLite of the Durable Object that runs the simulation: the engine that D1 runs on, without the way to it and back,
 * which takes more time than everything else together. A run on a real D1 must have the same hash.
 */
export function objectDatabase(storage: DurableObjectStorage): D1Database {
  const { sql } = storage;
  const execute = (query: string, values: unknown[]) => {
    try {
      return sql.exec(query, ...values.map(asStored));
    } catch (error) {
      throw asOfD1(error);
    }
  };
  const totalChanges = () => Number(sql.exec("select total_changes() as total").one()["total"]);
  const run = (query: string, values: unknown[]): D1Result<Record<string, unknown>> => {
    const before = totalChanges();
    const cursor = execute(query, values);
    const results = read(() => cursor.toArray());
    const changes = totalChanges() - before;
    return { success: true, results, meta: { ...noMeta, changes, changed_db: changes > 0 } };
  };
  const parts = new WeakMap<object, { query: string; values: unknown[] }>();
  const prepare = (query: string, values: unknown[] = []): D1PreparedStatement => {
    const statement = {
      bind: (...bound: unknown[]) => prepare(query, bound),
      all: async () => run(query, values),
      run: async () => run(query, values),
      first: async (column?: string) => {
        const [row] = run(query, values).results;
        return row === undefined ? null : column === undefined ? row : (row[column] ?? null);
      },
      raw: async () => read(() => [...execute(query, values).raw()]),
    };
    parts.set(statement, { query, values });
    // The part of D1's interface that the site uses.
    return statement as unknown as D1PreparedStatement;
  };
  const batch = async (statements: D1PreparedStatement[]) =>
    storage.transactionSync(() =>
      statements.map((statement) => {
        const part = parts.get(statement);
        if (!part) throw new Error("A statement of another database");
        return run(part.query, part.values);
      }),
    );
  return { prepare: (query: string) => prepare(query), batch } as unknown as D1Database;
}

const noMeta = {
  duration: 0,
  size_after: 0,
  rows_read: 0,
  rows_written: 0,
  last_row_id: 0,
  changed_db: false,
  changes: 0,
};

function asOfD1(error: unknown): Error {
  return new Error(`D1_ERROR: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}

/** Some errors of a statement only appear while its rows are read. */
function read<Value>(rows: () => Value): Value {
  try {
    return rows();
  } catch (error) {
    throw asOfD1(error);
  }
}

const asStored = (value: unknown): SqlStorageValue =>
  // D1 stores booleans as numbers.
  typeof value === "boolean" ? Number(value) : (value as SqlStorageValue);
