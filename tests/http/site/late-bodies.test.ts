import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { calls } from "#app/api/calls.ts";
import {
  dataForm,
  notificationsForm,
  profileForm,
  restoreForm,
  securityForm,
} from "#app/modules/accounts/account-forms.rules.ts";
import { devicesForm } from "#app/modules/devices/rules.ts";
import { upgradeForm } from "#app/modules/orders/rules.ts";
import { planForm } from "#app/modules/subscriptions/rules.ts";
import { joinKnownForm } from "#app/modules/waitlist/rules.ts";
import { product } from "#app/product/config.ts";
import { securityMessages } from "#app/routes/settings/security/messages.ts";
import { activateDevice, licenceKeyOf, signIn, signUp, subscriber } from "#tests/support/clients/customers.ts";
import { chosenPreferences, pages, preferencesOfDevice, small } from "#tests/support/billing/catalogue.ts";
import { formIntentsOf } from "#tests/support/site/form-intents.ts";
import { holdBack, type RawAnswer } from "#tests/support/clients/last-byte-requests.ts";
import { routeActions } from "#tests/support/site/route-actions.ts";
import type { Prepared, Visitor } from "#tests/support/clients/visitor.ts";
import { useSiteWithDetour } from "#tests/http/stripe/failing-proxy.ts";
import { choose, confirmation } from "#tests/http/plans/subscribers.ts";

/**
 * A caller sends a form or a call except for its last byte, the owner ends that session or device, and the last byte
 * arrives. Every route with an action and every call with a body is here, by the route list and the API's own table:
 * a new one fails the first test until it is described.
 */
const address = "owner@example.com";

let owner: Visitor;
let key: string;
let device: { id: string; token: string };
let quote: Record<string, string>;
let change: string;

const { site, detour } = useSiteWithDetour();
beforeAll(async () => {
  owner = await subscriber(site, address);
  await choose(owner, small.id, "year");
  quote = confirmation(owner);
  key = await licenceKeyOf(owner);
  device = await activate("Laptop");
  await owner.post({ intent: "change-email", email: "next@example.com" }, "/settings/security");
  change = owner.path();
  await settled();
});

async function activate(name: string) {
  const { deviceToken } = await activateDevice(site, key, name);
  return { token: deviceToken, id: (await rows("select id from devices order by rowid desc limit 1"))[0]?.["id"] + "" };
}

type Sample = { path: string; fields: Record<string, string> };

const profileForms = (path: string): Record<string, Sample> => ({
  profile: { path, fields: { name: "Somebody else", timeZone: "UTC" } },
  appearance: { path, fields: { theme: "dark" } },
});
const securityForms = (path: string): Record<string, Sample> => ({
  "change-email": { path, fields: { email: "another@example.com" } },
  "end-session": { path, fields: { session: "ses_other" } },
  "end-other-sessions": { path, fields: {} },
  "add-passkey": { path, fields: { name: "Key" } },
  "remove-passkey": { path, fields: { passkey: "pky_none" } },
});
const notificationsForms = (path: string): Record<string, Sample> => ({ mails: { path, fields: {} } });
const dataForms = (path: string): Record<string, Sample> => ({
  delete: { path, fields: {} },
  restore: { path, fields: {} },
});

/** The forms behind a session, by the address of their route and by intent: what each sends that would be granted. */
const held: Record<string, () => Record<string, Sample>> = {
  "/settings": () => ({ restore: { path: "/settings", fields: {} } }),
  "/settings/profile": () => profileForms("/settings/profile"),
  "/settings/security": () => securityForms("/settings/security"),
  "/settings/notifications": () => notificationsForms("/settings/notifications"),
  "/settings/data": () => dataForms("/settings/data"),
  [pages.account]: () => {
    const at = (fields: Record<string, string>) => ({ path: pages.account, fields });
    return {
      "show-key": at({}),
      "rotate-key": at({}),
      "remove-device": at({ device: device.id }),
      "rename-device": at({ device: device.id, name: "Desk" }),
    };
  },
  [pages.plan]: () =>
    Object.fromEntries(
      formIntentsOf(planForm).map((intent) => [intent, { path: pages.plan, fields: { reason: "other" } }]),
    ),
  [pages.preferences]: () => ({ save: { path: pages.preferences, fields: chosenPreferences } }),
  "/settings/upgrade": () => ({
    quote: { path: "/settings/upgrade", fields: { plan: small.id } },
    confirm: { path: "/settings/upgrade", fields: quote },
    "use-card": { path: "/settings/upgrade", fields: { plan: small.id } },
  }),
  "/settings/export": () => ({ "": { path: "/settings/export", fields: {} } }),
  "/waitlist": () => ({ join: { path: "/waitlist", fields: {} } }),
  "/verify": () => ({
    resend: { path: change, fields: {} },
    "": { path: change, fields: { code: "" } },
  }),
};

/** Actions that need no session, and why. */
const open: Record<string, string> = {
  "/login": "it opens a session",
  "/signup": "it opens a session",
  "/set-up": "it takes the operators' token, for no account",
  "/withdraw": "a withdrawal can be declared without an account",
  "/logout": "it ends the session, which is over already",
  "/webhooks/stripe": "Stripe signs what it sends",
  "/webhooks/email": "the email service signs what it reports, or sends a password",
  "/*": "it is never anything but 404",
};

/** What each schema accepts, so that an intent that is added is sent here as well. */
const intents: Record<string, string[]> = {
  "/settings": formIntentsOf(restoreForm),
  "/settings/profile": formIntentsOf(profileForm(product)),
  "/settings/security": formIntentsOf(securityForm),
  "/settings/notifications": formIntentsOf(notificationsForm),
  "/settings/data": formIntentsOf(dataForm),
  [pages.account]: formIntentsOf(devicesForm),
  [pages.plan]: formIntentsOf(planForm),
  "/settings/upgrade": formIntentsOf(upgradeForm),
  "/waitlist": formIntentsOf(joinKnownForm),
};

/** Calls with a body: what each sends that would be granted, and how it is revoked meanwhile. */
const heldCalls: Record<string, () => { body: object; token: string | null; revoke: () => Promise<unknown> }> = {
  "POST /devices": () => ({
    body: { licenceKey: key, fingerprint: "late", name: "Late", platform: "Linux" },
    token: null,
    revoke: async () => owner.post({ intent: "rotate-key" }, pages.account),
  }),
  "PUT /usage": () => ({
    body: { meter: product.meters[0]?.key, value: 1, at: new Date().toISOString() },
    ...removedDevice(),
  }),
  "PUT /settings": () => ({ body: preferencesOfDevice, ...removedDevice() }),
};

function removedDevice() {
  const revoke = () => owner.post({ intent: "remove-device", device: device.id }, pages.account);
  return { token: device.token, revoke };
}

test("every route with an action and every call with a body is tested", () => {
  const withAction = routeActions().map(({ pattern }) => pattern);
  expect(withAction.toSorted()).toEqual([...Object.keys(held), ...Object.keys(open)].toSorted());
  for (const [pattern, ofForm] of Object.entries(intents)) {
    expect([pattern, Object.keys(held[pattern]?.() ?? {}).toSorted()]).toEqual([pattern, ofForm.toSorted()]);
  }
  const withBody = calls.filter(({ body, method }) => body !== null && method !== "GET");
  expect(withBody.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(Object.keys(heldCalls).toSorted());
});

async function rows(sql: string): Promise<Record<string, unknown>[]> {
  return (await (await site.database()).prepare(sql).all()).results;
}

/** Every row of every table, without the time of the last visit. */
async function everything(): Promise<string> {
  const tables = await rows(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'
    and name not like 'd1_%' and name not like '\\_%' escape '\\' order by 1`);
  const stored = await Promise.all(tables.map(async ({ name }) => [name, await rows(`select * from ${String(name)}`)]));
  return JSON.stringify(stored, (field, value) => (/^last_(used|seen)_at$/.test(field) ? null : value));
}

/** Webhooks and emails of earlier requests have been written when nothing changes for half a second. */
async function settled(): Promise<void> {
  for (let [before, sinceMs] = [await everything(), performance.now()]; performance.now() - sinceMs < 500;) {
    await pause(50);
    const now = await everything();
    if (now !== before) [before, sinceMs] = [now, performance.now()];
  }
}

/** The possible answers after the end of a session: a redirect to log-in, or a page for visitors that refuses. */
function expectRefused(answer: RawAnswer): void {
  if (answer.status === 303) expect(answer.headers.get("Location")).toMatch(/^\/login\?redirectTo=/);
  else expect([401, 409, 422]).toContain(answer.status);
}

async function sendLate(request: Prepared, revoke: () => Promise<unknown>) {
  const { release } = await holdBack(site.origin, request);
  await revoke();
  const [before, requestCount] = [await everything(), detour.count(/./)];
  const answer = await release();
  await pause(100);
  return { answer, isUnchanged: (await everything()) === before, calls: detour.count(/./) - requestCount };
}

async function endSessions(): Promise<void> {
  await (await site.database()).exec("update sessions set state = 'revoked' where state = 'active'");
}

async function restoreSessions(): Promise<void> {
  await (await site.database()).exec("update sessions set state = 'active' where state = 'revoked'");
}

const forms = Object.entries(intents)
  .flatMap(([pattern, ofForm]) => ofForm.map((intent) => ({ pattern, intent })))
  .concat([
    { pattern: pages.preferences, intent: "save" },
    { pattern: "/settings/export", intent: "" },
    { pattern: "/verify", intent: "resend" },
    { pattern: "/verify", intent: "" },
  ]);

describe("a form whose last byte arrives after its session has ended", () => {
  test.each(forms)("does nothing at $pattern with intent '$intent'", async ({ pattern, intent }) => {
    const sample = held[pattern]?.()[intent];
    if (!sample) throw new Error(`${pattern} has no sample for ${intent}`);
    const fields: Record<string, string> = { ...sample.fields, pad: "." };
    if (intent !== "") fields["intent"] = intent;
    if (fields["code"] === "") fields["code"] = await site.codeTo("next@example.com");
    const late = await sendLate(owner.prepare(fields, sample.path), endSessions);
    await restoreSessions();
    expectRefused(late.answer);
    expect([late.isUnchanged, late.calls]).toEqual([true, 0]);
  });

  test("does nothing when the owner signs out everywhere else", async () => {
    const thief = owner.twin();
    const elsewhere = await signIn(site, address);
    await elsewhere.open("/settings/security");
    const late = await sendLate(thief.prepare({ intent: "cancel" }, pages.plan), async () => {
      await elsewhere.press(securityMessages.en.sessions.endOthers);
      expect(elsewhere.path()).toBe("/settings/security#sessions");
    });
    expectRefused(late.answer);
    expect([late.isUnchanged, late.calls]).toEqual([true, 0]);
    owner = elsewhere;
  });

  test("is carried out as usual while the session is active", async () => {
    const late = await sendLate(owner.prepare({ intent: "cancel" }, pages.plan), async () => undefined);
    expect([late.answer.status, late.answer.headers.get("Location")]).toEqual([303, pages.plan]);
    expect(late.isUnchanged).toBe(false);
    expect(late.calls).toBeGreaterThan(0);
    // What Stripe reports of it is written meanwhile.
    await settled();
  });
});

describe("a call whose last byte arrives after its device or key has ended", () => {
  test.each(Object.keys(heldCalls).toReversed())("does nothing: %s", async (name) => {
    const [method = "", path = ""] = name.split(" ");
    const found = heldCalls[name]?.();
    if (!found) throw new Error(`${name} isn't described`);
    const headers = {
      "Content-Type": "application/json",
      "If-Match": "*",
      "CF-Connecting-IP": "203.0.113.9",
      ...(found.token && { Authorization: `Bearer ${found.token}` }),
    };
    const request = { method, path: `/api/v1${path}`, headers, body: JSON.stringify(found.body) };
    const late = await sendLate(request, found.revoke);
    expect(late.answer.status).toBe(401);
    expect([late.isUnchanged, late.calls]).toEqual([true, 0]);
    if (found.token) device = await activate(`After ${path}`);
  });
});

test("another account's session is not read", async () => {
  const other = await signUp(site, "other@example.com", "");
  const late = await sendLate(
    other.prepare({ intent: "profile", name: "Ola", timeZone: "UTC" }, "/settings/profile"),
    async () =>
      (await site.database()).exec(
        "update sessions set state = 'revoked' where account_id not in (select id from accounts where email = 'other@example.com')",
      ),
  );
  expect([late.answer.status, late.isUnchanged]).toEqual([303, false]);
});
