import * as v from "valibot";
import { answerUnlessKnown, describeUnlessKnown, etagOf } from "./answers.ts";
import { type Call, describeCall } from "./call.ts";

/** The call that returns the OpenAPI document, which includes itself. */
export function openApiCall(calls: readonly Call[]): Call {
  const own: Call = describeCall({
    method: "GET",
    path: "/openapi.json",
    caller: "anyone",
    summary: "This document",
    body: null,
    ...describeUnlessKnown(
      "All calls, as OpenAPI 3.1",
      v.looseObject({ openapi: v.literal("3.1.0") }),
      "Your copy is current",
    ),
    problems: [],
    async run(app, { request }) {
      const { openApi } = await import("./open-api.ts");
      const document = openApi(app, [...calls, own]);
      // The same for every caller, so shared caches may store it for a while.
      const headers = { "Cache-Control": "public, max-age=300" };
      return answerUnlessKnown(request, await etagOf(document), async () => document, headers);
    },
  });
  return own;
}
