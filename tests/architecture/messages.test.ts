import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { emailField, logInForm, signUpForm, verifyForm, youForm } from "#app/modules/accounts/rules.ts";
import { devicesForm } from "#app/modules/devices/rules.ts";
import { upgradeForm } from "#app/modules/orders/rules.ts";
import { withdrawalForm } from "#app/modules/withdrawals/withdrawals.rules.ts";
import { planForm } from "#app/modules/subscriptions/rules.ts";
import { preferencesForm } from "#app/modules/catalogue/preferences.rules.ts";
import { confirmForm, entryForm, joinForm, joinKnownForm } from "#app/modules/waitlist/rules.ts";
import { product } from "#app/product/config.ts";
import { refusalWords } from "#app/http/form-refusal.messages.ts";
import { loginWords } from "#app/routes/login/messages.ts";
import { preferencesWords } from "#app/routes/settings/preferences/messages.ts";
import { signupWords } from "#app/routes/signup/messages.ts";
import { upgradeWords } from "#app/routes/settings/upgrade/messages.ts";
import { verifyWords } from "#app/routes/verify/messages.ts";
import { waitlistWords } from "#app/routes/waitlist/messages.ts";
import { withdrawWords } from "#app/routes/withdraw/messages.ts";
import { youWords } from "#app/routes/settings/overview/messages.ts";

/** The texts of a words module: what stands between quotes, without what is filled in. */
function textsOf(file: string): string[] {
  const source = readFileSync(file, "utf8").replaceAll(/\$\{[^}]*\}/g, "");
  return [...source.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(
    ([, plain, filled]) => plain ?? filled ?? "",
  );
}

const modules = globSync("app/**/{*.,}messages.ts");

test("no text raises its voice", () => {
  expect(modules.length).toBeGreaterThan(30);
  const loud = modules.flatMap((file) => textsOf(file).filter((text) => /!|\bOops\b|\bWoo/i.test(text)));
  expect(loud).toEqual([]);
});

/** What a schema calls a problem: each `message` anywhere in it. */
function problemsIn(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null || schema instanceof RegExp) return [];
  return Object.entries(schema).flatMap(([name, part]) =>
    name === "message" && typeof part === "string" ? [part] : problemsIn(part),
  );
}

const waitlist = waitlistWords.en.problems;
const forms: [page: string, schema: unknown, problems: object][] = [
  ["signup", signUpForm, signupWords.en.problems],
  ["login", logInForm, loginWords.en.problems],
  ["verify", verifyForm, { ...signupWords.en.problems, ...verifyWords.en.problems }],
  ["you", youForm, youWords.en.problems],
  ["devices", devicesForm, {}],
  ["plan", planForm, {}],
  ["upgrade", upgradeForm, upgradeWords.en.problems],
  ["withdraw", withdrawalForm(emailField), withdrawWords.en.problems],
  ["preferences", preferencesForm(product.preferences), preferencesWords.en.problems],
  ...[joinForm(emailField), joinKnownForm, confirmForm, entryForm].map((schema): [string, unknown, object] => [
    "waitlist",
    schema,
    waitlist,
  ]),
];

test.each(forms)("the page %s has words for each problem of its form", (_page, schema, problems) => {
  const found = problemsIn(schema);
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter((problem) => !(problem in problems) && !(problem in refusalWords.en.anywhere))).toEqual([]);
});
