import { fillPlaceholders, type Placeholder, QueryPromise, sql } from "drizzle-orm";
import type { D1PreparedQuery } from "drizzle-orm/d1";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import { type Database, openDatabase } from "./database.server.ts";

type Value = string | number | null;

/** What drizzle's builders have: `prepare` is a part of their public interface. */
type Read<Result> = PromiseLike<Result> & { prepare(): unknown };

/** The parts of drizzle's prepared query that its batch reads. */
type Built = Pick<D1PreparedQuery, "getQuery" | "mapResult" | "execute">;

/**
 * A read whose SQL is built once per isolate: building it takes drizzle longer than reading takes D1. `build` is called once, with a
 * placeholder for each value: it can pass values on to conditions, but must not compute with them (that throws) or decide by them.
 */
export function prepared<Values extends Value[], Result>(build: (db: Database, ...values: Values) => Read<Result>) {
  let built: Built | undefined;
  return (db: Database, ...values: Values): PreparedRead<Result> => {
    built ??= build(builder, ...placeholdersFor(values)).prepare() as Built;
    return new PreparedRead<Result>(built, db, values);
  };
}

/** A prepared read with its values: awaited, or part of a batch. */
class PreparedRead<Result> extends QueryPromise<Result> implements RunnableQuery<Result, "sqlite"> {
  declare readonly _: { readonly dialect: "sqlite"; readonly result: Result };
  readonly #bound: Built;

  constructor(built: Built, db: Database, values: readonly Value[]) {
    super();
    const { sql: text, params, ...rest } = built.getQuery();
    const query = { ...rest, sql: text, params: fillPlaceholders(params, { ...values }) };
    // drizzle's own query, with the statement of this request's database.
    this.#bound = Object.assign(Object.create(built), { query, stmt: db.$client.prepare(text) }) as Built;
  }

  override execute(): Promise<Result> {
    return this.#bound.execute() as Promise<Result>;
  }

  toSQL(): { sql: string; params: unknown[] } {
    return this.#bound.getQuery();
  }

  /** Called by drizzle's batch. */
  _prepare(): Built {
    return this.#bound;
  }
}

/** Builds SQL, and never runs it. */
const builder = openDatabase({ prepare: () => null } as unknown as D1Database);

function placeholdersFor<Values extends Value[]>(values: Values): Values {
  return values.map((_, index) => incomputable(sql.placeholder(String(index)))) as unknown as Values;
}

/** Otherwise `now - day` would be NaN in every later query. */
function incomputable(placeholder: Placeholder): Placeholder {
  const refuse = (): never => {
    throw new TypeError("A prepared query can't compute with its values: do it in SQL, or pass the result");
  };
  return Object.assign(placeholder, { [Symbol.toPrimitive]: refuse });
}
