import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { operatorCalls } from "#app/api/operator-calls.ts";
import { operatorProblems } from "#app/api/operator-problems.ts";
import { problemsOf as problemsOfCall } from "#app/api/problem-schemas.ts";
import { bodyProblems, problems } from "#app/api/problems.ts";
import { preferencesBody } from "#app/modules/catalogue/preferences.rules.ts";
import { product } from "#app/product/config.ts";
import { addresses } from "#tests/support/site/addresses.ts";
import { exportedConstants, isWords, localNumbers } from "../../../scripts/docs/constants.ts";
import { problemsOf } from "../../../scripts/docs/fields.ts";
import { calls } from "../../../scripts/docs/pages/apis.ts";
import { messagesOf } from "../../../scripts/docs/pages/errors.ts";
import { forms, oneOfEachKind } from "../../../scripts/docs/pages/forms.ts";
import { pathOf } from "../../../scripts/docs/pages/routes.ts";
import { variables, variablesRead } from "../../../scripts/docs/pages/variables.ts";
import { apiProblems, fieldProblems } from "../../../scripts/docs/problems.ts";
import { reasons } from "../../../scripts/docs/reasons.ts";
import { folder, reference } from "../../../scripts/docs/reference.ts";
import { commentsOf, sourceFiles } from "../../../scripts/docs/source.ts";

const files = await reference();
const sources = new Map(sourceFiles().map((path) => [path, readFileSync(path, "utf8")] as const));
const unique = (list: readonly string[]) => [...new Set(list)].toSorted();

describe("docs/reference", () => {
  test("matches the output of `npm run docs`", () => {
    const stored = readdirSync(folder).map((file) => [file, readFileSync(`${folder}/${file}`, "utf8")] as const);
    expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(files));
  });

  test("describes everything: no table ends with an empty cell", () => {
    const empty = [...files].flatMap(([file, text]) =>
      text.split("\n").flatMap((line) => (/^\|.*\|\s*\|$/.test(line) ? `${file}: ${line.replaceAll(/ +/g, " ")}` : [])),
    );
    expect(empty).toEqual([]);
    expect([...files.values()].join("\n").match(/^\|/gm)?.length).toBeGreaterThan(1000);
  });

  test("has every number that a module exports or a file uses", async () => {
    const exported = await exportedConstants();
    const undescribed = [...exported, ...localNumbers(exported)].filter(
      ({ comment, value }) => comment === "" && !isWords(value),
    );
    expect(undescribed.map(({ file, name }) => `${file} ${name}`)).toEqual([]);
    expect(exported.length).toBeGreaterThan(150);
  });

  test("has every variable that the Worker reads", () => {
    const described = variables().map(({ name }) => name);
    expect(variablesRead().filter((name) => !described.includes(name))).toEqual([]);
    expect(variablesRead().length).toBeGreaterThan(10);
  });

  test("has every setting of the product", () => {
    const comments = commentsOf("app/modules/catalogue/rules.ts");
    expect(Object.keys(product).filter((key) => !comments.get(`ProductConfig.${key}`))).toEqual([]);
  });
});

test("lists the thirteen fixed pages before all other routes", () => {
  expect(addresses.slice(0, 13).map(({ pattern }) => pathOf(pattern))).toEqual([
    "/",
    "/signup",
    "/login",
    "/verify",
    "/waitlist",
    "/payment/{status}",
    "/settings",
    "/settings/{segment}/account",
    "/settings/{segment}/plan",
    "/settings/{segment}/settings",
    "/settings/orders",
    "/settings/referral",
    "/settings/upgrade",
  ]);
});

describe("reasons of refusals", () => {
  /** Words after `reason:` up to the end of that member, a choice between two among them. */
  const given = [...sources.values()].flatMap((text) =>
    [...text.matchAll(/\breason: ([^;,}\n]*)/g)].flatMap(([, value = ""]) =>
      [...value.matchAll(/(?<!\[)"([a-z]+(?:-[a-z]+)*)"/g)].map(([, reason = ""]) => reason),
    ),
  );

  test("are all described, and no others are", () => {
    expect(Object.keys(reasons).toSorted()).toEqual(unique(given));
  });

  test("have the statuses that the code returns", () => {
    const isAnswer = (path: string) => /^app\/(api|http|routes)\//.test(path);
    const answered = [
      /^ +"?([a-z]+(?:-[a-z]+)+)"?: (\d{3}),$/gm,
      /\breason: "([a-z-]+)"(?: as const)?[;,]\s+status: (\d{3})/g,
      /\bcase "([a-z-]+)":\s+return data\([^;]*?status: (\d{3})/g,
      /"([a-z-]+)": \{ status: (\d{3}), title: /g,
      /\breason(?:: | === )"([a-z-]+)"(?: as const \},|\) return data\(refusal,) \{ status: (\d{3})/g,
    ].flatMap((pattern) => [...sources].flatMap(([path, text]) => (isAnswer(path) ? [...text.matchAll(pattern)] : [])));
    const ours = answered.filter(([, reason = ""]) => reason in reasons);
    expect(ours.length).toBeGreaterThan(70);
    const differing = ours.filter(([, reason = "", status]) => !reasons[reason]?.status.includes(Number(status)));
    expect(differing.map(([, reason, status]) => [reason, status])).toEqual([]);
  });

  test("have a message where a user or an operator encounters them", () => {
    const silent = Object.entries(reasons).flatMap(([reason, { status }]) =>
      status.length > 0 && messagesOf(reason).length === 0 ? [reason] : [],
    );
    // The form shows each field's problem; Stripe reads no message; the page merges, and products read the API's
    // titles.
    expect(silent).toEqual([
      "invalid-fields",
      "report-unsigned",
      "signature-invalid",
      "changed-elsewhere",
      "licence-key-refused",
      "report-from-future",
    ]);
  });
});

describe("documented problems", () => {
  test("include every field problem, and no others", async () => {
    const bodies = calls.flatMap(({ body }) => (body ? [body] : []));
    const schemas = [...(await forms()).map(({ schema }) => schema), ...bodies, preferencesBody(oneOfEachKind)];
    expect(Object.keys(fieldProblems).toSorted()).toEqual(unique(schemas.flatMap(problemsOf)));
  });

  test("include those that calls of the product API can return", () => {
    const met = calls.flatMap((call) => problemsOfCall(call));
    // One isn't specific to a call.
    expect(unique([...met, ...bodyProblems, "no-such-call"])).toEqual(unique(Object.keys(problems)));
    expect(Object.keys(apiProblems).filter((code) => !(code in problems))).toEqual([]);
  });

  test("include those of the operators' calls, with the status of each reason", () => {
    expect(unique(operatorCalls.flatMap((call) => call.problems))).toEqual(unique(Object.keys(operatorProblems)));
    const differing = Object.entries(operatorProblems).filter(
      ([code, { status }]) => !reasons[code]?.status.includes(status),
    );
    expect(differing).toEqual([]);
  });
});

test("every file that the reference names exists", () => {
  const named = [...files.values()].flatMap((text) =>
    [...text.matchAll(/`((?:app|workers)\/[\w./-]+\.tsx?)`/g)].map(([, path = ""]) => path),
  );
  expect(named.length).toBeGreaterThan(200);
  expect(unique(named).filter((path) => !existsSync(path))).toEqual([]);
});
