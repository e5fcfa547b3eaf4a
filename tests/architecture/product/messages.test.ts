import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { overviewForm } from "#app/modules/accounts/account-forms.rules.ts";
import { logInForm, signUpForm, verifyForm } from "#app/modules/accounts/rules.ts";
import { devicesForm } from "#app/modules/devices/rules.ts";
import { upgradeForm } from "#app/modules/orders/rules.ts";
import { withdrawalForm } from "#app/modules/withdrawals/withdrawals.rules.ts";
import { planForm } from "#app/modules/subscriptions/rules.ts";
import { preferencesForm } from "#app/modules/catalogue/preferences.rules.ts";
import { confirmForm, entryForm, joinForm, joinKnownForm } from "#app/modules/waitlist/rules.ts";
import { product } from "#app/product/config.ts";
import { refusalMessages } from "#app/http/forms/form-refusal.messages.ts";
import { loginMessages } from "#app/routes/login/messages.ts";
import { devicesMessages } from "#app/routes/settings/devices/messages.ts";
import { reasonProblemMessages } from "#app/routes/settings/plan/ask-reason.messages.ts";
import { preferencesMessages } from "#app/routes/settings/preferences/messages.ts";
import { signUpFieldsMessages } from "#app/routes/signup/sign-up-fields.messages.ts";
import { upgradeMessages } from "#app/routes/settings/upgrade/messages.ts";
import { verifyMessages } from "#app/routes/verify/messages.ts";
import { waitlistMessages } from "#app/routes/waitlist/messages.ts";
import { withdrawMessages } from "#app/routes/withdraw/messages.ts";
import { accountMessages } from "#app/routes/settings/account-forms/messages.ts";

/** The texts of a messages file: what is between quotes, without the placeholders. */
function textsOf(file: string): string[] {
  const source = readFileSync(file, "utf8").replaceAll(/\$\{[^}]*\}/g, "");
  return [...source.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(
    ([, plain, filled]) => plain ?? filled ?? "",
  );
}

const modules = globSync("app/**/{*.,}messages.ts");

test("no text has an exclamation mark", () => {
  expect(modules.length).toBeGreaterThan(30);
  const loud = modules.flatMap((file) => textsOf(file).filter((text) => /!|\bOops\b|\bWoo/i.test(text)));
  expect(loud).toEqual([]);
});

/** The names of a schema's problems: each `message` anywhere in it. */
function problemsIn(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null || schema instanceof RegExp) return [];
  return Object.entries(schema).flatMap(([name, part]) =>
    name === "message" && typeof part === "string" ? [part] : problemsIn(part),
  );
}

const waitlist = waitlistMessages.en.problems;
const forms: [page: string, schema: unknown, problems: object][] = [
  ["signup", signUpForm, signUpFieldsMessages.en.problems],
  ["login", logInForm, loginMessages.en.problems],
  ["verify", verifyForm, { ...signUpFieldsMessages.en.problems, ...verifyMessages.en.problems }],
  ["you", overviewForm(product), accountMessages.en.problems],
  ["devices", devicesForm, devicesMessages.en.problems],
  ["plan", planForm, reasonProblemMessages.en],
  ["upgrade", upgradeForm, upgradeMessages.en.problems],
  ["withdraw", withdrawalForm, withdrawMessages.en.problems],
  ["preferences", preferencesForm(product.preferences), preferencesMessages.en.problems],
  ...[joinForm, joinKnownForm, confirmForm, entryForm].map((schema): [string, unknown, object] => [
    "waitlist",
    schema,
    waitlist,
  ]),
];

test.each(forms)("the page %s has a message for each problem of its form", (_page, schema, problems) => {
  const found = problemsIn(schema);
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter((problem) => !(problem in problems) && !(problem in refusalMessages.en.anywhere))).toEqual([]);
});
