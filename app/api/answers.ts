import type * as v from "valibot";
import { hashToken } from "#app/core/digest.ts";
import type { Answer, Call } from "./call.ts";
import { type Problem, problem } from "./problems.ts";

/** The same for a token that never was, one that was taken back and none at all. */
export function refuseToken(): Problem {
  return problem("token-refused", { headers: { "WWW-Authenticate": "Bearer" } });
}

/** A name for what an answer says, to be compared weakly: the same name means that what the caller has is as good. */
export async function etagOf(facts: unknown): Promise<string> {
  return `W/"${(await hashToken(JSON.stringify(facts))).slice(0, 26)}"`;
}

/** How a call describes that it answers by `answerUnlessKnown`. */
export function describeUnlessKnown(
  what: string,
  body: v.GenericSchema,
  known: string,
): Pick<Call, "headers" | "answers"> {
  const headers = ["ETag"] as const;
  return {
    headers: [{ name: "If-None-Match", what: "The ETag of the answer that is there", required: false }],
    answers: [
      { status: 200, what, body, headers },
      { status: 304, what: known, body: null, headers },
    ],
  };
}

/** 304 for whoever has it already; what the answer holds is made for the others alone. */
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

/** Is this one among the names of an `If-None-Match` or `If-Match` header? */
export function isNamed(header: string | null, etag: string): boolean {
  const bare = (name: string) => name.trim().replace(/^W\//, "");
  return header !== null && header.split(",").some((name) => name.trim() === "*" || bare(name) === bare(etag));
}
