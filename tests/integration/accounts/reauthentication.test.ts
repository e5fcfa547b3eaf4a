import type { RequestId } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { findOwnRequest } from "#app/modules/accounts/reads/find-own-request.server.ts";
import { findSignedIn } from "#app/modules/accounts/reads/find-signed-in.server.ts";
import { openUnsentRequest } from "#app/modules/accounts/commands/open-unsent-request.server.ts";
import { reauthenticationMs, isReauthenticated, type Viewer } from "#app/modules/accounts/rules.ts";
import { sweepAccounts } from "#app/modules/accounts/commands/sweep-accounts.server.ts";
import { codeLifeMs } from "#app/modules/accounts/codes/rules.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { hourMs, minuteMs, secondMs } from "#app/core/time/time.ts";
import { deliverDueEmails } from "#app/modules/email/commands/deliver-email.server.ts";
import { addPasskey } from "#app/modules/accounts/passkeys/commands/add-passkey.server.ts";
import { offerPasskey } from "#app/modules/accounts/passkeys/reads/offer-passkey.server.ts";
import { proveWithPasskey } from "#app/modules/accounts/passkeys/commands/prove-with-passkey.server.ts";
import { showRequest } from "#app/routes/verify/show-request.server.ts";
import { Authenticator } from "#tests/support/clients/authenticator.ts";
import { CodeDriver, wrongDigits } from "#tests/support/clients/code-driver.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

let app: TestApp;
let people = 0;

beforeEach(() => {
  app = testApp({ payments: null });
  people += 1;
});

type Person = Viewer & { token: string };

function at(name: string): CodeDriver {
  return new CodeDriver(app, `${name}-${people}@example.com`);
}

async function first<Value>(query: string, ...values: string[]): Promise<Value | null> {
  return env.DB.prepare(query)
    .bind(...values)
    .first<Value>("is");
}

function stateOf(requestId: RequestId) {
  return first<string>('select state as "is" from codes where id = ?', requestId);
}

function addressOf({ account }: Viewer) {
  return first<string>('select email as "is" from accounts where id = ?', account.id);
}

describe("the code of a re-authentication", () => {
  test("opens nothing for an account that now has the address", async () => {
    const owner = at("owner");
    const { account, token } = await owner.signedIn();
    app.pass(minuteMs);
    const { requestId, digits } = await owner.asked("reauthentication", "browser", account.id);
    // The state between the two statements of which one voids the code.
    await env.DB.prepare("update accounts set email = 'moved', email_canonical = 'moved' where id = ?")
      .bind(account.id)
      .run();
    await env.DB.prepare(`insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
      values (?1, 'active', ?2, ?2, 'en', 'UTC', '', 0)`)
      .bind(`acc_newcomer_${people}`, owner.address)
      .run();
    expect(await owner.prove(requestId, digits, "browser", token)).toEqual({
      ok: false,
      refusal: { reason: "no-request" },
    });
    expect(await first('select count(*) as "is" from sessions where account_id = ?', `acc_newcomer_${people}`)).toBe(0);
    expect(await stateOf(requestId)).toBe("issued");
  });

  test("confirms nothing without the account that requested it", async () => {
    const owner = at("nobodys");
    const { token } = await owner.signedIn();
    app.pass(minuteMs);
    const { requestId, digits } = await owner.asked("reauthentication");
    expect(await owner.prove(requestId, digits, "browser", token)).toEqual({
      ok: false,
      refusal: { reason: "no-request" },
    });
  });

  test("is void once the address has changed, even if only a passkey could still answer it", async () => {
    const owner = at("void");
    const { account, token } = await owner.signedIn();
    app.pass(minuteMs);
    const proof = await owner.asked("reauthentication", "browser", account.id);
    for (let tries = 0; tries < 5; tries += 1) await owner.prove(proof.requestId, wrongDigits());
    expect(await stateOf(proof.requestId)).toBe("exhausted");
    const to = at("void.new");
    const change = await to.asked("change-email", "browser", account.id);
    expect((await to.prove(change.requestId, change.digits, "browser", token)).ok).toBe(true);
    expect(await stateOf(proof.requestId)).toBe("superseded");
  });
});

describe("a code for a new address whose email was delayed", () => {
  /**
   * An account whose re-authentication is about to expire when the code is requested; the email leaves when it is
   * `age` old.
   */
  async function heldUp(name: string, age: number) {
    const owner = at(name);
    const person: Person = await owner.signedIn();
    app.pass(reauthenticationMs - 1);
    app.isEmailDown = true;
    const to = at(`${name}.new`);
    const { requestId } = await to.asked("change-email", "browser", person.account.id);
    app.isEmailDown = false;
    app.pass(person.session.provenAt + age - app.clock());
    await deliverDueEmails(app);
    await sweepAccounts(app);
    const email = app.emails.findLast((candidate) => candidate.to === to.address);
    return { owner, person, to, requestId, digits: /\b\d{8}\b/.exec(email?.subject ?? "")?.[0] ?? "no mail" };
  }

  test("is accepted as long as a code requested at the last moment would be, exact to the millisecond", async () => {
    const last = reauthenticationMs + codeLifeMs - 1;
    const { person, to, requestId, digits } = await heldUp("late", last);
    expect((await to.prove(requestId, digits, "browser", person.token)).ok).toBe(true);
    expect(await addressOf(person)).toBe(to.address);
    const later = await heldUp("too-late", last + 1);
    expect(await later.to.prove(later.requestId, later.digits, "browser", later.person.token)).toEqual({
      ok: false,
      refusal: { reason: "proof-stale" },
    });
    expect(await addressOf(later.person)).toBe(later.owner.address);
  });

  test("is not used up by that, and is accepted after another re-authentication", async () => {
    const { owner, person, to, requestId, digits } = await heldUp("again", hourMs);
    expect(await to.prove(requestId, digits, "browser", person.token)).toMatchObject({
      refusal: { reason: "proof-stale" },
    });
    expect(await stateOf(requestId)).toBe("issued");
    const proof = await owner.asked("reauthentication", "browser", person.account.id);
    const proven = await owner.prove(proof.requestId, proof.digits, "browser", person.token);
    if (!proven.ok) throw new Error(proven.refusal.reason);
    expect((await to.prove(requestId, digits, "browser", proven.value.sessionToken)).ok).toBe(true);
    expect(await addressOf(person)).toBe(to.address);
  });
});

describe("a request for which no email is sent", () => {
  async function withPasskey(name = "keys") {
    const owner = at(name);
    const person = await owner.signedIn();
    const key = await Authenticator.make(app.origin);
    const offer = await offerPasskey(app, person, []);
    const text = await key.register(offer?.options.challenge ?? "");
    expect((await addPasskey(app, person, { name: "Desk", text, device: "Firefox on Linux" })).ok).toBe(true);
    app.pass(hourMs);
    await app.settled();
    app.emails.length = 0;
    return { owner, person, key };
  }

  function open({ person }: Awaited<ReturnType<typeof withPasskey>>, browserToken = "browser") {
    const address = parseEmailAddress(person.account.email);
    if (!address) throw new Error("not an address");
    const carried = { redirectTo: "/settings#leaving", typed: { intent: "delete" } };
    return openUnsentRequest(app, { address, browserToken, carried, accountId: person.account.id });
  }

  async function answer(owner: Awaited<ReturnType<typeof withPasskey>>, requestId: RequestId) {
    const shown = await showRequest(app, requestId, "browser", owner.person);
    const request = await findOwnRequest(app, requestId, "browser");
    if (shown.kind !== "here" || !request) throw new Error("not shown");
    const text = await owner.key.sign(shown.offer?.options.challenge ?? "", null);
    const browser = {
      browserToken: "browser",
      sessionToken: owner.person.token,
      device: "Firefox on Linux",
      country: null,
    };
    return proveWithPasskey(app, request, text, browser);
  }

  test("can be answered only by a passkey, and keeps the typed text", async () => {
    const owner = await withPasskey();
    const { requestId } = await open(owner);
    await app.settled();
    expect(app.emails).toEqual([]);
    expect(await showRequest(app, requestId, "browser", owner.person)).toMatchObject({ delivery: "none", over: null });
    for (const digits of [wrongDigits(), ""]) {
      expect((await owner.owner.prove(requestId, digits, "browser", owner.person.token)).ok).toBe(false);
    }
    const proven = await answer(owner, requestId);
    expect(proven).toMatchObject({ ok: true, value: { carried: { typed: { intent: "delete" } } } });
    const viewer = proven.ok ? await findSignedIn(app, proven.value) : null;
    expect(viewer && isReauthenticated(viewer.session, app.clock())).toBe(true);
  });

  test("offers passkeys only to its own account, not to another account in the same browser", async () => {
    const owner = await withPasskey();
    const stranger = await withPasskey("stranger");
    const { requestId } = await open(owner);
    for (const viewer of [stranger.person, null]) {
      expect(await showRequest(app, requestId, "browser", viewer)).toMatchObject({ kind: "here", offer: null });
    }
  });

  test("expires as a code would, and replaces the previous one in its browser", async () => {
    const owner = await withPasskey();
    const [one, other, elsewhere] = [await open(owner), await open(owner), await open(owner, "phone")];
    expect(await Promise.all([one, other, elsewhere].map(({ requestId }) => stateOf(requestId)))).toEqual([
      null,
      "issued",
      "issued",
    ]);
    app.pass(codeLifeMs - 1);
    expect(await showRequest(app, other.requestId, "browser", owner.person)).toMatchObject({ over: null });
    app.pass(1);
    expect(await answer(owner, other.requestId)).toEqual({ ok: false, refusal: { reason: "code-expired" } });
  });

  test("doesn't affect a code that was sent before", async () => {
    const owner = await withPasskey();
    const { requestId, digits } = await owner.owner.asked("reauthentication", "browser", owner.person.account.id);
    app.pass(31 * secondMs);
    await open(owner);
    expect((await owner.owner.prove(requestId, digits, "browser", owner.person.token)).ok).toBe(true);
  });
});

test("the re-authentication page takes one round trip besides the viewer's, including the account's passkeys", async () => {
  const owner = at("trips");
  const person = await owner.signedIn();
  app.pass(minuteMs);
  const { requestId } = await owner.asked("reauthentication", "browser", person.account.id);
  for (const viewer of [null, person]) {
    const before = app.trips.toDatabase;
    await showRequest(app, requestId, "browser", viewer);
    expect(app.trips.toDatabase - before).toBe(1);
  }
});
