import { createRequestHandler } from "react-router";

const handler = createRequestHandler(() => import("virtual:react-router/server-build"), import.meta.env.MODE);

/** `/query` does without React Router: a Worker that asks the database once and answers with what it says. */
async function answerQuery({ DB }: Env): Promise<Response> {
  const { results } = await DB.prepare("select ?1 as answer").bind("yes").all();
  return Response.json(results);
}

export default {
  fetch: (request, env) => (new URL(request.url).pathname === "/query" ? answerQuery(env) : handler(request)),
} satisfies ExportedHandler<Env>;
