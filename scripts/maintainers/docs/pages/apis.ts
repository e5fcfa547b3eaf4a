import { callsOf } from "#app/api/calls.ts";
import { problemsOf as problemsOfCall } from "#app/api/problem-schemas.ts";
import { operatorCalls } from "#app/api/operator-calls.ts";
import { operatorProblems } from "#app/api/operator-problems.ts";
import { problems } from "#app/api/problems.ts";
import { featureTools } from "../../../features.ts";
import { product } from "#app/product/config.ts";
import { type Schema, variantsOf } from "../fields.ts";
import { code, codes, type Page, section, sentence, table } from "../markdown.ts";

type Call = (typeof operatorCalls)[number];

/** For a product with a meter, and with something of each kind that features have. */
const calls = callsOf({
  ...product,
  ...Object.assign({}, ...featureTools.map(({ docs }) => docs?.settings)),
  meters: [{ key: "meter", label: "", kind: "last", unit: "count", limit: "devices" }],
});

export function productApiPage(): Page {
  return {
    file: "product-api.md",
    title: "Product API",
    about: [
      "Calls below `/api/v1`, JSON both ways; a device sends its token as bearer. The same is at `/api/v1/openapi.json`;",
      "[the guide](../guides/product-api.md) has a client and the rules.",
    ].join("\n"),
    sections: [...calls.map((call) => describe(call, problemsOfCall(call))), describeProblems(problems)],
  };
}

export function operatorApiPage(): Page {
  return {
    file: "operator-api.md",
    title: "Operators' API",
    about: [
      "Calls below `/api/operator`, which `npm run ops` makes: the bearer is `OPERATOR_TOKEN`, the header `Operator` says who calls. A GET takes",
      "its fields in its query. Lists come in pages of `listedMax` with `total` and `next`, the cursor for `after`.",
    ].join("\n"),
    sections: [...operatorCalls.map((call) => describe(call, call.problems)), describeProblems(operatorProblems)],
  };
}

function describe(call: Call, problems: readonly string[]): string {
  const answers = call.answers.map(({ status, what }) => `${status} (${what})`).join(", ");
  const fields = call.body ? variantsOf(call.body as unknown as Schema) : [];
  return section(
    code(`${call.method} ${call.path}`),
    sentence(call.summary),
    [
      ...(call.caller === "operator" ? [] : [`- Caller: ${call.caller}`, `- Answers: ${answers}`]),
      `- Problems: ${codes(problems, "none of its own")}`,
    ].join("\n"),
    ...fields.map((variant) =>
      table(
        ["field", "accepts", "problems"],
        variant.map(({ name, accepts, problems: wrong }) => [code(name), accepts, codes(wrong)]),
      ),
    ),
  );
}

function describeProblems(kinds: Readonly<Record<string, { status: number; title: string }>>): string {
  const rows = Object.entries(kinds).map(([name, { status, title }]) => [code(name), String(status), title]);
  return section("Problems", table(["code", "status", "title"], rows));
}
