/**
 * The Worker that benches run in front of the built site, stripped of its types and placed next to the `index.js` it imports: it
 * sums the rows that D1 reports as read and written by each statement, until a request to /counted. Responses wait for their background
 * work.
 */

/** A statement that D1 ran, with the rows it read and wrote. `trip` numbers the round trip it was part of. */
export type CountedStatement = { query: string; read: number; written: number; trip: number };

type Handler = {
  fetch(request: Request, env: Env, ctx: unknown): Promise<Response>;
  scheduled(controller: ScheduledController, env: Env, ctx: unknown): Promise<void>;
};
type Watched = D1PreparedStatement & { original: { statement: D1PreparedStatement; query: string } };

const built = "./index.js";
const { default: site } = (await import(built)) as { default: Handler };

let counted: CountedStatement[] = [];
let trips = 0;

function note(query: string, trip: number, { rows_read: read, rows_written: written }: D1Meta): void {
  counted.push({ query, read, written, trip });
}

const isRead = (query: string): boolean => /^\s*(select|with)/i.test(query);

function watch(statement: D1PreparedStatement, query: string): D1PreparedStatement {
  return new Proxy(statement, {
    get(target, name) {
      if (name === "original") return { statement: target, query };
      if (name === "bind") return (...values: unknown[]) => watch(target.bind(...values), query);
      if (name === "run" || name === "all") {
        return async () => {
          const trip = ++trips;
          const answer = await target[name]();
          note(query, trip, answer.meta);
          return answer;
        };
      }
      // Raw rows come without metadata, so a statement that only reads is run a second time.
      if (name === "raw") {
        return async () => {
          const trip = ++trips;
          const rows = isRead(query) ? await target.raw() : null;
          const answer = await target.all<Record<string, unknown>>();
          note(query, trip, answer.meta);
          return rows ?? answer.results.map((row) => Object.values(row));
        };
      }
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

function countingDatabase(database: D1Database): D1Database {
  return new Proxy(database, {
    get(target, name) {
      if (name === "prepare") return (query: string) => watch(target.prepare(query), query);
      if (name === "batch") {
        return async (statements: Watched[]) => {
          const trip = ++trips;
          const originals = statements.map(({ original }) => original);
          const answers = await target.batch(originals.map(({ statement }) => statement));
          for (const [index, { meta }] of answers.entries()) note(originals[index]?.query ?? "", trip, meta);
          return answers;
        };
      }
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

async function untilAllIsDone(
  env: Env,
  run: (env: Env, ctx: unknown) => Promise<Response | void>,
): Promise<Response | undefined> {
  const later: Promise<unknown>[] = [];
  const ctx = { waitUntil: (work: Promise<unknown>) => later.push(work), passThroughOnException() {}, props: {} };
  const answer = await run({ ...env, DB: countingDatabase(env.DB) }, ctx);
  const body = answer?.body ? await answer.arrayBuffer() : null;
  for (let work = later.shift(); work !== undefined; work = later.shift()) await work;
  return answer ? new Response(body, answer) : undefined;
}

export default {
  async fetch(request: Request, env: Env) {
    if (new URL(request.url).pathname !== "/counted") {
      return untilAllIsDone(env, (counting, ctx) => site.fetch(request, counting, ctx));
    }
    const response = Response.json(counted);
    counted = [];
    return response;
  },
  async scheduled(controller: ScheduledController, env: Env) {
    await untilAllIsDone(env, (counting, ctx) => site.scheduled(controller, counting, ctx));
  },
};
