import type * as v from "valibot";
import { hashToken } from "#app/core/hash.ts";
import type { Answer, Call } from "./call.ts";
import { type Problem, problem } from "./problems.ts";

/** The answer is the same for an unknown token, a revoked one and none at all. */
export function refuseToken(): Problem {
  return problem("token-refused", { headers: { "WWW-Authenticate": "Bearer" } });
}

/** A weak ETag for a response: an equal one means that the caller's copy is equivalent. */
export async function etagOf(facts: unknown): Promise<string> {
  return `W/"${(await hashToken(JSON.stringify(facts))).slice(0, 26)}"`;
}

/** How a call declares that it responds with `answerUnlessKnown`. */
export function describeUnlessKnown(
  what: string,
  body: v.GenericSchema,
  known: string,
): Pick<Call, "headers" | "answers"> {
  const headers = ["ETag"] as const;
  return {
    headers: [{ name: "If-None-Match", what: "The ETag of your copy", required: false }],
    answers: [
      { status: 200, what, body, headers },
      { status: 304, what: known, body: null, headers },
    ],
  };
}

/** 304 when the caller already has it; the body is only built for other callers. */
export async function answerUnlessKnown(
  request: Request,
  etag: string,
  make: () => Promise<unknown>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const all = { ...headers, ETag: etag };
  if (isNamed(request.headers.get("If-None-Match"), etag)) return { status: 304, headers: all };
  return { status: 200, body: await make(), headers: all };
}

/** Whether an `If-None-Match` or `If-Match` header names this ETag. */
export function isNamed(header: string | null, etag: string): boolean {
  const bare = (name: string) => name.trim().replace(/^W\//, "");
  return header !== null && header.split(",").some((name) => name.trim() === "*" || bare(name) === bare(etag));
}
