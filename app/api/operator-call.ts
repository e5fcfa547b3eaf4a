import * as v from "valibot";
import type { App } from "#app/app.ts";
import type { Result } from "#app/core/result.ts";
import { text } from "#app/core/text/text.ts";
import type { RowsPage } from "#app/modules/operators/reads/read-page.server.ts";
import { findLengthMin } from "#app/modules/operators/rules.ts";
import { spellInstants } from "#app/core/time/time.ts";
import { type BodySchema, type Call, describeCall } from "./call.ts";
import { type ProblemCode, problem } from "./problems.ts";

type OperatorCall<Body extends BodySchema | null, Refusal extends ProblemCode> = {
  method: "GET" | "POST";
  path: `/${string}`;
  summary: string;
  body: Body;
  problems: Refusal[];
  /** A refusal's reason is the problem's code. */
  run: (
    app: App,
    input: { operator: string; body: Body extends BodySchema ? v.InferOutput<Body> : null },
  ) => Promise<Result<unknown, { reason: Refusal }>>;
};

/** Results are returned in readable form: instants in ISO 8601. */
export function describeOperatorCall<Body extends BodySchema | null, const Refusal extends ProblemCode = never>(
  described: OperatorCall<Body, Refusal>,
): Call {
  return describeCall({
    ...described,
    caller: "operator",
    answers: [{ status: 200, what: described.summary, body: null }],
    run: async (app, input) => {
      const result = await described.run(app, input);
      return result.ok
        ? { status: 200, body: spellInstants(result.value ?? { done: true }) }
        : problem(result.refusal.reason);
    },
  });
}

/** Checks only the id's format: the command looks up what it refers to. */
export function idField(name: string) {
  return v.pipe(v.string(`${name}-missing`), v.regex(/^[a-z]{2,8}_[\w.:-]{1,100}$/, `${name}-malformed`));
}

/** Where a page of a list starts: the `next` of the previous page. */
export const cursorField = v.optional(
  v.pipe(text({ malformed: "after-malformed" }), v.maxLength(300, "after-malformed")),
);

/** A page of a list as returned, with its rows under the list's own name. */
export function called<Name extends string, Shown>(name: Name, { rows, total, next }: RowsPage<Shown>) {
  return { [name]: rows, total, next };
}

export const findField = v.pipe(
  text({ missing: "find-missing", malformed: "find-malformed" }),
  v.minLength(findLengthMin, "find-too-short"),
  v.maxLength(254, "find-malformed"),
);
