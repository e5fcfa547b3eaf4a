import { fillPlaceholders, type Placeholder, type Query, QueryPromise, sql } from "drizzle-orm";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { PreparedQueryConfig, SQLitePreparedQuery } from "drizzle-orm/sqlite-core";
import { type Database, openDatabase } from "./database.server.ts";

type Value = string | number | null;

/** Of drizzle's prepared query: its SQL, and how rows become results. */
type Prepared = Pick<SQLitePreparedQuery<PreparedQueryConfig>, "getQuery" | "mapResult">;

type Read<Result> = PromiseLike<Result> & { prepare(): Prepared };

/**
 * A read whose SQL is built once per isolate: building it takes drizzle longer than reading takes D1. `build` is called once, with a
 * placeholder for each value: it can pass values on to conditions, but must not compute with them (that throws) or decide by them.
 */
export function prepared<Values extends Value[], Result>(build: (db: Database, ...values: Values) => Read<Result>) {
  let built: Prepared | undefined;
  return (db: Database, ...values: Values): PreparedRead<Result> => {
    built ??= build(builder, ...placeholdersFor(values)).prepare();
    return new PreparedRead<Result>(built, db, values);
  };
}

/** A prepared read with its values: awaited, or part of a batch. */
class PreparedRead<Result> extends QueryPromise<Result> implements RunnableQuery<Result, "sqlite"> {
  declare readonly _: { readonly dialect: "sqlite"; readonly result: Result };
  readonly #prepared: Prepared;
  readonly #query: Query;
  readonly #statement: D1PreparedStatement;

  constructor(built: Prepared, db: Database, values: readonly Value[]) {
    super();
    const { sql: text, params } = built.getQuery();
    this.#prepared = built;
    this.#query = { sql: text, params: fillPlaceholders(params, { ...values }) };
    this.#statement = db.$client.prepare(text);
  }

  override async execute(): Promise<Result> {
    const rows = await this.#statement.bind(...this.#query.params).raw();
    // drizzle declares no types for the rows that it maps.
    return this.#prepared.mapResult(rows) as Result;
  }

  toSQL(): Query {
    return this.#query;
  }

  /** What drizzle's batch asks of each statement. */
  _prepare() {
    return {
      getQuery: () => this.#query,
      stmt: this.#statement,
      mapResult: (answer: unknown, isFromBatch: boolean) => this.#prepared.mapResult(answer, isFromBatch),
    };
  }
}

/** Builds SQL, and never runs it. */
const builder = openDatabase({ prepare: () => null } as unknown as D1Database);

function placeholdersFor<Values extends Value[]>(values: Values): Values {
  // Each stands for the value that a call passes in its place.
  return values.map((_, index) => incomputable(sql.placeholder(String(index)))) as unknown as Values;
}

/** Otherwise `now - day` would be NaN in every later query. */
function incomputable(placeholder: Placeholder): Placeholder {
  const refuse = (): never => {
    throw new TypeError("A prepared query can't compute with its values: do it in SQL, or pass the result");
  };
  return Object.assign(placeholder, { [Symbol.toPrimitive]: refuse });
}
