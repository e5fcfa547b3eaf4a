import { answerCall } from "#app/api/answer-call.ts";
import type { TestApp } from "#tests/support/site/worker-app.ts";

export const operatorToken = "local-operator-token";

/** Calls of an operator who gives the name Nils. */
export async function askAsOperator(
  app: TestApp,
  path: string,
  init: { body?: object; headers?: Record<string, string>; method?: string } = {},
) {
  const { body } = init;
  const answer = await answerCall(
    app,
    new Request(`http://localhost:8787/api/operator${path}`, {
      method: init.method ?? (body ? "POST" : "GET"),
      headers: {
        Authorization: `Bearer ${operatorToken}`,
        Operator: "Nils",
        ...(body && { "Content-Type": "application/json" }),
        ...init.headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  // The test knows what each call answers.
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}
