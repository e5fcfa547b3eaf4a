/**
 * The Worker that the scale bench runs in front of the built site, next to whose `index.js` it is placed: it sums the rows that D1 reports
 * as read and written by each statement, until a request to /counted. Responses wait for their background work.
 */
import site from "./index.js";

let counted = [];

function note(query, { rows_read: read, rows_written: written }) {
  counted.push({ query, read, written });
}

const isRead = (query) => /^\s*(select|with)/i.test(query);

function watch(statement, query) {
  return new Proxy(statement, {
    get(target, name) {
      if (name === "original") return { statement: target, query };
      if (name === "bind") return (...values) => watch(target.bind(...values), query);
      if (name === "run" || name === "all") {
        return async () => {
          const answer = await target[name]();
          note(query, answer.meta);
          return answer;
        };
      }
      // Raw rows come without metadata: a read-only statement is run a second time.
      if (name === "raw") {
        return async () => {
          const rows = isRead(query) ? await target.raw() : null;
          const answer = await target.all();
          note(query, answer.meta);
          return rows ?? answer.results.map((row) => Object.values(row));
        };
      }
      const member = target[name];
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

function countingDatabase(database) {
  return new Proxy(database, {
    get(target, name) {
      if (name === "prepare") return (query) => watch(target.prepare(query), query);
      if (name === "batch") {
        return async (statements) => {
          const originals = statements.map(({ original }) => original);
          const answers = await target.batch(originals.map(({ statement }) => statement));
          for (const [index, { meta }] of answers.entries()) note(originals[index].query, meta);
          return answers;
        };
      }
      const member = target[name];
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

async function untilAllIsDone(env, run) {
  const later = [];
  const ctx = { waitUntil: (work) => later.push(work), passThroughOnException() {}, props: {} };
  const answer = await run({ ...env, DB: countingDatabase(env.DB) }, ctx);
  const body = answer?.body ? await answer.arrayBuffer() : null;
  for (let work = later.shift(); work !== undefined; work = later.shift()) await work;
  return answer && new Response(body, answer);
}

export default {
  async fetch(request, env) {
    if (new URL(request.url).pathname !== "/counted") {
      return untilAllIsDone(env, (counting, ctx) => site.fetch(request, counting, ctx));
    }
    const response = Response.json(counted);
    counted = [];
    return response;
  },
  async scheduled(controller, env) {
    await untilAllIsDone(env, (counting, ctx) => site.scheduled(controller, counting, ctx));
  },
};
