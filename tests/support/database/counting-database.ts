import type { DatabaseBinding } from "#app/db/wrap-database.server.ts";

type Note = (query: string, rowsRead: number) => void;

/** The statement of D1 that each of ours stands for. */
const originals = new WeakMap<D1PreparedStatement, { statement: D1PreparedStatement; query: string }>();

/** A D1 binding that reports how many rows D1 says that each statement read. */
export function countingReads(database: DatabaseBinding, note: Note): DatabaseBinding {
  return {
    prepare: (query) => counted(database.prepare(query), query, note),
    async batch<Row>(statements: D1PreparedStatement[]) {
      const own = statements.map((statement) => originals.get(statement) ?? { statement, query: "" });
      const answers = await database.batch<Row>(own.map(({ statement }) => statement));
      for (const [index, { meta }] of answers.entries()) note(own[index]?.query ?? "", meta.rows_read);
      return answers;
    },
  };
}

function counted(statement: D1PreparedStatement, query: string, note: Note): D1PreparedStatement {
  const counting = new Proxy(statement, {
    get(target, name) {
      if (name === "bind") return (...values: unknown[]) => counted(target.bind(...values), query, note);
      if (name === "run" || name === "all")
        return async () => {
          const answer = await target[name]();
          note(query, answer.meta.rows_read);
          return answer;
        };
      // Raw rows come without metadata, so a statement that only reads runs a second time.
      if (name === "raw")
        return async () => {
          const rows = /^\s*(select|with)/i.test(query) ? await target.raw() : null;
          const answer = await target.all<Record<string, unknown>>();
          note(query, answer.meta.rows_read);
          return rows ?? answer.results.map((row) => Object.values(row));
        };
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  originals.set(counting, { statement, query });
  return counting;
}
