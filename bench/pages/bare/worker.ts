import { createRequestHandler } from "react-router";

const handler = createRequestHandler(() => import("virtual:react-router/server-build"), import.meta.env.MODE);

/**
 * `/query` does without React Router: a Worker that asks the database once and answers with what it says. `/limited-query` asks the
 * rate limiter first.
 */
async function answerQuery({ DB }: Pick<Env, "DB">): Promise<Response> {
  const { results } = await DB.prepare("select ?1 as answer").bind("yes").all();
  return Response.json(results);
}

async function answerLimitedQuery({ DB, RATE_LIMIT_API }: Pick<Env, "DB" | "RATE_LIMIT_API">): Promise<Response> {
  const { success } = await RATE_LIMIT_API.limit({ key: "everyone" });
  return success ? answerQuery({ DB }) : new Response(null, { status: 429 });
}

export default {
  async fetch(request, env) {
    const [, first = ""] = new URL(request.url).pathname.split("/");
    if (first === "query") return answerQuery(env);
    if (first === "limited-query") return answerLimitedQuery(env);
    return handler(request);
  },
} satisfies ExportedHandler<Env>;
