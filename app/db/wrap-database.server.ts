/** Runs the statements of a wrapped database: `run` is what the statement would do by itself. */
type StatementRunner = {
  /** A statement alone that answers with objects: `run` and `all`. */
  runOne<Row>(statement: WrappedStatement, run: () => Promise<D1Result<Row>>): Promise<D1Result<Row>>;
  /** A statement alone that answers in another shape: `first` and `raw`. */
  read<Answer>(statement: WrappedStatement, run: () => Promise<Answer>): Promise<Answer>;
  runBatch<Row>(statements: WrappedStatement[]): Promise<D1Result<Row>[]>;
};

/** What is used of D1: the database itself, or a session of it. */
export type DatabaseBinding = Pick<D1Database, "prepare" | "batch">;

/** A binding whose statements run through `runner`. */
export function wrapDatabase(binding: DatabaseBinding, runner: StatementRunner): DatabaseBinding {
  return {
    prepare: (sql) => new WrappedStatement(binding.prepare(sql), sql, runner),
    batch: <Row>(statements: D1PreparedStatement[]) =>
      runner.runBatch<Row>(
        statements.map((statement) =>
          statement instanceof WrappedStatement && statement.runner === runner
            ? statement
            : new WrappedStatement(statement, "", runner),
        ),
      ),
  };
}

/** `original`: the statement to run. `sql` is empty for a statement that another database has prepared. */
export class WrappedStatement implements D1PreparedStatement {
  readonly original: D1PreparedStatement;
  readonly sql: string;
  readonly runner: StatementRunner;

  constructor(original: D1PreparedStatement, sql: string, runner: StatementRunner) {
    this.original = original;
    this.sql = sql;
    this.runner = runner;
  }

  bind(...values: unknown[]): WrappedStatement {
    return new WrappedStatement(this.original.bind(...values), this.sql, this.runner);
  }

  run<Row = Record<string, unknown>>(): Promise<D1Result<Row>> {
    return this.runner.runOne(this, () => this.original.run<Row>());
  }

  all<Row = Record<string, unknown>>(): Promise<D1Result<Row>> {
    return this.runner.runOne(this, () => this.original.all<Row>());
  }

  first<Value>(column?: string): Promise<Value | null> {
    return this.runner.read(this, () =>
      column === undefined ? this.original.first<Value>() : this.original.first<Value>(column),
    );
  }

  raw<Row = unknown[]>(options: { columnNames: true }): Promise<[string[], ...Row[]]>;
  raw<Row = unknown[]>(options?: { columnNames?: false }): Promise<Row[]>;
  raw<Row>(options?: { columnNames?: boolean }): Promise<[string[], ...Row[]] | Row[]> {
    return this.runner.read<[string[], ...Row[]] | Row[]>(this, () =>
      options?.columnNames ? this.original.raw<Row>({ columnNames: true }) : this.original.raw<Row>(),
    );
  }
}
