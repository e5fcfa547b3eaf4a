import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { calls } from "#app/api/calls.ts";
import { product } from "#app/product/config.ts";
import { securityMessages } from "#app/routes/settings/security/messages.ts";
import { activateDevice, licenceKeyOf, signIn, signUp, subscriber } from "#tests/support/clients/customers.ts";
import { featureSamples } from "#tests/support/features.ts";
import { pages, small } from "#tests/support/billing/catalogue.ts";
import { formSamples } from "#tests/support/site/form-samples.ts";
import { holdBack, type RawAnswer } from "#tests/support/clients/last-byte-requests.ts";
import type { Prepared, Visitor } from "#tests/support/clients/visitor.ts";
import { useSiteWithDetour } from "#tests/http/stripe/failing-proxy.ts";
import { choose, confirmation } from "#tests/http/plans/subscribers.ts";

/**
 * A caller sends a form or a call except for its last byte, the owner ends that session or device, and the last byte
 * arrives. Every form behind a session is here by the route map and the forms' schemas, and every call with a body by
 * the API's own table.
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

/** Fields that would be granted, where those that the form's schema gives would be refused in any case. */
const granted: Record<string, Record<string, () => Record<string, string>>> = {
  [pages.account]: {
    "remove-device": () => ({ device: device.id }),
    "rename-device": () => ({ device: device.id, name: "Desk" }),
  },
  ...Object.fromEntries(
    featureSamples.flatMap(({ forms: own }) =>
      own.map(({ path, good: { intent = "", ...fields } }) => [path, { [intent]: () => fields }]),
    ),
  ),
  "/settings/upgrade": {
    quote: () => ({ plan: small.id }),
    confirm: () => quote,
    "use-card": () => ({ plan: small.id }),
  },
};

type Sent = { pattern: string; intent: string; prepare: () => Promise<Prepared> };

/** Every form behind a session. */
const held = (await formSamples()).filter(({ pattern }) => pattern.startsWith("/settings"));

const forms: Sent[] = held.map(({ pattern, path, intent, fields }) => ({
  pattern,
  intent,
  prepare: async () => owner.prepare({ ...fields, ...granted[pattern]?.[intent]?.(), pad: "." }, path),
}));

/** Forms that anybody may send, and that do something for the account of a session. */
const openForms: Sent[] = [
  ...featureSamples.flatMap(({ addressForms = [] }) =>
    addressForms.map(({ path, fields }) => ({
      pattern: path,
      intent: fields["intent"] ?? "",
      prepare: async () => owner.prepare({ ...fields, pad: "." }, path),
    })),
  ),
  { pattern: "/verify", intent: "resend", prepare: async () => owner.prepare({ intent: "resend", pad: "." }, change) },
  {
    pattern: "/verify",
    intent: "",
    prepare: async () => owner.prepare({ code: await site.codeTo("next@example.com"), pad: "." }, change),
  },
];

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
  ...Object.fromEntries(
    featureSamples.flatMap(({ callBodies = {} }) =>
      Object.entries(callBodies).map(([name, body]) => [name, () => ({ body: body(0), ...removedDevice() })]),
    ),
  ),
};

function removedDevice() {
  const revoke = () => owner.post({ intent: "remove-device", device: device.id }, pages.account);
  return { token: device.token, revoke };
}

test("every form behind a session and every call with a body is tested", () => {
  expect(held.length).toBeGreaterThan(20);
  for (const [pattern, intents] of Object.entries(granted)) {
    const found = held.filter((form) => form.pattern === pattern).map(({ intent }) => intent);
    expect(found).toEqual(expect.arrayContaining(Object.keys(intents)));
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

function expectSignIn(answer: RawAnswer): void {
  expect([answer.status, answer.headers.get("Location")]).toEqual([
    303,
    expect.stringMatching(/^\/login\?redirectTo=/),
  ]);
}

/** The possible answers after the end of a session: a redirect to log-in, or a page for visitors that refuses. */
function expectRefused(answer: RawAnswer): void {
  if (answer.status === 303) expectSignIn(answer);
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

describe("a form whose last byte arrives after its session has ended", () => {
  test.each([...forms, ...openForms])(
    "does nothing at $pattern with intent '$intent'",
    async ({ pattern, prepare }) => {
      const late = await sendLate(await prepare(), endSessions);
      await restoreSessions();
      if (pattern.startsWith("/settings")) expectSignIn(late.answer);
      else expectRefused(late.answer);
      expect([late.isUnchanged, late.calls]).toEqual([true, 0]);
    },
  );

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
