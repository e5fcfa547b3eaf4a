import { noPasskey } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { findOwnRequest } from "#app/modules/accounts/reads/find-own-request.server.ts";
import { findSignedIn } from "#app/modules/accounts/reads/find-signed-in.server.ts";
import { isReauthenticated, type Viewer } from "#app/modules/accounts/rules.ts";
import { wrongDigits } from "#tests/support/clients/code-driver.ts";
import { proveAddress } from "#app/modules/accounts/commands/prove-address.server.ts";
import { requestCode } from "#app/modules/accounts/commands/request-code.server.ts";
import type { Code } from "#app/modules/accounts/codes/rules.ts";
import { hashToken } from "#app/core/hash.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { dayMs, minuteMs } from "#app/core/time/time.ts";
import { addPasskey } from "#app/modules/accounts/passkeys/commands/add-passkey.server.ts";
import {
  offerReauthentication,
  offerPasskey,
  offerSignIn,
} from "#app/modules/accounts/passkeys/reads/offer-passkey.server.ts";
import { proveWithPasskey } from "#app/modules/accounts/passkeys/commands/prove-with-passkey.server.ts";
import { removePasskey } from "#app/modules/accounts/passkeys/commands/remove-passkey.server.ts";
import { signInWithPasskey } from "#app/modules/accounts/passkeys/commands/sign-in-with-passkey.server.ts";
import { listPasskeys } from "#app/modules/accounts/passkeys/queries.server.ts";
import { Authenticator, flipSignature, type Odds } from "#tests/support/clients/authenticator.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { cronJobs } from "#workers/cron.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";

let app: TestApp;
let people = 0;

beforeEach(() => {
  app = testApp();
});

/** An account that signed in a moment ago. */
async function aPerson(): Promise<Viewer> {
  people += 1;
  const id = `acc_passkeys_${people}` as const;
  const email = `passkeys-${people}@example.com`;
  const now = app.clock();
  await env.DB.batch([
    env.DB.prepare(`insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
      values (?1, 'active', ?2, ?2, 'en', 'UTC', '', 0)`).bind(id, email),
    env.DB.prepare(`insert into sessions (id, account_id, state, token_hash, device, created_at, proven_at, last_used_at, expires_at)
      values (?1, ?2, 'active', ?3, 'Firefox on Linux', ?4, ?4, ?4, ?5)`).bind(
      `ses_${id}`,
      id,
      await hashToken(`token of ${id}`),
      now,
      now + 90 * dayMs,
    ),
  ]);
  const viewer = await findSignedIn(app, { sessionToken: `token of ${id}`, accountId: id });
  if (!viewer) throw new Error("not signed in");
  return viewer;
}

async function passkeysOf(viewer: Viewer) {
  return await listPasskeys(app.db, viewer.account.id);
}

async function challengeToAdd(viewer: Viewer): Promise<string> {
  const offer = await offerPasskey(app, viewer, await passkeysOf(viewer));
  if (!offer) throw new Error("nothing is offered");
  return offer.options.challenge;
}

async function challengeToSignIn(): Promise<string> {
  return (await offerSignIn(app)).options.challenge;
}

function add(viewer: Viewer, text: string | undefined, name = "") {
  return addPasskey(app, viewer, { name, text, device: "Firefox on Linux" });
}

/** An account with a passkey. */
async function withPasskey(odds: Odds = {}) {
  const viewer = await aPerson();
  const key = await Authenticator.make(app.origin);
  expect(await add(viewer, await key.register(await challengeToAdd(viewer), odds))).toEqual({ ok: true, value: null });
  return { viewer, key };
}

const browser = { browserToken: "browser", sessionToken: null, device: "Chrome on macOS", country: "DE" };

function signIn(text: string | undefined, from: Partial<typeof browser> | { sessionToken: string } = {}) {
  return signInWithPasskey(app, text, { ...browser, ...from });
}

async function signedAnswer({ viewer, key }: Awaited<ReturnType<typeof withPasskey>>, odds: Odds = {}) {
  return key.sign(await challengeToSignIn(), viewer.account.id, odds);
}

async function count(table: string, where = "1"): Promise<number> {
  const row = await env.DB.prepare(`select count(*) as n from ${table} where ${where}`).first<{ n: number }>();
  return row?.n ?? 0;
}

async function logOf({ account }: Viewer): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "select what from activities where account_id = ? order by happened_at, rowid",
  )
    .bind(account.id)
    .all<{ what: string }>();
  return results.map(({ what }) => what);
}

const refusal = (reason: string) => ({ ok: false, refusal: { reason } });

describe("adding a passkey", () => {
  test("stores it with its name and provider, and emails the owner", async () => {
    const viewer = await aPerson();
    const key = await Authenticator.make(app.origin);
    const made = await key.register(await challengeToAdd(viewer), { aaguid: "d548826e-79b4-db40-a3d8-11116f7e8349" });
    expect(await add(viewer, made, "Desk")).toEqual({ ok: true, value: null });
    expect(await passkeysOf(viewer)).toMatchObject([
      {
        credentialId: key.credentialId,
        name: "Desk",
        provider: "Bitwarden",
        counter: 0,
        transports: ["hybrid", "internal"],
        createdAt: app.clock(),
        lastUsedAt: null,
      },
    ]);
    expect(await logOf(viewer)).toEqual(["passkey-added"]);
    await app.settled();
    expect(app.emails).toMatchObject([{ to: viewer.account.email, text: expect.stringContaining("“Desk”") }]);
  });

  test("is refused if the session ended while the request was running", async () => {
    const viewer = await aPerson();
    const key = await Authenticator.make(app.origin);
    const made = await key.register(await challengeToAdd(viewer));
    await env.DB.prepare("update sessions set state = 'revoked' where id = ?").bind(viewer.session.id).run();
    expect(await add(viewer, made, "Desk")).toEqual(refusal("proof-stale"));
    expect(await passkeysOf(viewer)).toEqual([]);
    await app.settled();
    expect(app.emails).toEqual([]);
  });

  test("requests a discoverable credential without attestation, and not twice for one device", async () => {
    const { viewer, key } = await withPasskey();
    const offer = await offerPasskey(app, viewer, await passkeysOf(viewer));
    expect(offer?.options).toMatchObject({
      rp: { id: new URL(app.origin).hostname },
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
      excludeCredentials: [{ id: key.credentialId }],
    });
  });

  test("needs a re-authentication, both to begin and to complete", async () => {
    const viewer = await aPerson();
    const key = await Authenticator.make(app.origin);
    const made = await key.register(await challengeToAdd(viewer));
    app.pass(15 * minuteMs);
    expect(await offerPasskey(app, viewer, [])).toBe(null);
    expect(await add(viewer, made)).toEqual(refusal("proof-stale"));
    expect(await passkeysOf(viewer)).toEqual([]);
  });

  test("is possible only while the re-authentication is valid", async () => {
    const viewer = await aPerson();
    expect((await offerPasskey(app, viewer, []))?.freshForMs).toBe(4 * minuteMs);
    app.pass(14 * minuteMs);
    expect((await offerPasskey(app, viewer, []))?.freshForMs).toBe(minuteMs);
  });

  test("forty times at the same time with one credential creates one row, one log entry and one email", async () => {
    const viewer = await aPerson();
    const key = await Authenticator.make(app.origin);
    const challenges = await Promise.all(Array.from({ length: 20 }, () => challengeToAdd(viewer)));
    const answers = await Promise.all(challenges.map((challenge) => key.register(challenge)));
    const results = await Promise.all([...answers, ...answers].map((answer) => add(viewer, answer)));
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    const reasons = new Set(results.flatMap((result) => (result.ok ? [] : [result.refusal.reason])));
    expect(reasons).toEqual(new Set(["challenge-used", "passkey-known"]));
    expect(await passkeysOf(viewer)).toHaveLength(1);
    expect(await logOf(viewer)).toEqual(["passkey-added"]);
    await app.settled();
    expect(app.emails).toHaveLength(1);
  });

  test("with another account's credential is refused, and changes nothing in that account", async () => {
    const { viewer: owner, key } = await withPasskey();
    const viewer = await aPerson();
    expect(await add(viewer, await key.register(await challengeToAdd(viewer)))).toEqual(refusal("passkey-known"));
    expect(await passkeysOf(viewer)).toEqual([]);
    expect(await passkeysOf(owner)).toHaveLength(1);
  });

  test("is limited to twenty, also when many are added at the same time", async () => {
    const viewer = await aPerson();
    const keys = await Promise.all(Array.from({ length: 24 }, () => Authenticator.make(app.origin)));
    const answers = await Promise.all(keys.map(async (key) => key.register(await challengeToAdd(viewer))));
    const results = await Promise.all(answers.map((answer) => add(viewer, answer)));
    expect(results.filter((result) => result.ok)).toHaveLength(20);
    const reasons = new Set(results.flatMap((result) => (result.ok ? [] : [result.refusal.reason])));
    expect(reasons).toEqual(new Set(["too-many-passkeys"]));
    expect(await offerPasskey(app, viewer, await passkeysOf(viewer))).toBe(null);
  });

  test.each<[string, Odds, string]>([
    ["from another origin", { origin: "https://evil.example" }, "origin-foreign"],
    ["in a frame of another page", { crossOrigin: true }, "origin-foreign"],
    ["for another host", { rpId: "evil.example" }, "passkey-refused"],
    ["as a sign-in", { type: "webauthn.get" }, "challenge-unknown"],
    ["without user presence", { isUserPresent: false }, "passkey-refused"],
    ["with a key of another kind", { algorithm: -6 }, "passkey-refused"],
    ["with a copy that it can't have", { isBackedUp: true }, "passkey-refused"],
  ])("is refused: %s", async (_, odds, reason) => {
    const viewer = await aPerson();
    const key = await Authenticator.make(app.origin);
    expect(await add(viewer, await key.register(await challengeToAdd(viewer), odds))).toEqual(refusal(reason));
    expect(await passkeysOf(viewer)).toEqual([]);
    expect(await logOf(viewer)).toEqual([]);
  });

  test("refuses the answer to a sign-in challenge, to another account's, to an expired one, and any second time", async () => {
    const viewer = await aPerson();
    const key = await Authenticator.make(app.origin);
    expect(await add(viewer, await key.register(await challengeToSignIn()))).toEqual(refusal("challenge-unknown"));
    const foreign = await challengeToAdd(await aPerson());
    expect(await add(viewer, await key.register(foreign))).toEqual(refusal("challenge-unknown"));
    const old = await challengeToAdd(viewer);
    app.pass(5 * minuteMs);
    expect(await add(viewer, await key.register(old))).toEqual(refusal("challenge-stale"));
    const once = await challengeToAdd(viewer);
    expect((await add(viewer, await key.register(once))).ok).toBe(true);
    const another = await Authenticator.make(app.origin);
    expect(await add(viewer, await another.register(once))).toEqual(refusal("challenge-used"));
    expect(await passkeysOf(viewer)).toHaveLength(1);
  });

  test("is refused for a credential with the id of another one", async () => {
    const viewer = await aPerson();
    const [key, other] = await Promise.all([Authenticator.make(app.origin), Authenticator.make(app.origin)]);
    const made = await key.register(await challengeToAdd(viewer));
    const renamed = made.replaceAll(key.credentialId, other.credentialId);
    expect(await add(viewer, renamed)).toEqual(refusal("passkey-refused"));
  });

  test("reports a missing answer and a malformed one", async () => {
    const viewer = await aPerson();
    expect(await add(viewer, undefined)).toEqual(refusal("passkey-missing"));
    expect(await add(viewer, "{}")).toEqual(refusal("passkey-malformed"));
  });
});

describe("signing in with a passkey", () => {
  test("opens a session in place of the browser's old one, logs it, and makes the browser known", async () => {
    const person = await withPasskey();
    const { viewer } = person;
    app.pass(minuteMs);
    const oldToken = `token of ${viewer.account.id}`;
    const result = await signIn(await signedAnswer(person, { counter: 7 }), { sessionToken: oldToken });
    const signedIn = result.ok ? await findSignedIn(app, result.value) : null;
    expect(signedIn).toMatchObject({
      account: { id: viewer.account.id },
      session: { device: "Chrome on macOS", country: "DE", provenAt: app.clock() },
    });
    expect(await findSignedIn(app, { sessionToken: oldToken, accountId: viewer.account.id })).toBe(null);
    expect(await passkeysOf(viewer)).toMatchObject([{ counter: 7, lastUsedAt: app.clock() }]);
    expect(await logOf(viewer)).toEqual(["passkey-added", "signed-in-by-passkey"]);
    expect(await count("known_browsers", `browser_hash = '${await hashToken("browser")}'`)).toBe(1);
  });

  test("requests any passkey, and reads nothing from the database", async () => {
    const { options } = await offerSignIn({ ...app, db: undefined } as unknown as TestApp);
    expect(options).toMatchObject({ rpId: new URL(app.origin).hostname, userVerification: "preferred" });
    expect(options.allowCredentials).toBe(undefined);
  });

  test("forty times at the same time with one answer opens one session", async () => {
    const person = await withPasskey();
    const answer = await signedAnswer(person);
    const results = await Promise.all(Array.from({ length: 40 }, () => signIn(answer)));
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    const reasons = new Set(results.flatMap((result) => (result.ok ? [] : [result.refusal.reason])));
    expect(reasons).toEqual(new Set(["challenge-used"]));
    expect(await count("sessions", `account_id = '${person.viewer.account.id}'`)).toBe(2);
    expect(await logOf(person.viewer)).toEqual(["passkey-added", "signed-in-by-passkey"]);
  });

  test("accepts an answer once, and a challenge once, for any passkey", async () => {
    const person = await withPasskey();
    const other = await withPasskey();
    const challenge = await challengeToSignIn();
    const answer = await person.key.sign(challenge, person.viewer.account.id);
    expect((await signIn(answer)).ok).toBe(true);
    expect(await signIn(answer)).toEqual(refusal("challenge-used"));
    const second = await other.key.sign(challenge, other.viewer.account.id);
    expect(await signIn(second)).toEqual(refusal("challenge-used"));
    expect(await count("sessions", `account_id = '${other.viewer.account.id}'`)).toBe(1);
  });

  test("accepts a challenge for exactly five minutes", async () => {
    const person = await withPasskey();
    const first = await signedAnswer(person);
    app.pass(5 * minuteMs - 1);
    expect((await signIn(first)).ok).toBe(true);
    const second = await signedAnswer(person);
    app.pass(5 * minuteMs);
    expect(await signIn(second)).toEqual(refusal("challenge-stale"));
  });

  test.each<[string, Odds, string]>([
    ["another origin", { origin: "https://evil.example" }, "origin-foreign"],
    ["a frame of another page", { crossOrigin: true }, "origin-foreign"],
    ["another host's passkeys", { rpId: "evil.example" }, "passkey-refused"],
    ["the other ceremony", { type: "webauthn.create" }, "challenge-unknown"],
    ["no user presence", { isUserPresent: false }, "passkey-refused"],
    ["an unknown user handle", { userHandle: null }, "passkey-refused"],
  ])("from %s is refused", async (_, odds, reason) => {
    const person = await withPasskey();
    expect(await signIn(await signedAnswer(person, odds))).toEqual(refusal(reason));
    expect(await count("sessions", `account_id = '${person.viewer.account.id}'`)).toBe(1);
  });

  test("refuses the answer to a challenge for adding a passkey", async () => {
    const person = await withPasskey();
    const answer = await person.key.sign(await challengeToAdd(person.viewer), person.viewer.account.id);
    expect(await signIn(answer)).toEqual(refusal("challenge-unknown"));
  });

  test("doesn't reveal whether the signature or the owner was wrong", async () => {
    const person = await withPasskey();
    const other = await withPasskey();
    const strange = await Authenticator.make(app.origin);
    const answers = [
      await strange.sign(await challengeToSignIn(), person.viewer.account.id),
      flipSignature(await signedAnswer(person)),
      await signedAnswer(person, { userHandle: other.viewer.account.id }),
      (await signedAnswer(other)).replaceAll(other.key.credentialId, person.key.credentialId),
    ];
    const [unknown = "", ...known] = answers;
    for (const answer of known) expect(await signIn(answer)).toEqual(refusal("passkey-refused"));
    // Its browser learns that the site has no such passkey, which it may then stop offering.
    expect(await signIn(unknown)).toEqual({
      ok: false,
      refusal: { reason: "passkey-refused", unknownId: strange.credentialId },
    });
    expect(await count("sessions", `account_id in ('${person.viewer.account.id}', '${other.viewer.account.id}')`)).toBe(
      2,
    );
  });

  test("with a counter that doesn't increase is refused, and the owner sees one log entry, however often it is sent", async () => {
    const person = await withPasskey();
    expect((await signIn(await signedAnswer(person, { counter: 5 }))).ok).toBe(true);
    for (const counter of [5, 4, 0]) {
      const answer = await signedAnswer(person, { counter });
      await Promise.all([signIn(answer), signIn(answer)]);
      expect(await signIn(answer)).toEqual(refusal("passkey-copied"));
    }
    expect((await signIn(await signedAnswer(person, { counter: 6 }))).ok).toBe(true);
    const copied = (await logOf(person.viewer)).filter((what) => what === "passkey-copied");
    expect(copied).toHaveLength(3);
    const places = await env.DB.prepare(
      "select distinct device, country from activities where what = 'passkey-copied'",
    ).all();
    expect(places.results).toEqual([{ device: "Chrome on macOS", country: "DE" }]);
  });

  test("increases the counter once for two simultaneous sign-ins with the same counter", async () => {
    const person = await withPasskey();
    const answers = await Promise.all([1, 2].map(() => signedAnswer(person, { counter: 9 })));
    const results = await Promise.all(answers.map((answer) => signIn(answer)));
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect(await count("sessions", `account_id = '${person.viewer.account.id}'`)).toBe(2);
  });

  test("fails when the account is erased at the same moment", async () => {
    const person = await withPasskey();
    const other = await aPerson();
    const answer = await signedAnswer(person);
    const batch = app.db.batch.bind(app.db);
    const letAddressPass = async () => {
      const { email } = person.viewer.account;
      await env.DB.batch([
        env.DB.prepare("update accounts set email_canonical = 'elsewhere' where email_canonical = ?").bind(email),
        env.DB.prepare("update accounts set email_canonical = ? where id = ?").bind(email, other.account.id),
      ]);
    };
    Object.assign(app.db, {
      batch: async (...sent: Parameters<typeof batch>) => {
        await letAddressPass();
        return batch(...sent);
      },
    });
    expect(await signIn(answer)).toEqual(refusal("passkey-refused"));
    expect(await count("sessions", `account_id = '${other.account.id}'`)).toBe(1);
  });

  test("without user verification signs in, and doesn't count as re-authentication", async () => {
    const person = await withPasskey();
    const result = await signIn(await signedAnswer(person, { isUserVerified: false }));
    const viewer = result.ok ? await findSignedIn(app, result.value) : null;
    expect(viewer?.account.id).toBe(person.viewer.account.id);
    expect(viewer && isReauthenticated(viewer.session, app.clock())).toBe(false);
  });

  test("is possible for a closed account, and not for an erased one", async () => {
    const person = await withPasskey();
    const { id } = person.viewer.account;
    await env.DB.prepare("update accounts set state = 'closed' where id = ?").bind(id).run();
    expect((await signIn(await signedAnswer(person))).ok).toBe(true);
    await env.DB.prepare("update accounts set state = 'erased' where id = ?").bind(id).run();
    expect(await signIn(await signedAnswer(person))).toMatchObject(refusal("passkey-refused"));
  });

  test("reports a missing answer and a malformed one", async () => {
    expect(await signIn(undefined)).toEqual(refusal("passkey-missing"));
    expect(await signIn("not json")).toEqual(refusal("passkey-malformed"));
  });
});

describe("removing a passkey", () => {
  test("is possible for the last one, too, which no longer signs in, and emails the owner", async () => {
    const person = await withPasskey();
    const [passkey] = await passkeysOf(person.viewer);
    const answer = await signedAnswer(person);
    expect(await removePasskey(app, person.viewer, passkey?.id ?? noPasskey)).toEqual({ ok: true, value: null });
    expect(await passkeysOf(person.viewer)).toEqual([]);
    expect(await signIn(answer)).toMatchObject(refusal("passkey-refused"));
    expect(await logOf(person.viewer)).toEqual(["passkey-added", "passkey-removed"]);
    await app.settled();
    expect(app.emails.at(-1)?.subject).toMatch(subjectOf("passkey-removed"));
  });

  test("takes effect once, with one log entry and one email, for forty simultaneous requests", async () => {
    const { viewer } = await withPasskey();
    const [passkey] = await passkeysOf(viewer);
    const results = await Promise.all(
      Array.from({ length: 40 }, () => removePasskey(app, viewer, passkey?.id ?? noPasskey)),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect(await logOf(viewer)).toEqual(["passkey-added", "passkey-removed"]);
    await app.settled();
    expect(app.emails).toHaveLength(2);
  });

  test("needs a re-authentication, and is answered the same for another account's passkey as for an unknown one", async () => {
    const { viewer } = await withPasskey();
    const [passkey] = await passkeysOf(viewer);
    const stranger = await aPerson();
    expect(await removePasskey(app, stranger, passkey?.id ?? noPasskey)).toEqual(refusal("passkey-unknown"));
    expect(await removePasskey(app, stranger, "pky_never")).toEqual(refusal("passkey-unknown"));
    app.pass(15 * minuteMs);
    expect(await removePasskey(app, viewer, passkey?.id ?? noPasskey)).toEqual(refusal("proof-stale"));
    expect(await passkeysOf(viewer)).toHaveLength(1);
  });
});

describe("a re-authentication by passkey", () => {
  /** A code was requested before a protected action. */
  async function requestFor(viewer: Viewer) {
    const address = parseEmailAddress(viewer.account.email);
    if (!address) throw new Error("not an address");
    const carried = { redirectTo: "/settings#sessions", typed: { intent: "end-other-sessions" } };
    const accountId = viewer.account.id;
    const input = {
      address,
      purpose: "reauthentication",
      browserToken: "browser",
      ip: "192.0.2.1",
      carried,
      accountId,
    } as const;
    const requested = await requestCode(app, { ...input, again: true });
    if (!requested.ok) throw new Error(requested.refusal.reason);
    const request = await findOwnRequest(app, requested.value.requestId, "browser");
    if (!request) throw new Error("no request");
    return request;
  }

  async function answerTo(
    { viewer, key }: Awaited<ReturnType<typeof withPasskey>>,
    odds: Odds = {},
    userHandle: string | null = null,
  ) {
    const offer = await offerReauthentication(app, viewer.account.id, await passkeysOf(viewer));
    return key.sign(offer?.options.challenge ?? "", userHandle, odds);
  }

  function prove(request: Code, text: string, sessionToken: string | null = null) {
    return proveWithPasskey(app, request, text, { ...browser, sessionToken });
  }

  test("requests the account's own passkeys with user verification, and isn't offered without passkeys", async () => {
    const { viewer, key } = await withPasskey({ transports: ["usb"] });
    const offer = await offerReauthentication(app, viewer.account.id, await passkeysOf(viewer));
    expect(offer?.options).toMatchObject({
      userVerification: "required",
      allowCredentials: [{ id: key.credentialId, transports: ["usb"] }],
    });
    expect(await offerReauthentication(app, viewer.account.id, [])).toBe(null);
  });

  test("has the same result as a code: a new re-authenticated session, a used request, and the redirect", async () => {
    const person = await withPasskey();
    app.pass(15 * minuteMs);
    const request = await requestFor(person.viewer);
    const token = `token of ${person.viewer.account.id}`;
    const proven = await prove(request, await answerTo(person), token);
    expect(proven).toMatchObject({
      ok: true,
      value: { requestId: request.id, carried: request.carried, isNew: false },
    });
    expect(await findSignedIn(app, { sessionToken: token, accountId: person.viewer.account.id })).toBe(null);
    const viewer = proven.ok ? await findSignedIn(app, proven.value) : null;
    expect(viewer && isReauthenticated(viewer.session, app.clock())).toBe(true);
    expect(await count("codes", `id = '${request.id}' and state = 'used'`)).toBe(1);
    expect(await logOf(person.viewer)).toEqual(["passkey-added", "confirmed-by-passkey"]);
  });

  test.each(["", null])("accepts a missing user handle, written as %j", async (userHandle) => {
    const person = await withPasskey();
    const request = await requestFor(person.viewer);
    expect((await prove(request, await answerTo(person, {}, userHandle))).ok).toBe(true);
  });

  test("takes effect once for forty requests with one answer, and for two answers to one request", async () => {
    const person = await withPasskey();
    const request = await requestFor(person.viewer);
    const answers = [await answerTo(person), await answerTo(person)];
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) => prove(request, answers[index % 2] ?? "")),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect(await count("sessions", `account_id = '${person.viewer.account.id}'`)).toBe(2);
    expect(await prove(request, await answerTo(person))).toEqual(refusal("code-used"));
  });

  test("is still possible when the tries at the code are used up, and not when it has expired", async () => {
    const person = await withPasskey();
    const request = await requestFor(person.viewer);
    for (let tries = 0; tries < 5; tries += 1)
      await proveAddress(app, { requestId: request.id, digits: wrongDigits(), ...browser });
    const exhausted = await findOwnRequest(app, request.id, "browser");
    expect(exhausted?.state).toBe("exhausted");
    expect((await prove(exhausted ?? request, await answerTo(person))).ok).toBe(true);
    app.pass(minuteMs);
    const second = await requestFor(person.viewer);
    app.pass(10 * minuteMs);
    expect(await prove(second, await answerTo(person))).toEqual(refusal("code-expired"));
  });

  test("voids other codes sent for it, and a used answer doesn't affect the next request", async () => {
    const person = await withPasskey();
    const first = await requestFor(person.viewer);
    app.pass(minuteMs);
    const second = await requestFor(person.viewer);
    const answer = await answerTo(person);
    expect((await prove(first, answer)).ok).toBe(true);
    expect(await count("codes", `id = '${second.id}' and state = 'superseded'`)).toBe(1);
    app.pass(minuteMs);
    const third = await requestFor(person.viewer);
    expect(await prove(third, answer)).toEqual(refusal("challenge-used"));
    expect(await count("codes", `id = '${third.id}' and state = 'issued'`)).toBe(1);
  });

  test("refuses a passkey of another account, one without user verification, and the answer to a sign-in", async () => {
    const person = await withPasskey();
    const other = await withPasskey();
    const request = await requestFor(person.viewer);
    const offer = await offerReauthentication(app, person.viewer.account.id, await passkeysOf(person.viewer));
    const stolen = await other.key.sign(offer?.options.challenge ?? "", null);
    expect(await prove(request, stolen)).toEqual(refusal("passkey-refused"));
    expect(await prove(request, await answerTo(other))).toEqual(refusal("challenge-unknown"));
    expect(await prove(request, await signedAnswer(person))).toEqual(refusal("challenge-unknown"));
    expect(await prove(request, await answerTo(person, { isUserVerified: false }))).toEqual(refusal("user-unverified"));
    expect(await count("codes", `id = '${request.id}' and state = 'issued'`)).toBe(1);
    expect(await signIn(await answerTo(person))).toEqual(refusal("challenge-unknown"));
  });

  test("that is refused adds a log entry with the reason for the owner", async () => {
    const person = await withPasskey();
    const other = await withPasskey();
    const before = (await logOf(person.viewer)).length;
    const foreign = (await signedAnswer(other)).replaceAll(other.key.credentialId, person.key.credentialId);
    expect(await signIn(foreign)).toEqual(refusal("passkey-refused"));
    const request = await requestFor(person.viewer);
    expect(await prove(request, await answerTo(person, { isUserVerified: false }))).toEqual(refusal("user-unverified"));
    const { results } = await env.DB.prepare(
      "select what, result, reason, method, device from activities where account_id = ? order by rowid",
    )
      .bind(person.viewer.account.id)
      .all();
    const line = { result: "refused", method: "passkey", device: "Chrome on macOS" };
    expect(results.slice(before)).toEqual([
      { ...line, what: "signed-in-by-passkey", reason: "passkey-refused" },
      { ...line, what: "confirmed-by-passkey", reason: "user-unverified" },
    ]);
  });

  test("is not accepted for a sign-in request, which offers none", async () => {
    const person = await withPasskey();
    const request = await requestFor(person.viewer);
    const answer = await answerTo(person);
    expect(await prove({ ...request, purpose: "sign-in" }, answer)).toEqual(refusal("no-request"));
  });
});

test("used challenges are deleted long after their expiry, not before", async () => {
  const person = await withPasskey();
  await env.DB.prepare("delete from used_challenges").run();
  const answer = await signedAnswer(person);
  await signIn(answer);
  app.pass(5 * minuteMs - 1);
  await cronJobs.passkeys(app);
  expect(await signIn(answer)).toEqual(refusal("challenge-used"));
  app.pass(60 * minuteMs);
  await cronJobs.passkeys(app);
  expect(await count("used_challenges")).toBe(0);
});
