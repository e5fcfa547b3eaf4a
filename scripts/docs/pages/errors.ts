import { globSync, readFileSync } from "node:fs";
import { callsOf } from "#app/api/calls.ts";
import { operatorProblems } from "#app/api/operator-problems.ts";
import { problems } from "#app/api/problems.ts";
import { code, codes, type Page, section, table } from "../markdown.ts";
import { apiProblems, fieldProblems } from "../problems.ts";
import { reasons } from "../reasons.ts";
import { sourceFiles } from "../source.ts";

export type Calls = ReturnType<typeof callsOf>;

export function errorsPage(): Page {
  return {
    file: "errors.md",
    title: "Errors",
    about: [
      "A refusal is expected: it has a reason, a status of 4xx (503 when a third-party service is down) and a message. Something that isn't",
      "there, or isn't the user's, is 404. A bug is thrown, reported once, and shows the report's reference id.",
    ].join("\n"),
    sections: [
      section("Reasons of refusals", refusals()),
      section("Problems of fields", fields()),
      section("Problems of the product API", apiProblemsTable()),
      section("Refusals of the tunnel for browser errors", tunnel()),
    ],
  };
}

const messageFiles = globSync("app/{api,client,http,routes}/**/{*.,}messages.ts").toSorted();
const texts = new Map(messageFiles.map((file) => [file, readFileSync(file, "utf8")] as const));

/** The files with a message for this reason. */
export function messagesOf(reason: string): string[] {
  const key = new RegExp(`^\\s*"?${reason}"?[:(]`, "m");
  return [
    // A plan can be paused as well as an address.
    ...messageFiles.filter(
      (file) => key.test(texts.get(file) ?? "") && !(reason === "paused" && file.includes("plan")),
    ),
    ...(reason in operatorProblems ? ["app/api/operator-problems.ts"] : []),
  ];
}

function refusals(): string {
  const rows = Object.entries(reasons).map(([reason, { status, when }]) => [
    code(reason),
    status.join(", ") || "none",
    codes(messagesOf(reason)),
    when,
  ]);
  return table(["reason", "status", "messages", "when"], rows);
}

function fields(): string {
  return table(
    ["problem", "when"],
    Object.entries(fieldProblems).map(([problem, when]) => [code(problem), when]),
  );
}

function apiProblemsTable(): string {
  const rows = Object.entries(problems).map(([problem, { status, title }]) => [
    code(problem),
    String(status),
    title,
    apiProblems[problem] ?? reasons[problem]?.when ?? "",
  ]);
  return table(["code", "status", "title", "when"], rows);
}

/** The tunnel's responses, in the order of its files: the calls of `refuse`, and the faults of an envelope's framing. */
export function tunnelRefusals(): { status: string; detail: string }[] {
  const found = sourceFiles().flatMap((file) => {
    if (!file.startsWith("workers/monitoring/")) return [];
    const text = readFileSync(file, "utf8");
    const answered = [...text.matchAll(/\brefuse\((\d+), "([^"]+)"/g)].map(([, status = "", detail = ""]) => ({
      status,
      detail,
    }));
    const faults = [...text.matchAll(/FramingFault = ([^;]+);/g)].flatMap(([, union = ""]) => [
      ...union.matchAll(/"(\w+)"/g),
    ]);
    return [...answered, ...faults.map(([, detail = ""]) => ({ status: "400", detail }))];
  });
  const seen = new Map(found.map((refusal) => [`${refusal.status} ${refusal.detail}`, refusal]));
  return [...seen.values()];
}

function tunnel(): string {
  return table(
    ["status", "detail"],
    tunnelRefusals().map(({ status, detail }) => [status, code(detail)]),
  );
}
