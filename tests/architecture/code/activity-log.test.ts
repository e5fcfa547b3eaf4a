import { describe, expect, test } from "vitest";
import { calls } from "#app/api/calls.ts";
import { activityNames, type ActivityName } from "#app/modules/accounts/activities.rules.ts";
import { pages } from "#tests/support/billing/catalogue.ts";
import { allForms } from "#tests/support/site/forms.ts";
import { formIntentsOf } from "#tests/support/site/form-intents.ts";
import { hasAction, routeActions, schemasIn } from "#tests/support/site/route-actions.ts";

/**
 * What the log calls what each form does, by its address and by intent, or why it isn't sensitive; "" is a form without an intent. A form
 * or an intent that is added fails a test until it is listed here.
 */
const emailsCode = "it sends another code to the same address";
const preferences = "preferences of the product are no matter of the account's security";
const line = "a place on the waitlist is no account";
const operators = "the operators' token is about no account";
type Meaning = ActivityName[] | string;
const ofProfile: Record<string, Meaning> = {
  profile: "a name and a time zone",
  appearance: "the theme of this browser",
};
const ofSecurity: Record<string, Meaning> = {
  "change-email": ["address-changed"],
  "end-session": ["session-ended"],
  "end-other-sessions": ["other-sessions-ended"],
  "add-passkey": ["passkey-added"],
  "remove-passkey": ["passkey-removed"],
};
const ofNotifications: Record<string, Meaning> = { mails: "which optional emails are sent" };
const ofData: Record<string, Meaning> = { delete: ["leaving-begun"], restore: ["restored"] };
const meanings: Record<string, Record<string, Meaning>> = {
  "/signup": { "": emailsCode },
  "/login": { "": emailsCode, passkey: ["signed-in-by-passkey", "passkey-copied"] },
  "/verify": {
    "": ["signed-up", "signed-in", "confirmed", "address-changed", "address-reverted"],
    resend: emailsCode,
    "change-address": "it leads back to the form before",
    "continue-here": ["signed-up", "signed-in"],
    passkey: ["confirmed-by-passkey", "passkey-copied"],
  },
  "/settings": { ...ofProfile, ...ofSecurity, ...ofNotifications, ...ofData },
  "/settings/profile": ofProfile,
  "/settings/security": ofSecurity,
  "/settings/notifications": ofNotifications,
  "/settings/data": ofData,
  [pages.account]: {
    "show-key": ["licence-key-shown"],
    "rotate-key": ["licence-key-rotated"],
    "remove-device": ["device-removed"],
    "rename-device": ["device-renamed"],
  },
  [pages.plan]: {
    cancel: ["plan-cancelled"],
    resume: ["plan-resumed"],
    "undo-change": ["plan-change-undone"],
    retry: ["payment-retried"],
    "update-card": ["portal-opened"],
    "give-reason": "an answer to a question about a plan that is cancelled already",
  },
  "/settings/upgrade": {
    quote: "it shows an offer, and changes nothing",
    confirm: ["checkout-opened", "plan-changed", "plan-cancelled"],
    "use-card": ["portal-opened"],
  },
  [pages.preferences]: { save: preferences },
  "/settings/export": { "": ["data-downloaded"] },
  "/waitlist": { join: line, confirm: line, resend: line, leave: line, accept: line },
  "/withdraw": { declare: "it shows what would be declared", confirm: ["withdrawal-declared"] },
  "/cancel": {
    declare: "it needs no account, and the plan's own email says what follows",
    keep: ["plan-resumed"],
  },
  "/set-up": { "": operators, hide: operators },
  "/logout": { "": ["signed-out"] },
  "/webhooks/stripe": { "": "Stripe tells of what was done elsewhere" },
  "/webhooks/email": { "": "the email service reports what came back" },
  "/*": { "": "it is never anything but 404" },
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
  test("every form and each of its intents", async () => {
    const [actions, forms] = [routeActions(), await allForms()];
    expect(actions.length).toBeGreaterThan(15);
    expect(actions.map(({ pattern }) => pattern).toSorted()).toEqual(Object.keys(meanings).toSorted());
    // None is read elsewhere than by a route.
    expect(new Set(actions.flatMap(({ schemas }) => schemas))).toEqual(new Set(forms.keys()));
    for (const { pattern, schemas } of actions) {
      const intents = schemas.flatMap((name) => formIntentsOf(forms.get(name) ?? {}));
      const described = Object.keys(meanings[pattern] ?? {}).filter((intent) => intent !== "");
      expect([pattern, described.toSorted()]).toEqual([pattern, [...new Set(intents)].toSorted()]);
    }
  });

  test("every call of the API", () => {
    expect(calls.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(Object.keys(apiCalls).toSorted());
  });

  test("every name of a log entry", () => {
    const all = [...Object.values(meanings).flatMap(Object.values<Meaning>), ...Object.values(apiCalls)];
    const named = all.flatMap((meaning) => (typeof meaning === "string" ? [] : meaning));
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
