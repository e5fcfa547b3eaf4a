import { createRequestHandler } from "react-router";
import { readOrders } from "../../frameworks/orders-page.ts";

const handler = createRequestHandler(() => import("virtual:react-router/server-build"), import.meta.env.MODE);

/**
 * `/query` does without React Router: a Worker that asks the database once and answers with what it says. So does `/data/<account>`, with
 * the data of the page of orders.
 */
async function answerQuery({ DB }: Env): Promise<Response> {
  const { results } = await DB.prepare("select ?1 as answer").bind("yes").all();
  return Response.json(results);
}

export default {
  async fetch(request, env) {
    const [, first = "", account = ""] = new URL(request.url).pathname.split("/");
    if (first === "query") return answerQuery(env);
    if (first === "data") return Response.json(await readOrders(env.DB, account));
    return handler(request);
  },
} satisfies ExportedHandler<Env>;
