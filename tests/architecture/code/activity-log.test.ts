import { describe, expect, test } from "vitest";
import { calls } from "#app/api/calls.ts";
import {
  dataForm,
  notificationsForm,
  overviewForm,
  profileForm,
  securityForm,
} from "#app/modules/accounts/account-forms.rules.ts";
import { activityNames, type ActivityName } from "#app/modules/accounts/activities.rules.ts";
import { operatorTokenForm } from "#app/modules/operators/rules.ts";
import { logInForm, signUpForm, verifyForm } from "#app/modules/accounts/rules.ts";
import { preferencesForm } from "#app/modules/catalogue/preferences.rules.ts";
import { devicesForm } from "#app/modules/devices/rules.ts";
import { upgradeForm } from "#app/modules/orders/rules.ts";
import { planForm } from "#app/modules/subscriptions/rules.ts";
import { confirmForm, entryForm, joinForm, joinKnownForm } from "#app/modules/waitlist/rules.ts";
import { withdrawalForm } from "#app/modules/withdrawals/withdrawals.rules.ts";
import { product } from "#app/product/config.ts";
import { formIntentsOf } from "#tests/support/site/form-intents.ts";
import { hasAction, routeActions, schemasIn } from "#tests/support/site/route-actions.ts";

/**
 * What the log calls what each form does, by the name of its schema and by intent, or why it isn't sensitive; "" is a
 * form without an intent. A form or an intent that is added fails a test until it is listed here.
 */
const quote = "it shows an offer, and changes nothing";
const emailsCode = "it sends another code to the same address";
const preferences = "preferences of the product are no matter of the account's security";
const line = "a place on the waitlist is no account";
const operators = "the operators' token is about no account";
type Meaning = ActivityName[] | string;
const profileMeanings: Record<string, Meaning> = {
  profile: "a name and a time zone",
  appearance: "the theme of this browser",
};
const securityMeanings: Record<string, Meaning> = {
  "change-email": ["address-changed"],
  "end-session": ["session-ended"],
  "end-other-sessions": ["other-sessions-ended"],
  "add-passkey": ["passkey-added"],
  "remove-passkey": ["passkey-removed"],
};
const notificationsMeanings: Record<string, Meaning> = { mails: "which optional emails are sent" };
const dataMeanings: Record<string, Meaning> = { delete: ["leaving-begun"], restore: ["restored"] };
const forms: Record<string, { schema: object; meant: Record<string, Meaning> }> = {
  signUpForm: { schema: signUpForm, meant: { "": emailsCode } },
  logInForm: { schema: logInForm, meant: { "": emailsCode, passkey: ["signed-in-by-passkey", "passkey-copied"] } },
  verifyForm: {
    schema: verifyForm,
    meant: {
      "": ["signed-up", "signed-in", "confirmed", "address-changed", "address-reverted"],
      resend: emailsCode,
      "change-address": "it leads back to the form before",
      "continue-here": ["signed-up", "signed-in"],
      passkey: ["confirmed-by-passkey", "passkey-copied"],
    },
  },
  overviewForm: {
    schema: overviewForm(product),
    meant: { ...profileMeanings, ...securityMeanings, ...notificationsMeanings, ...dataMeanings },
  },
  operatorTokenForm: { schema: operatorTokenForm, meant: { "": operators, hide: operators } },
  profileForm: { schema: profileForm(product), meant: profileMeanings },
  securityForm: { schema: securityForm, meant: securityMeanings },
  notificationsForm: { schema: notificationsForm, meant: notificationsMeanings },
  dataForm: { schema: dataForm, meant: dataMeanings },
  devicesForm: {
    schema: devicesForm,
    meant: {
      "show-key": ["licence-key-shown"],
      "rotate-key": ["licence-key-rotated"],
      "remove-device": ["device-removed"],
      "rename-device": ["device-renamed"],
    },
  },
  planForm: {
    schema: planForm,
    meant: {
      cancel: ["plan-cancelled"],
      resume: ["plan-resumed"],
      "undo-change": ["plan-change-undone"],
      retry: ["payment-retried"],
      "update-card": ["portal-opened"],
      "give-reason": "an answer to a question about a plan that is cancelled already",
    },
  },
  upgradeForm: {
    schema: upgradeForm,
    meant: {
      quote,
      confirm: ["checkout-opened", "plan-changed", "plan-cancelled"],
      "use-card": ["portal-opened"],
    },
  },
  preferencesForm: { schema: preferencesForm(product.preferences), meant: { save: preferences } },
  joinForm: { schema: joinForm, meant: { join: line } },
  joinKnownForm: { schema: joinKnownForm, meant: { join: line } },
  confirmForm: { schema: confirmForm, meant: { confirm: line, resend: line } },
  entryForm: { schema: entryForm, meant: { resend: line, leave: line, accept: line, confirm: line } },
  withdrawalForm: {
    schema: withdrawalForm,
    meant: { declare: "it shows what would be declared", confirm: ["withdrawal-declared"] },
  },
};

/** Actions without a form's schema. */
const bare: Record<string, Meaning> = {
  "routes/settings/export/route.ts": ["data-downloaded"],
  "routes/logout/route.ts": ["signed-out"],
  "routes/webhooks/stripe/route.ts": "Stripe tells of what was done elsewhere",
  "routes/webhooks/email/route.ts": "the email service reports what came back",
  "routes/not-found/route.tsx": "it is never anything but 404",
};

const reads = "it is read only";
const apiCalls: Record<string, Meaning> = {
  "POST /devices": ["device-added"],
  "DELETE /devices/current": ["device-removed"],
  "GET /entitlement": reads,
  "PUT /usage": "what the product counts",
  "GET /settings": reads,
  "PUT /settings": preferences,
  "GET /openapi.json": reads,
};

describe("the tables of this file contain", () => {
  const actions = routeActions();

  test("every form and each of its intents", () => {
    expect(new Set(actions.flatMap(({ schemas }) => schemas))).toEqual(new Set(Object.keys(forms)));
    for (const [name, { schema, meant }] of Object.entries(forms)) {
      const described = Object.keys(meant).filter((intent) => intent !== "");
      expect([name, described.toSorted()]).toEqual([name, [...new Set(formIntentsOf(schema))].toSorted()]);
    }
  });

  test("every action that has no form", () => {
    const others = actions.filter(({ schemas }) => schemas.length === 0).map(({ file }) => file);
    expect(others.toSorted()).toEqual(Object.keys(bare).toSorted());
  });

  test("every call of the API", () => {
    expect(calls.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(Object.keys(apiCalls).toSorted());
  });

  test("every name of a log entry", () => {
    const meanings = [
      ...Object.values(forms).flatMap(({ meant }) => Object.values(meant)),
      ...Object.values(bare),
      ...Object.values(apiCalls),
    ];
    const named = meanings.flatMap((meaning) => (typeof meaning === "string" ? [] : meaning));
    expect([...new Set(named)].toSorted()).toEqual(activityNames.toSorted());
  });
});

test("actions and their forms are found however they are written", () => {
  expect(hasAction("a.ts", "const action = () => null; export { action };")).toBe(true);
  expect(hasAction("a.ts", "export { clientAction as action } from './b.ts';")).toBe(true);
  expect(hasAction("a.ts", "// export function action\nexport const actions = 1; function action() {}")).toBe(false);
  const text = "const a = readForm(context, oneForm); if (!readForm(\n  context,\n  anotherForm(field),\n).ok) stop();";
  expect(schemasIn("a.ts", text)).toEqual(["oneForm", "anotherForm"]);
});
