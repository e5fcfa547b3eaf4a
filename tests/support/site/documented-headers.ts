import { expect } from "vitest";
import type { Call } from "#app/api/call.ts";
import { type AnswerHeader, answerHeaders, headersOf, type ProblemCode } from "#app/api/problems.ts";

/** Every answer of a call has exactly the headers that the OpenAPI document lists, no fewer and no others. */
export function expectDocumentedHeaders(call: Call | undefined, answer: Response, code: ProblemCode | undefined): void {
  // An unknown call isn't in the document.
  if (!call && code !== "method-not-allowed") return;
  const described = call?.answers.find(({ status }) => status === answer.status)?.headers ?? [];
  const sent = (Object.keys(answerHeaders) as AnswerHeader[]).filter((name) => answer.headers.has(name));
  expect(sent.toSorted()).toEqual([...(code ? headersOf([code]) : described)].toSorted());
}
