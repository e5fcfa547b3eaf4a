import type { AccountId, RequestId } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "#app/db/database.server.ts";
import { revertLifeMs } from "#app/modules/accounts/address-change.rules.ts";
import { findSignedIn } from "#app/modules/accounts/reads/find-signed-in.server.ts";
import { proveAddress } from "#app/modules/accounts/commands/prove-address.server.ts";
import { requestCode } from "#app/modules/accounts/commands/request-code.server.ts";
import { revertAddress, showRevert } from "#app/modules/accounts/commands/revert-address.server.ts";
import { sweepAccounts } from "#app/modules/accounts/commands/sweep-accounts.server.ts";
import type { Purpose } from "#app/modules/accounts/codes/rules.ts";
import { hashToken } from "#app/core/hash.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { dayMs, formatDay, minuteMs, secondMs } from "#app/core/time/time.ts";
import { deliverDueEmails } from "#app/modules/email/commands/deliver-email.server.ts";
import { product } from "#app/product/config.ts";
import { pattern } from "#tests/support/billing/catalogue.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { emailOf, subjectOf } from "#tests/support/clients/email-texts.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";

let app: TestApp;
let people = 0;

beforeEach(() => {
  app = testApp();
  people += 1;
});

type Person = { accountId: AccountId; address: string; browserToken: string; sessionToken: string };
type RequestInput = { requestId: RequestId; digits: string };

function own(name: string): string {
  return `${name}-${people}@example.com`;
}

async function ask(
  to: string,
  purpose: Purpose,
  browserToken: string,
  accountId?: AccountId,
  ip = `192.0.2.${people}`,
): Promise<RequestInput> {
  const address = parseEmailAddress(to);
  if (!address) throw new Error("not an address");
  app.pass(31 * secondMs);
  const request = await requestCode(app, { address, purpose, browserToken, ip, carried: {}, accountId, again: true });
  if (!request.ok) throw new Error(request.refusal.reason);
  await app.settled();
  const email = app.emails.findLast((candidate) => candidate.to === to);
  return { requestId: request.value.requestId, digits: /\b\d{8}\b/.exec(email?.subject ?? "")?.[0] ?? "" };
}

function prove(
  request: RequestInput,
  who: { browserToken: string; sessionToken: string | null },
  using: TestApp = app,
) {
  return proveAddress(using, {
    requestId: request.requestId,
    digits: request.digits,
    browserToken: who.browserToken,
    sessionToken: who.sessionToken,
    device: "Firefox on Linux",
    country: "CH",
  });
}

async function signedIn(address: string, browserToken: string, purpose: Purpose = "sign-up"): Promise<Person> {
  const request = await ask(address, purpose, browserToken);
  expect(request.digits).toMatch(/^\d{8}$/);
  const proven = await prove(request, { browserToken, sessionToken: null });
  if (!proven.ok) throw new Error(proven.refusal.reason);
  const { accountId, sessionToken } = proven.value;
  return { accountId, address, browserToken, sessionToken };
}

function asking(person: Person, to: string): Promise<RequestInput> {
  return ask(to, "change-email", person.browserToken, person.accountId);
}

/**
 * The address is changed, and the browser has the new session; includes the token from the email to the old address.
 */
async function changed(person: Person, to: string): Promise<Person & { link: string }> {
  const request = await asking(person, to);
  expect(request.digits).toMatch(/^\d{8}$/);
  const proven = await prove(request, person);
  if (!proven.ok) throw new Error(proven.refusal.reason);
  await app.settled();
  return { ...person, address: to, sessionToken: proven.value.sessionToken, link: linkTo(person.address) };
}

function linkTo(address: string): string {
  const email = app.emails.findLast((candidate) => candidate.to === address && candidate.text.includes("?revert="));
  return /\?revert=(\w+)/.exec(email?.text ?? "")?.[1] ?? "no link";
}

function takeBack(link: string, using: TestApp = app) {
  return revertAddress(using, link, { device: "Safari on iOS", country: null });
}

/** Also sends every other email that was queued. */
async function everythingEmailed(): Promise<void> {
  await app.settled();
  app.pass(minuteMs);
  await deliverDueEmails(app);
}

async function addressOf(person: Person): Promise<string | undefined> {
  const row = await env.DB.prepare("select email, email_canonical from accounts where id = ?")
    .bind(person.accountId)
    .first<{ email: string; email_canonical: string }>();
  expect(row?.email_canonical).toBe(row?.email.toLowerCase());
  return row?.email;
}

async function count(table: string, where: string): Promise<number> {
  const row = await env.DB.prepare(`select count(*) as n from ${table} where ${where}`).first<{ n: number }>();
  return row?.n ?? 0;
}

async function isIn(person: Person): Promise<boolean> {
  return (await findSignedIn(app, person)) !== null;
}

/** Everything that a change or its reversal writes, to be compared before and after. */
async function rows(): Promise<unknown> {
  const tables = [
    "accounts",
    "sessions",
    "codes",
    "address_changes",
    "activities",
    "emails",
    "passkeys",
    "known_browsers",
  ];
  const found = await env.DB.batch(tables.map((table) => env.DB.prepare(`select * from ${table} order by 1, 2`)));
  return found.map(({ results }) => results);
}

/**
 * The same App, except that something happens just before it writes, or an extra statement fails at the end of the
 * batch.
 */
function meddled(meddling: { first?: string; last?: string }): TestApp {
  const originals = new Map<string, D1PreparedStatement>();
  const writes = new WeakSet<D1PreparedStatement>();
  const mark = (query: string) => {
    const prepared = env.DB.prepare(query);
    originals.set(query, prepared);
    return new Proxy(prepared, {
      get(target, name) {
        if (name !== "bind") return Reflect.get(target, name);
        return (...values: unknown[]) => {
          const bound = target.bind(...values);
          if (/^\s*(update|insert|delete)/i.test(query)) writes.add(bound);
          return bound;
        };
      },
    });
  };
  const binding = {
    prepare: mark,
    async batch(batch: D1PreparedStatement[]) {
      if (!batch.some((statement) => writes.has(statement))) return env.DB.batch(batch);
      if (meddling.first) await env.DB.prepare(meddling.first).run();
      return env.DB.batch(meddling.last ? [...batch, env.DB.prepare(meddling.last)] : batch);
    },
  };
  // Drizzle calls these two and no others.
  return { ...app, db: openDatabase(binding as unknown as D1Database) };
}

const fails = "insert into customers (account_id, provider_id, created_at) values ('acc_nobody', 'cus_nobody', 0)";

describe("a change of address", () => {
  test("moves the account, renews this browser's session, ends every other session and emails the old address, once", async () => {
    const person = await signedIn(own("Mara"), "laptop");
    const phone = await signedIn(own("Mara"), "phone", "sign-in");
    const before = app.emails.length;
    const moved = await changed(person, own("Mara.New"));
    expect(await addressOf(person)).toBe(own("Mara.New"));
    expect([await isIn(person), await isIn(phone), await isIn(moved)]).toEqual([false, false, true]);
    const states = await env.DB.prepare("select state from sessions where account_id = ? order by created_at")
      .bind(person.accountId)
      .all<{ state: string }>();
    expect(states.results.map(({ state }) => state)).toEqual(["rotated", "revoked", "active"]);
    expect(await count("activities", `account_id = '${person.accountId}' and what = 'address-changed'`)).toBe(1);
    const [, emails] = app.emails.slice(before);
    expect([emails?.to, emails?.subject]).toEqual([own("Mara"), expect.stringMatching(subjectOf("address-changed"))]);
    expect(emails?.text).toContain("M•••@example.com");
    expect(emails?.text).not.toContain(own("Mara.New"));
    // The email belongs to the account, although its address has changed since.
    expect(await count("emails", `template = 'address-changed' and recipient_id = '${person.accountId}'`)).toBe(1);
  });

  test("is queued in the outbox while email is down, encrypted with its link and addresses, and emailed later", async () => {
    const person = await signedIn(own("sealed"), "laptop");
    const request = await asking(person, own("sealed.new"));
    app.isEmailDown = true;
    expect((await prove(request, person)).ok).toBe(true);
    await app.settled();
    const waiting = await env.DB.prepare(
      "select * from emails where template = 'address-changed' and state = 'queued'",
    ).all();
    expect(waiting.results).toHaveLength(1);
    expect(JSON.stringify(waiting.results)).not.toMatch(/sealed-|revert=/);
    app.isEmailDown = false;
    app.pass(minuteMs);
    await deliverDueEmails(app);
    const link = linkTo(person.address);
    expect(link).toMatch(/^[0-9a-hjkmnp-tv-z]{52}$/);
    const changes = await env.DB.prepare("select * from address_changes").all();
    expect(JSON.stringify(changes.results)).not.toContain(link);
    expect((await takeBack(link)).ok).toBe(true);
  });

  test("takes effect once when confirmed forty times at the same time, with one email and one session", async () => {
    const person = await signedIn(own("forty"), "laptop");
    const request = await asking(person, own("forty.new"));
    const before = app.emails.length;
    const results = await Promise.all(Array.from({ length: 40 }, () => prove(request, person)));
    await everythingEmailed();
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    const refusals = new Set(results.flatMap((result) => (result.ok ? [] : [result.refusal.reason])));
    expect(refusals).toEqual(new Set(["code-used"]));
    expect(await count("address_changes", `account_id = '${person.accountId}'`)).toBe(1);
    expect(await count("sessions", `account_id = '${person.accountId}' and state = 'active'`)).toBe(1);
    expect(app.emails.slice(before).map(({ to }) => to)).toEqual([person.address]);
  });

  test("by two accounts to one address succeeds for one; the other keeps its address and an unused code", async () => {
    const left = await signedIn(own("left"), "left");
    const right = await signedIn(own("right"), "right");
    const codes = { left: await asking(left, own("wanted")), right: await asking(right, own("wanted")) };
    const [ofLeft, ofRight] = await Promise.all([prove(codes.left, left), prove(codes.right, right)]);
    expect([ofLeft.ok, ofRight.ok].filter(Boolean)).toHaveLength(1);
    const [winner, loser, result, code] = ofLeft.ok
      ? [left, right, ofRight, codes.right]
      : [right, left, ofLeft, codes.left];
    expect(result).toEqual({ ok: false, refusal: { reason: "address-taken" } });
    expect([await addressOf(winner), await addressOf(loser)]).toEqual([own("wanted"), loser.address]);
    expect(await isIn(loser)).toBe(true);
    expect(await count("codes", `id = '${code.requestId}' and state = 'issued' and wrong_tries = 0`)).toBe(1);
  });

  test("is written completely or not at all", async () => {
    const person = await signedIn(own("half"), "laptop");
    const request = await asking(person, own("half.new"));
    const before = await rows();
    await expect(prove(request, person, meddled({ last: fails }))).rejects.toThrow();
    expect(await rows()).toEqual(before);
    expect((await prove(request, person)).ok).toBe(true);
  });

  test("voids all other pending codes of the account, in any browser", async () => {
    const person = await signedIn(own("many"), "laptop");
    const phone = await signedIn(own("many"), "phone", "sign-in");
    const elsewhere = await asking(phone, own("many.other"));
    const proof = await ask(person.address, "reauthentication", person.browserToken, person.accountId);
    const earlier = await asking(person, own("many.new"));
    const moved = await changed(person, own("many.new"));
    for (const [request, who] of [
      [elsewhere, { ...phone, sessionToken: moved.sessionToken }],
      [proof, moved],
      [earlier, moved],
    ] as const) {
      expect(await prove(request, who)).toEqual({ ok: false, refusal: { reason: "code-superseded" } });
    }
    expect(await addressOf(person)).toBe(own("many.new"));
  });

  test("makes the browser known for the new address", async () => {
    const moved = await changed(await signedIn(own("known"), "laptop"), own("known.new"));
    // The email with the code was the first of five.
    const strangers = Array.from({ length: 4 }, (_, at) => `stranger ${at}`);
    const elsewhere = (at: number) => `198.51.100.${at + 1}`;
    for (const [at, stranger] of strangers.entries())
      await ask(moved.address, "sign-in", stranger, undefined, elsewhere(at));
    await expect(ask(moved.address, "sign-in", "one more", undefined, elsewhere(9))).rejects.toThrow("too-many-emails");
    expect((await ask(moved.address, "sign-in", "laptop")).digits).toMatch(/^\d{8}$/);
  });
});

describe("a code for a new address", () => {
  test("changes nothing unless the account that requested it is signed in: no session, another account's, an ended one", async () => {
    const person = await signedIn(own("asker"), "laptop");
    const other = await signedIn(own("other"), "laptop");
    const gone = await signedIn(own("asker"), "library", "sign-in");
    const request = await asking(person, own("asker.new"));
    await env.DB.prepare("update sessions set state = 'revoked' where token_hash = ?")
      .bind(await hashToken(gone.sessionToken))
      .run();
    const before = await rows();
    for (const sessionToken of [null, "planted", other.sessionToken, gone.sessionToken]) {
      expect(await prove(request, { ...person, sessionToken })).toEqual({
        ok: false,
        refusal: { reason: "account-not-here" },
      });
    }
    expect(await rows()).toEqual(before);
    expect((await prove(request, person)).ok).toBe(true);
  });

  test("changes nothing if the session ends, or the account is closed, at the same moment", async () => {
    const person = await signedIn(own("moment"), "laptop");
    const request = await asking(person, own("moment.new"));
    const ends = `update sessions set state = 'revoked' where account_id = '${person.accountId}'`;
    const leaves = `update accounts set state = 'closed' where id = '${person.accountId}'`;
    for (const first of [leaves, ends]) {
      expect(await prove(request, person, meddled({ first }))).toEqual({
        ok: false,
        refusal: { reason: "account-not-here" },
      });
      await env.DB.prepare("update accounts set state = 'active'").run();
    }
    expect(await addressOf(person)).toBe(person.address);
    expect(await count("codes", `id = '${request.requestId}' and state = 'issued'`)).toBe(1);
  });

  test("works only for the account that requested it, even if two accounts use one browser", async () => {
    const first = await signedIn(own("first"), "shared");
    const second = await signedIn(own("second"), "shared");
    const ofFirst = await asking(first, own("wished"));
    const ofSecond = await asking(second, own("wished"));
    expect(await prove({ ...ofSecond, digits: ofFirst.digits }, second)).toMatchObject({
      refusal: { reason: "wrong-code" },
    });
    expect(await prove(ofFirst, second)).toEqual({ ok: false, refusal: { reason: "account-not-here" } });
    expect((await prove(ofSecond, second)).ok).toBe(true);
    expect(await addressOf(first)).toBe(first.address);
  });

  test("opens no session, and a sign-in code changes no address", async () => {
    const person = await signedIn(own("kinds"), "laptop");
    const other = await signedIn(own("kinds.other"), "tablet");
    const toSignIn = await ask(other.address, "sign-in", person.browserToken);
    const toChange = await asking(person, own("kinds.new"));
    expect(await prove({ ...toChange, digits: toSignIn.digits }, person)).toMatchObject({
      refusal: { reason: "wrong-code" },
    });
    expect(await prove({ ...toSignIn, digits: toChange.digits }, person)).toMatchObject({
      refusal: { reason: "wrong-code" },
    });
    const proven = await prove(toChange, person);
    expect(proven).toMatchObject({ ok: true, value: { accountId: person.accountId, isNew: false } });
  });

  test("isn't sent to an address with an account, and only that email reveals the account", async () => {
    const person = await signedIn(own("curious"), "laptop");
    await signedIn(own("taken"), "tablet");
    const seen = [];
    for (const to of [own("free"), own("taken")]) {
      app.pass(minuteMs);
      const address = parseEmailAddress(to);
      if (!address) throw new Error("not an address");
      const statements: string[] = [];
      const binding = {
        prepare(query: string) {
          statements.push(query);
          return env.DB.prepare(query);
        },
        batch: (batch: D1PreparedStatement[]) => env.DB.batch(batch),
      };
      const using = { ...app, db: openDatabase(binding as unknown as D1Database) };
      const input = {
        address,
        purpose: "change-email",
        browserToken: "laptop",
        ip: "192.0.2.99",
        carried: {},
      } as const;
      const request = await requestCode(using, { ...input, accountId: person.accountId, again: false });
      if (!request.ok) throw new Error(request.refusal.reason);
      const { requestId } = request.value;
      const untilAnswer = [...statements];
      await app.settled();
      const wrong = await prove({ requestId, digits: "00000000" }, person);
      seen.push({ untilAnswer, wrong });
    }
    expect(seen[0]?.untilAnswer.length).toBeGreaterThan(5);
    expect(seen[0]?.wrong).toEqual({ ok: false, refusal: { reason: "wrong-code", triesLeft: 4 } });
    expect(seen[1]).toEqual(seen[0]);
    const [free, taken] = app.emails.slice(-2);
    const code = emailOf({ template: "code", purpose: "change-email", code: gap, validMs: 600_000, url: "" });
    expect(free?.subject).toMatch(pattern`^${fillGaps(code.subject, /\d{8}/)}$`);
    expect([taken?.to, taken?.subject]).toEqual([own("taken"), emailOf({ template: "address-wanted" }).subject]);
    expect(`${taken?.subject} ${taken?.text}`).not.toMatch(/\d{8}|http/);
  });
});

describe("an address that an account had recently", () => {
  const held = { ok: false, refusal: { reason: "address-held" } };

  function newestEmailTo(address: string) {
    const email = app.emails.findLast((candidate) => candidate.to === address);
    return { subject: email?.subject, text: email?.text ?? "" };
  }

  test.each(["sign-in", "sign-up", "change-email"] as const)(
    "receives the revert link instead of a code for %s, and nothing but that email reveals it",
    async (purpose) => {
      const [owner, other] = [await signedIn(own("victim"), "laptop"), await signedIn(own("other"), "tablet")];
      await changed(owner, own("thief"));
      const who = purpose === "change-email" ? other.accountId : undefined;
      const request = await ask(own("victim"), purpose, "tablet", who);
      expect(request.digits).toBe("");
      // To the address as stored, not as typed: another spelling may be another person's mailbox.
      app.pass(minuteMs);
      await ask(own("victim").toUpperCase(), purpose, "tablet", who);
      expect(app.emails.filter(({ to }) => /VICTIM/.test(to))).toEqual([]);
      const { subject, text } = newestEmailTo(own("victim"));
      const [on, until] = [app.clock(), app.clock() + revertLifeMs].map((at) => formatDay(at, product));
      const facts = { on: on ?? "", to: "t•••@example.com", url: "", until: `${until}${gap}` };
      const written = emailOf({ template: "address-held", ...facts });
      expect(subject).toBe(written.subject);
      for (const sentence of written.before) expect(text).toMatch(fillGaps(sentence));
      expect(text).not.toContain(own("thief"));
      const unknown = await ask(own("nobody"), purpose, "tablet", who);
      const guesses = [request, unknown].map((each) => prove({ ...each, digits: "00000000" }, other));
      const [guess, guessed] = await Promise.all(guesses);
      expect(guess).toMatchObject({ refusal: { reason: "wrong-code", triesLeft: 4 } });
      expect(guessed).toEqual(guess);
      const links = /\?revert=(\w+)/.exec(text);
      expect((await takeBack(links?.[1] ?? "")).ok).toBe(true);
      expect(await addressOf(owner)).toBe(own("victim"));
    },
  );

  test("can be restored by the first email, too, whatever was requested since", async () => {
    const { link, accountId } = await changed(await signedIn(own("both"), "laptop"), own("both.new"));
    await ask(own("both"), "sign-up", "tablet");
    await ask(own("both"), "sign-in", "tablet");
    expect(await takeBack(link)).toEqual({ ok: true, value: { accountId } });
  });

  test("doesn't open another account with an earlier code, which stays unused and signs in after the change is reverted", async () => {
    const owner = await signedIn(own("early"), "laptop");
    const early = await ask(own("early"), "sign-up", "phone");
    const { link } = await changed(owner, own("early.new"));
    const visitor = { browserToken: "phone", sessionToken: null };
    const before = await rows();
    expect(await prove(early, visitor)).toEqual(held);
    expect(await rows()).toEqual(before);
    expect((await takeBack(link)).ok).toBe(true);
    expect(await prove(early, visitor)).toMatchObject({
      ok: true,
      value: { accountId: owner.accountId, isNew: false },
    });
  });

  test("doesn't open an account at the moment of the change either", async () => {
    const other = await signedIn(own("witness"), "laptop");
    const request = await ask(own("instant"), "sign-up", "phone");
    const first = `insert into address_changes (id, account_id, state, from_email, from_canonical, to_email, to_canonical,
        revert_hash, changed_at, revert_expires_at)
      values ('chg_${people}', '${other.accountId}', 'changed', '${own("instant")}', '${own("instant")}', 'x', 'x',
        'hash ${people}', ${app.clock()}, ${app.clock() + 1})`;
    const visitor = { browserToken: "phone", sessionToken: null };
    expect(await prove(request, visitor, meddled({ first }))).toEqual(held);
    expect(await count("accounts", `email = '${own("instant")}'`)).toBe(0);
    expect(await count("codes", `id = '${request.requestId}' and state = 'issued'`)).toBe(1);
  });

  test("can't be taken over by another account with a change-of-address code either", async () => {
    const other = await signedIn(own("covets"), "tablet");
    const request = await asking(other, own("coveted"));
    await changed(await signedIn(own("coveted"), "laptop"), own("coveted.new"));
    expect(await prove(request, other)).toEqual(held);
    expect(await addressOf(other)).toBe(own("covets"));
    expect(await count("codes", `id = '${request.requestId}' and state = 'issued'`)).toBe(1);
  });

  test("is available to its own account immediately", async () => {
    const moved = await changed(await signedIn(own("wavers"), "laptop"), own("wavers.new"));
    const back = await changed(moved, own("wavers"));
    expect(await addressOf(back)).toBe(own("wavers"));
    expect((await signedIn(own("wavers"), "phone", "sign-up")).accountId).toBe(back.accountId);
  });

  test("is available to other accounts after seven days, exact to the millisecond", async () => {
    const { accountId } = await changed(await signedIn(own("frees"), "laptop"), own("frees.new"));
    // Asking takes 31 seconds here.
    app.pass(revertLifeMs - 31 * secondMs - 1);
    expect((await ask(own("frees"), "sign-up", "phone")).digits).toBe("");
    await env.DB.exec("delete from quota_uses");
    app.pass(1 - 31 * secondMs);
    const second = await signedIn(own("frees"), "phone");
    expect(second.accountId).not.toBe(accountId);
  });

  test("is available to other accounts once the change was reverted, and no revert link leads there", async () => {
    const owner = await signedIn(own("firm"), "laptop");
    const once = await changed(owner, own("firm.second"));
    app.pass(minuteMs);
    await changed(once, own("firm.third"));
    expect((await takeBack(once.link)).ok).toBe(true);
    for (const name of ["firm.second", "firm.third"]) {
      expect((await signedIn(own(name), name)).accountId).not.toBe(owner.accountId);
    }
  });
});

describe("reverting a change of address", () => {
  test("returns the address, signs out every session, voids codes, and emails both addresses", async () => {
    const person = await signedIn(own("owner"), "laptop");
    const thief = await changed(person, own("thief"));
    const waiting = await asking(thief, own("thief.third"));
    const before = app.emails.length;
    expect(await showRevert(app, thief.link)).toMatchObject({ ok: true, value: { maskedAddress: "o•••@example.com" } });
    expect(await takeBack(thief.link)).toEqual({ ok: true, value: { accountId: person.accountId } });
    await app.settled();
    expect(await addressOf(person)).toBe(own("owner"));
    expect(await isIn(thief)).toBe(false);
    expect(await count("sessions", `account_id = '${person.accountId}' and state = 'active'`)).toBe(0);
    expect(await prove(waiting, thief)).toEqual({ ok: false, refusal: { reason: "code-superseded" } });
    expect(await count("activities", `account_id = '${person.accountId}' and what = 'address-reverted'`)).toBe(1);
    const emails = app.emails.slice(before);
    expect(emails.map(({ to }) => to).toSorted()).toEqual([own("owner"), own("thief")]);
    const textTo = (address: string) => emails.find(({ to }) => to === address)?.text;
    const masked = "o•••@example.com";
    expect(textTo(own("owner"))).toContain(
      emailOf({ template: "address-reverted", to: masked, isCurrent: true }).before[0],
    );
    expect(textTo(own("thief"))).toContain(
      emailOf({ template: "address-reverted", to: masked, isCurrent: false }).before[0],
    );
    const back = await signedIn(own("owner"), "laptop", "sign-in");
    expect(back.accountId).toBe(person.accountId);
  });

  test("changes nothing when viewed forty times, and takes effect once when confirmed forty times at the same time", async () => {
    const { link, accountId } = await changed(await signedIn(own("once"), "laptop"), own("once.new"));
    const before = await rows();
    for (let look = 0; look < 40; look += 1) expect((await showRevert(app, link)).ok).toBe(true);
    expect(await rows()).toEqual(before);
    const sentEmails = app.emails.length;
    const results = await Promise.all(Array.from({ length: 40 }, () => takeBack(link)));
    await everythingEmailed();
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    const refusals = new Set(results.flatMap((result) => (result.ok ? [] : [result.refusal.reason])));
    expect(refusals).toEqual(new Set(["link-used"]));
    expect(app.emails).toHaveLength(sentEmails + 2);
    expect(await count("activities", `account_id = '${accountId}' and what = 'address-reverted'`)).toBe(1);
  });

  test("is possible for seven days, exact to the millisecond", async () => {
    const late = await changed(await signedIn(own("late"), "laptop"), own("late.new"));
    app.pass(revertLifeMs - 1);
    expect((await showRevert(app, late.link)).ok).toBe(true);
    app.pass(1);
    const over = { ok: false, refusal: { reason: "link-expired" } };
    expect([await showRevert(app, late.link), await takeBack(late.link)]).toEqual([over, over]);
    const last = await changed(await signedIn(own("last"), "laptop"), own("last.new"));
    app.pass(revertLifeMs - 1);
    expect((await takeBack(last.link)).ok).toBe(true);
  });

  test("undoes every later change, whose links stop working", async () => {
    const owner = await signedIn(own("first"), "laptop");
    const once = await changed(owner, own("second"));
    app.pass(minuteMs);
    const twice = await changed(once, own("third"));
    expect((await takeBack(once.link)).ok).toBe(true);
    expect(await addressOf(owner)).toBe(own("first"));
    expect(await takeBack(twice.link)).toEqual({ ok: false, refusal: { reason: "link-overtaken" } });
    expect(await addressOf(owner)).toBe(own("first"));
  });

  test("keeps the links of earlier changes: an attacker who reverts their own second change gains nothing", async () => {
    const owner = await signedIn(own("alpha"), "laptop");
    const once = await changed(owner, own("beta"));
    app.pass(minuteMs);
    const twice = await changed(once, own("gamma"));
    expect((await takeBack(twice.link)).ok).toBe(true);
    expect(await addressOf(owner)).toBe(own("beta"));
    expect((await takeBack(once.link)).ok).toBe(true);
    expect(await addressOf(owner)).toBe(own("alpha"));
  });

  test("removes the passkeys added after the day before the change, and no others", async () => {
    const owner = await signedIn(own("keys"), "laptop");
    const other = await signedIn(own("keys.other"), "tablet");
    const { link } = await changed(owner, own("keys.new"));
    const changedAt = app.clock();
    const ages = { old: -dayMs, justBefore: -dayMs + 1, after: minuteMs };
    for (const accountId of [owner.accountId, other.accountId]) {
      for (const [name, age] of Object.entries(ages)) {
        await env.DB.prepare(
          "insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name, created_at) values (?1, ?2, ?1, 'k', 0, '[]', ?3, ?4)",
        )
          .bind(`pky_${accountId}_${name}`, accountId, name, changedAt + age)
          .run();
      }
    }
    expect((await takeBack(link)).ok).toBe(true);
    const { results } = await env.DB.prepare("select account_id, name from passkeys order by account_id = ?, name")
      .bind(owner.accountId)
      .all<{ account_id: string; name: string }>();
    expect(results.map(({ account_id, name }) => [account_id === owner.accountId, name])).toEqual([
      ...["after", "justBefore", "old"].map((name) => [false, name]),
      [true, "old"],
    ]);
  });

  test("also undoes a change at the same moment, and emails its address too", async () => {
    const owner = await signedIn(own("quick"), "laptop");
    const { link } = await changed(owner, own("quick.new"));
    const first = `update accounts set email = '${own("quick.newest")}', email_canonical = '${own("quick.newest")}'
      where id = '${owner.accountId}'`;
    const before = app.emails.length;
    expect((await takeBack(link, meddled({ first }))).ok).toBe(true);
    await app.settled();
    expect(await addressOf(owner)).toBe(own("quick"));
    const emails = app.emails.slice(before).map(({ to }) => to);
    expect(emails.toSorted()).toEqual([own("quick"), own("quick.newest")]);
  });

  test("takes nothing from an account that gets the old address at the same moment", async () => {
    const owner = await signedIn(own("raced"), "laptop");
    const { link } = await changed(owner, own("raced.new"));
    const first = `insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
      values ('acc_raced', 'active', '${own("raced")}', '${own("raced")}', 'en', 'UTC', 'v', 0)`;
    expect(await takeBack(link, meddled({ first }))).toEqual({ ok: false, refusal: { reason: "address-taken" } });
    expect(await addressOf(owner)).toBe(own("raced.new"));
    expect(await count("address_changes", `account_id = '${owner.accountId}' and state = 'changed'`)).toBe(1);
    expect(await count("activities", `account_id = '${owner.accountId}' and what = 'address-reverted'`)).toBe(0);
  });

  test("returns the address of a closed account, too, so that its owner can keep it", async () => {
    const owner = await signedIn(own("leaver"), "laptop");
    const { link } = await changed(owner, own("leaver.new"));
    await env.DB.prepare("update accounts set state = 'closed' where id = ?").bind(owner.accountId).run();
    expect((await takeBack(link)).ok).toBe(true);
    expect(await addressOf(owner)).toBe(own("leaver"));
  });

  test("is written completely or not at all", async () => {
    const { link } = await changed(await signedIn(own("whole"), "laptop"), own("whole.new"));
    const before = await rows();
    await expect(takeBack(link, meddled({ last: fails }))).rejects.toThrow();
    expect(await rows()).toEqual(before);
    expect((await takeBack(link)).ok).toBe(true);
  });

  test("fails once the account is erased", async () => {
    const owner = await signedIn(own("gone"), "laptop");
    const { link } = await changed(owner, own("gone.new"));
    await env.DB.prepare("update accounts set state = 'erased' where id = ?").bind(owner.accountId).run();
    const unknown = { ok: false, refusal: { reason: "link-unknown" } };
    expect([await showRevert(app, link), await takeBack(link)]).toEqual([unknown, unknown]);
  });

  test("fails with an unknown token, and the row is deleted a month after the change", async () => {
    const unknown = { ok: false, refusal: { reason: "link-unknown" } };
    for (const link of ["", "0".repeat(52), "x".repeat(10_000)]) expect(await takeBack(link)).toEqual(unknown);
    const { link } = await changed(await signedIn(own("swept"), "laptop"), own("swept.new"));
    app.pass(30 * dayMs);
    await sweepAccounts(app);
    expect(await showRevert(app, link)).toEqual({ ok: false, refusal: { reason: "link-expired" } });
    app.pass(1);
    await sweepAccounts(app);
    expect(await showRevert(app, link)).toEqual(unknown);
  });
});
