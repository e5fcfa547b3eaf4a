import { describe, expect, test } from "vitest";
import type { ActivityName } from "#app/modules/accounts/activities.rules.ts";
import { securityMessages, activityMessages } from "#app/routes/settings/security/messages.ts";
import { verifyMessages } from "#app/routes/verify/messages.ts";
import {
  activateDevice,
  askForCode,
  licenceKeyOf,
  signIn,
  signUp,
  subscriber,
  typeCode,
} from "#tests/support/clients/customers.ts";
import { free, large, pages, small } from "#tests/support/billing/catalogue.ts";
import { formSamples } from "#tests/support/site/form-samples.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { choose, confirmation } from "#tests/http/plans/subscribers.ts";

/**
 * Every sensitive action adds one entry to its owner's activity log, and so does every refused attempt: driven by the
 * table of actions. A form that asks for a recent re-authentication is sensitive, and needs no entry in the table for that to be tested.
 */
let people = 0;

const site = useSite({ vars: { LAUNCH_GATE: "none" } });

type Person = { address: string; visitor: Visitor };
type Line = { what: string; result: string; reason: string | null; method: string; network: string };

function newAddress(): string {
  people += 1;
  return `person-${people}@example.com`;
}

async function aPerson(): Promise<Person> {
  const address = newAddress();
  return { address, visitor: await signUp(site, address, "") };
}

async function aSubscriber(): Promise<Person> {
  const address = newAddress();
  return { address, visitor: await subscriber(site, address) };
}

async function run(sql: string, ...values: string[]): Promise<unknown[]> {
  const database = await site.database();
  return (
    await database
      .prepare(sql)
      .bind(...values)
      .all()
  ).results;
}

async function linesOf({ address }: Person): Promise<Line[]> {
  const sql = `select what, result, reason, method, network from activities
    where account_id in (select id from accounts where email_canonical = ?) order by rowid`;
  return (await run(sql, address)) as Line[];
}

async function outdateReauthentications(): Promise<void> {
  await run("update sessions set proven_at = proven_at - 900000");
  await run("delete from quota_uses");
}

const wrong = (code: string) => String((Number(code) + 1) % 100_000_000).padStart(8, "0");
const post = (path: string, fields: Record<string, string>) => async (person: Person) =>
  person.visitor.post(fields, path);

async function elsewhere({ address }: Person): Promise<Visitor> {
  await run("delete from quota_uses");
  return signIn(site, address);
}

async function sessionElsewhere(person: Person): Promise<string> {
  await elsewhere(person);
  const [found] = (await run(
    "select s.id from sessions s join accounts a on a.id = s.account_id where a.email = ? and s.state = 'active' order by s.rowid desc limit 1",
    person.address,
  )) as { id: string }[];
  return found?.id ?? "";
}

/** As many machines as requested, each activated with the licence key. */
async function activate({ visitor }: Person, count: number): Promise<void> {
  const key = await licenceKeyOf(visitor);
  for (let nth = 1; nth <= count; nth += 1) {
    await activateDevice(site, key, `machine ${nth}`, visitor.ownHeaders());
  }
}

/** From the newest order, as its owner. */
async function withdraw(person: Person): Promise<void> {
  const [order] = (await run(
    "select o.id from orders o join accounts a on a.id = o.account_id where a.email = ? order by o.rowid desc limit 1",
    person.address,
  )) as { id: string }[];
  const fields = { name: "Mara Lindqvist", order: order?.id ?? "", email: person.address, intent: "confirm" };
  await person.visitor.post(fields, "/withdraw");
}

async function deviceOf(person: Person): Promise<string> {
  const { visitor } = person;
  await activate(person, 1);
  await visitor.open(pages.account);
  return /(?<=name="device" value=")dev_\w+/.exec(visitor.html)?.[0] ?? "";
}

/** With a code requested by this form, typed as `mistake` says. */
async function code({ visitor, address }: Person, label: string, mistake: (code: string) => string): Promise<void> {
  const emails = await site.emailsTo(address, 0);
  await visitor.press(label, { code: mistake(await site.codeTo(address, emails.length)) });
}

type Recipe = {
  who?: () => Promise<Person>;
  before?: (person: Person) => Promise<unknown>;
  run: (person: Person) => Promise<unknown>;
};
type Recipes = { done: Recipe | string; refused: (Recipe & { reason: string }) | string };

/** A re-authentication is requested first: the attempt that came before it is what was refused. */
const stale = (path: string, fields: Record<string, string>) => ({
  before: outdateReauthentications,
  run: post(path, fields),
  reason: "proof-stale",
});
const confirm = verifyMessages.en.submit["reauthentication"];
const neverRefused = "nothing refuses it";
const passkeys = "tests/integration/accounts/passkeys.test.ts";
const planChange = async (person: Person) => {
  await choose(person.visitor, large.id);
  await person.visitor.post(confirmation(person.visitor), "/settings/upgrade");
};
const yearly = async (person: Person) => {
  await choose(person.visitor, small.id, "year");
  await person.visitor.post(confirmation(person.visitor), "/settings/upgrade");
};

const recipes: Record<ActivityName, Recipes> = {
  "signed-up": { done: { run: async () => undefined }, refused: "there is no account yet" },
  "signed-in": {
    done: { run: elsewhere },
    refused: {
      run: async (person) => {
        await run("delete from quota_uses");
        const visitor = site.visitor();
        const emails = await site.emailsTo(person.address, 0);
        await visitor.open("/login");
        await askForCode(visitor, person.address);
        await typeCode(visitor, wrong(await site.codeTo(person.address, emails.length + 1)));
      },
      reason: "wrong-code",
    },
  },
  confirmed: {
    done: {
      before: async (person) => {
        await outdateReauthentications();
        await post("/settings/export", {})(person);
      },
      run: async (person) => {
        const [email] = await site.emailsTo(person.address, 2);
        await person.visitor.press(confirm, { code: /\b\d{8}\b/.exec(email?.subject ?? "")?.[0] ?? "" });
      },
    },
    refused: {
      before: async (person) => {
        await outdateReauthentications();
        await post("/settings/export", {})(person);
        await site.emailsTo(person.address, 2);
      },
      run: (person) => code(person, confirm, wrong),
      reason: "wrong-code",
    },
  },
  "signed-out": { done: { run: post("/logout", {}) }, refused: neverRefused },
  "session-ended": {
    done: {
      run: async (person) =>
        person.visitor.post({ intent: "end-session", session: await sessionElsewhere(person) }, "/settings/security"),
    },
    refused: {
      run: post("/settings/security", { intent: "end-session", session: "ses_none" }),
      reason: "session-unknown",
    },
  },
  "other-sessions-ended": {
    done: { before: elsewhere, run: post("/settings/security", { intent: "end-other-sessions" }) },
    refused: stale("/settings/security", { intent: "end-other-sessions" }),
  },
  "signed-in-by-passkey": { done: passkeys, refused: passkeys },
  "confirmed-by-passkey": { done: passkeys, refused: passkeys },
  "passkey-added": { done: passkeys, refused: stale("/settings/security", { intent: "add-passkey", name: "Key" }) },
  "passkey-removed": {
    done: passkeys,
    refused: stale("/settings/security", { intent: "remove-passkey", passkey: "pky_none" }),
  },
  "passkey-copied": { done: "it is a refusal", refused: passkeys },
  "address-changed": {
    done: {
      run: async (person) => {
        const next = `next-${person.address}`;
        await person.visitor.post({ intent: "change-email", email: next }, "/settings/security");
        await typeCode(person.visitor, await site.codeTo(next));
        person.address = next;
      },
    },
    refused: {
      run: async (person) => {
        const next = `next-${person.address}`;
        await person.visitor.post({ intent: "change-email", email: next }, "/settings/security");
        await typeCode(person.visitor, wrong(await site.codeTo(next)));
      },
      reason: "wrong-code",
    },
  },
  "address-reverted": {
    done: "tests/integration/accounts/change-address.test.ts",
    refused: "a link names no session and no re-authentication",
  },
  "data-downloaded": { done: { run: post("/settings/export", {}) }, refused: stale("/settings/export", {}) },
  "licence-key-shown": {
    done: {
      run: async (person) => {
        await post(pages.account, { intent: "show-key" })(person);
        // Repeated later with the same re-authentication.
        await person.visitor.open(`${pages.account}?key`);
      },
    },
    refused: stale(pages.account, { intent: "show-key" }),
  },
  "licence-key-rotated": {
    done: { before: post(pages.account, { intent: "show-key" }), run: post(pages.account, { intent: "rotate-key" }) },
    refused: stale(pages.account, { intent: "rotate-key" }),
  },
  "device-added": {
    done: { run: deviceOf },
    refused: {
      before: (person) => activate(person, free.limits.devices),
      run: (person) => activate(person, free.limits.devices + 1),
      reason: "seats-full",
    },
  },
  "device-renamed": {
    done: {
      run: async (person) =>
        person.visitor.post({ intent: "rename-device", device: await deviceOf(person), name: "Desk" }, pages.account),
    },
    refused: {
      run: post(pages.account, { intent: "rename-device", device: "dev_none", name: "Desk" }),
      reason: "device-unknown",
    },
  },
  "device-removed": {
    done: {
      run: async (person) =>
        person.visitor.post({ intent: "remove-device", device: await deviceOf(person) }, pages.account),
    },
    refused: { run: post(pages.account, { intent: "remove-device", device: "dev_none" }), reason: "device-unknown" },
  },
  "plan-cancelled": {
    done: { who: aSubscriber, run: post(pages.plan, { intent: "cancel" }) },
    refused: { run: post(pages.plan, { intent: "cancel" }), reason: "no-plan" },
  },
  "withdrawal-declared": {
    done: { who: aSubscriber, run: withdraw },
    refused: "only a quota of emails refuses it",
  },
  "plan-resumed": {
    done: {
      who: aSubscriber,
      before: post(pages.plan, { intent: "cancel" }),
      run: post(pages.plan, { intent: "resume" }),
    },
    refused: { run: post(pages.plan, { intent: "resume" }), reason: "no-plan" },
  },
  "plan-changed": {
    done: { who: aSubscriber, run: planChange },
    refused: {
      who: aSubscriber,
      run: post("/settings/upgrade", { intent: "confirm", plan: large.id, interval: "month", quote: "1.EUR.0" }),
      reason: "quote-moved",
    },
  },
  "plan-change-undone": {
    done: {
      who: aSubscriber,
      before: async (person) => {
        await yearly(person);
        await choose(person.visitor, small.id, "month");
        await person.visitor.post(confirmation(person.visitor), "/settings/upgrade");
      },
      run: post(pages.plan, { intent: "undo-change" }),
    },
    refused: { run: post(pages.plan, { intent: "undo-change" }), reason: "no-plan" },
  },
  "payment-retried": {
    done: "tests/http/plans/dunning.test.ts",
    refused: { run: post(pages.plan, { intent: "retry" }), reason: "nothing-due" },
  },
  "checkout-opened": {
    done: {
      run: async (person) => {
        await choose(person.visitor, small.id);
        await person.visitor.post(confirmation(person.visitor), "/settings/upgrade");
      },
    },
    refused: {
      run: post("/settings/upgrade", { intent: "confirm", plan: small.id, interval: "month", quote: "1.EUR.0" }),
      reason: "quote-moved",
    },
  },
  "portal-opened": {
    done: { who: aSubscriber, run: post(pages.plan, { intent: "update-card" }) },
    refused: { run: post(pages.plan, { intent: "update-card" }), reason: "no-plan" },
  },
  "account-closed": {
    done: { run: post("/settings/data", { intent: "delete" }) },
    refused: stale("/settings/data", { intent: "delete" }),
  },
  restored: {
    done: {
      before: post("/settings/data", { intent: "delete" }),
      run: post("/settings", { intent: "restore" }),
    },
    refused: { run: post("/settings", { intent: "restore" }), reason: "not-closed" },
  },
};

async function linesBy({ who = aPerson, before, run }: Recipe, what: ActivityName) {
  const person = await who();
  await before?.(person);
  const earlier = what === "signed-up" ? 0 : (await linesOf(person)).length;
  await run(person);
  return (await linesOf(person)).slice(earlier).filter((line) => line.what === what);
}

// `Object.keys` returns strings; these are the table's own keys.
const names = Object.keys(recipes) as ActivityName[];

describe("one log entry is written", () => {
  const done = names.filter((what) => typeof recipes[what].done !== "string");
  test.each(done)("for a completed action: %s", async (what) => {
    const { done: recipe } = recipes[what];
    if (typeof recipe === "string") throw new Error(recipe);
    const lines = await linesBy(recipe, what);
    expect(lines.map(({ result, reason }) => [result, reason])).toEqual([["done", null]]);
    expect(lines[0]?.method).toMatch(/^(code|session|licence-key)$/);
    expect(lines[0]?.network).toMatch(/^198\.51\.\d+\.0\/24$/);
  });

  const refused = names.filter((what) => typeof recipes[what].refused !== "string");
  test.each(refused)("for a refused action: %s", async (what) => {
    const { refused: recipe } = recipes[what];
    if (typeof recipe === "string") throw new Error(recipe);
    const lines = await linesBy(recipe, what);
    expect(lines.map(({ result, reason }) => [result, reason])).toEqual([["refused", recipe.reason]]);
    expect(lines[0]?.network).toMatch(/^198\.51\.\d+\.0\/24$/);
  });
});

describe("a form behind a session that needs a recent re-authentication logs that it was refused without one", async () => {
  const sensitive: string[] = [];
  const forms = (await formSamples()).filter(({ pattern }) => pattern.startsWith("/settings"));

  test.each(forms)("if it needs one: $pattern with intent '$intent'", async ({ pattern, path, intent, fields }) => {
    const person = await aPerson();
    const { visitor } = person;
    await outdateReauthentications();
    const earlier = await linesOf(person);
    await visitor.post(fields, path);
    if (visitor.heading() !== verifyMessages.en.title["reauthentication"]) return;
    sensitive.push(`${pattern} ${intent}`);
    expect((await linesOf(person)).slice(earlier.length)).toMatchObject([{ result: "refused", reason: "proof-stale" }]);
  });

  test("and some do", () => {
    expect(sensitive).toEqual(
      expect.arrayContaining([`${pages.account} show-key`, "/settings/data delete", "/settings/export "]),
    );
  });
});

describe("the owner of an account", () => {
  test("sees a refused attempt with its reason and network, also in the data export", async () => {
    const person = await aPerson();
    const { activity } = securityMessages.en;
    await person.visitor.post({ intent: "end-session", session: "ses_none" }, "/settings/security");
    await person.visitor.open("/settings/security?activity=all");
    expect(person.visitor.text()).toContain(
      `${activityMessages.en.tried["session-ended"]} ${activityMessages.en.refused}: ${activityMessages.en.reasons["session-unknown"]}`,
    );
    expect(person.visitor.text()).toMatch(fillGaps(activity.network(gap), /198\.51\.\d+\.x/));
    await person.visitor.post({}, "/settings/export");
    const { account } = JSON.parse(person.visitor.html) as { account: { activities: Line[] } };
    expect(account.activities.find(({ result }) => result === "refused")).toMatchObject({
      what: "session-ended",
      reason: "session-unknown",
      method: "session",
      network: expect.stringMatching(/\/24$/),
    });
  });

  test("is emailed once per re-authentication that the licence key was shown, and not in addition to the email about its replacement", async () => {
    const person = await aPerson();
    const earlier = (await run("select id from emails")).length;
    const sentTemplates = async () => (await run("select template from emails order by rowid")).slice(earlier);
    await person.visitor.post({ intent: "show-key" }, pages.account);
    await person.visitor.open(`${pages.account}?key`);
    expect(await sentTemplates()).toEqual([{ template: "licence-key-shown" }]);
    const again = await elsewhere(person);
    await again.post({ intent: "rotate-key" }, pages.account);
    expect(again.path()).toContain("?key");
    const templates = ((await sentTemplates()) as { template: string }[]).map(({ template }) => template);
    expect(templates).toEqual(["licence-key-shown", "code", "licence-key-rotated"]);
  });

  test("has at most the daily maximum of refusals logged", async () => {
    const person = await aPerson();
    const fill = `insert into activities (id, account_id, what, result, happened_at)
      with recursive nth(n) as (select 1 union all select n + 1 from nth where n < 100)
      select 'act_full_' || n, (select id from accounts where email = ?), 'session-ended', 'refused', ${Date.now()} from nth`;
    await run(fill, person.address);
    await person.visitor.post({ intent: "end-session", session: "ses_none" }, "/settings/security");
    expect(person.visitor.status).toBe(404);
    expect((await linesOf(person)).filter(({ reason }) => reason === "session-unknown")).toEqual([]);
  });
});
