import { flashMessages } from "#app/http/page/flash.messages.ts";
import { describe, expect, test } from "vitest";
import { passkeyProblemMessages } from "#app/client/passkey-refusal.messages.ts";
import { refusalMessages } from "#app/http/forms/form-refusal.messages.ts";
import { rootMessages } from "#app/root.messages.ts";
import { loginMessages } from "#app/routes/login/messages.ts";
import { accountMessages } from "#app/routes/settings/account-forms/messages.ts";
import { overviewMessages } from "#app/routes/settings/overview/messages.ts";
import { securityMessages, activityMessages } from "#app/routes/settings/security/messages.ts";
import { verifyMessages, sensitiveActionsMessages } from "#app/routes/verify/messages.ts";
import { newCustomer, typeCode } from "#tests/support/clients/customers.ts";
import { Authenticator, flipSignature } from "#tests/support/clients/authenticator.ts";
import { emailOf, subjectOf } from "#tests/support/clients/email-texts.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";

const { passkeys: messages } = securityMessages.en;
const flash = flashMessages.en;
const problems = passkeyProblemMessages.en;

const site = useSite();

/** What the page's script is given, or would fetch. */
async function offerTo(visitor: Visitor, ceremony: string) {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const answer = await site.fetch(`/passkey-offer?for=${ceremony}`, { headers: { Cookie: cookie } });
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
  const { offer } = (await answer.json()) as {
    offer: { options: { challenge: string; user?: { id: string } }; freshForMs: number } | null;
  };
  return offer;
}

async function withPasskey(name = "Desk") {
  const { visitor, address } = await newCustomer(site);
  const key = await Authenticator.make(site.origin);
  const offer = await offerTo(visitor, "add");
  const accountId = atob((offer?.options.user?.id ?? "").replaceAll("-", "+").replaceAll("_", "/"));
  const passkey = await key.register(offer?.options.challenge ?? "");
  await visitor.post({ intent: "add-passkey", name, passkey }, "/settings/security");
  expect(visitor.text()).toContain(flash["passkey-added"]);
  return { visitor, address, key, accountId };
}

async function answerOf({ key, accountId }: Awaited<ReturnType<typeof withPasskey>>): Promise<string> {
  const offer = await offerTo(site.visitor(), "sign-in");
  return key.sign(offer?.options.challenge ?? "", accountId);
}

async function outdateReauthentications(): Promise<void> {
  const db = await site.database();
  await db.exec("update sessions set proven_at = proven_at - 900000");
}

describe("the log-in page", () => {
  test("offers a passkey without reading the database, with a new challenge each time", async () => {
    const [first, second] = [await site.visitor().open("/login"), await site.visitor().open("/login")];
    expect(second.headers.get("Server-Timing")).toBe('d1;desc="0", d1-in-a-row;desc="0"');
    expect(first.html).toContain('autoComplete="username webauthn"');
    const challenges = [first, second].map(({ html }) => /challenge\\",\\"([\w-]{100,})/.exec(html)?.[1]);
    expect(challenges[0]).toBeTruthy();
    expect(challenges[0]).not.toBe(challenges[1]);
  });

  test("signs in with a new session in place of the old one, and remembers the method on this browser", async () => {
    const person = await withPasskey();
    const visitor = site.visitor();
    await visitor.open("/login?redirectTo=/settings/orders");
    await visitor.post({ intent: "passkey", passkey: await answerOf(person) });
    expect([visitor.status, visitor.path()]).toEqual([200, "/settings/orders"]);
    const first = visitor.cookies.get("__Host-session");
    await visitor.post({ intent: "passkey", passkey: await answerOf(person) }, "/login");
    expect(visitor.cookies.get("__Host-session")).not.toBe(first);
    await visitor.open("/settings");
    expect(visitor.text()).toContain(overviewMessages.en.lead(person.address));
    await visitor.open("/settings/security");
    expect(visitor.text()).toContain(activityMessages.en.did["signed-in-by-passkey"]);
    expect(visitor.html).toMatch(new RegExp(`>${securityMessages.en.sessions.methods.passkey}[,<]`));
    await visitor.press(rootMessages.en.signOut);
    await visitor.open("/login");
    expect(visitor.text()).toContain(loginMessages.en.lastTime.passkey);
  });

  test("redirects only to a path on this site", async () => {
    const person = await withPasskey();
    const visitor = site.visitor();
    await visitor.post(
      { intent: "passkey", passkey: await answerOf(person), redirectTo: "//evil.example/" },
      "/login?redirectTo=https://evil.example/",
    );
    expect(visitor.path()).toBe("/settings");
  });

  test("answers an unknown passkey and a wrong signature alike, and signs in with neither", async () => {
    const person = await withPasskey();
    const stranger = { ...person, key: await Authenticator.make(site.origin) };
    const answers = [];
    for (const passkey of [await answerOf(stranger), flipSignature(await answerOf(person))]) {
      const visitor = site.visitor();
      await visitor.post({ intent: "passkey", passkey }, "/login");
      expect([...visitor.cookies.keys()]).toEqual([]);
      answers.push([visitor.status, visitor.text()]);
    }
    expect(answers[0]).toEqual([422, expect.stringContaining(problems["passkey-refused"])]);
    expect(answers[1]).toEqual(answers[0]);
  });

  test("has a message and a status for all other failures", async () => {
    const person = await withPasskey();
    const used = await answerOf(person);
    await site.visitor().post({ intent: "passkey", passkey: used }, "/login");
    const challenge = async () => (await offerTo(site.visitor(), "sign-in"))?.options.challenge ?? "";
    const foreign = await person.key.sign(await challenge(), person.accountId, { origin: "https://evil.example" });
    const cases: [Record<string, string>, number, string][] = [
      [{}, 422, problems["passkey-missing"]],
      [{ passkey: "{}" }, 422, problems["passkey-malformed"]],
      [{ passkey: used }, 409, problems["challenge-used"]],
      [{ passkey: foreign }, 403, problems["origin-foreign"]],
      [{ passkey: await person.key.sign("c3Rhcg", person.accountId) }, 409, problems["challenge-unknown"]],
    ];
    for (const [fields, status, sentence] of cases) {
      const visitor = site.visitor();
      await visitor.post({ intent: "passkey", ...fields }, "/login");
      expect([visitor.status, visitor.text()]).toEqual([status, expect.stringContaining(sentence)]);
    }
  });

  test("is rate limited for any request", async () => {
    const visitor = site.visitor();
    for (let tries = 0; tries < 125 && visitor.status !== 429; tries += 1) {
      await visitor.post({ intent: "passkey", passkey: "{}" }, "/login");
    }
    expect([visitor.status, Number(visitor.headers.get("Retry-After"))]).toEqual([429, 60]);
  });

  test("accepts codes as before, and no other intents", async () => {
    const visitor = site.visitor();
    await visitor.post({ intent: "explode", email: "a@example.com" }, "/login");
    expect(visitor.status).toBe(422);
    expect(visitor.text()).toContain(refusalMessages.en.anywhere["intent-unknown"]);
    await visitor.post({ email: "not an address", passkey: "{}" }, "/login");
    expect(visitor.text()).toContain(loginMessages.en.problems["email-malformed"]);
  });
});

describe("the account's passkeys", () => {
  test("are listed with name, provider and use, and can be removed, including the last one; each step is emailed", async () => {
    const { visitor, address } = await withPasskey("My desk");
    expect(visitor.text()).toContain("My desk");
    expect(visitor.text()).toContain(messages.never);
    expect(visitor.html).not.toContain("publicKey\\");
    const [added] = await site.emailsTo(address, 2);
    for (const sentence of emailOf({ template: "passkey-added", name: "My desk" }).before) {
      expect(added?.text).toContain(sentence);
    }
    await visitor.press(messages.removeNow);
    expect([visitor.status, visitor.path()]).toEqual([200, "/settings/security#passkeys"]);
    expect(visitor.text()).toContain(flash["passkey-removed"]);
    expect(visitor.text()).not.toContain("My desk");
    expect((await site.emailsTo(address, 3))[0]?.subject).toMatch(subjectOf("passkey-removed"));
    for (const what of ["passkey-added", "passkey-removed"] as const) {
      expect(visitor.text()).toContain(activityMessages.en.did[what]);
    }
  });

  test("need a re-authentication first; the typed name is kept, and nothing that an authenticator created", async () => {
    const { visitor, address } = await newCustomer(site);
    const offer = await offerTo(visitor, "add");
    const key = await Authenticator.make(site.origin);
    const passkey = await key.register(offer?.options.challenge ?? "");
    await outdateReauthentications();
    expect(await offerTo(visitor, "add")).toBe(null);
    await visitor.post({ intent: "add-passkey", name: "Kitchen tablet", passkey }, "/settings/security");
    expect(visitor.heading()).toBe(verifyMessages.en.title["reauthentication"]);
    expect(visitor.text()).toContain(sensitiveActionsMessages.en["add-passkey"](address));
    expect(visitor.html).toContain('href="/settings/security"');
    const db = await site.database();
    const carried = await db
      .prepare("select carried from codes order by created_at desc limit 1")
      .first<string>("carried");
    expect(carried).toContain("Kitchen tablet");
    expect(carried).not.toContain("attestationObject");
    await typeCode(visitor, await site.codeTo(address, 2));
    expect(visitor.path()).toMatch(/^\/settings\/security\?continue=req_\w+#passkeys$/);
    expect(visitor.html).toContain('value="Kitchen tablet"');
    expect((await offerTo(visitor, "add"))?.options.challenge).toBeTruthy();
  });

  test("can't be removed by another account, which gets the same answer as for an unknown one", async () => {
    const owner = await withPasskey();
    const id = /value="(pky_\w+)"/.exec(owner.visitor.html)?.[1] ?? "";
    const { visitor } = await newCustomer(site);
    for (const passkey of [id, "pky_00000000000000000000000000"]) {
      await visitor.post({ intent: "remove-passkey", passkey }, "/settings/security");
      expect([visitor.status, visitor.text()]).toEqual([404, expect.stringContaining(problems["passkey-unknown"])]);
    }
    await owner.visitor.open("/settings/security");
    expect(owner.visitor.html).toContain(id);
  });

  test("report what can't be added", async () => {
    const { visitor } = await withPasskey();
    await visitor.post({ intent: "add-passkey", name: "x" }, "/settings/security");
    expect([visitor.status, visitor.text()]).toEqual([422, expect.stringContaining(problems["passkey-missing"])]);
    await visitor.post({ intent: "add-passkey", name: "x".repeat(81), passkey: "{}" }, "/settings/security");
    expect([visitor.status, visitor.text()]).toEqual([
      422,
      expect.stringContaining(accountMessages.en.problems["name-too-long"]),
    ]);
    expect(visitor.html.match(/class="field-error"/g)).toHaveLength(1);
  });

  test("are not offered to another account", async () => {
    const visitor = site.visitor();
    for (const ceremony of ["add", "reauthentication", "", "explode"])
      expect(await offerTo(visitor, ceremony)).toBe(null);
  });
});

describe("a passkey in place of a code", () => {
  test("confirms a protected action, and returns to it", async () => {
    const person = await withPasskey();
    const { visitor, key } = person;
    await outdateReauthentications();
    await visitor.post({ intent: "end-other-sessions" }, "/settings/security");
    expect(visitor.text()).toContain(verifyMessages.en.passkey);
    const before = visitor.cookies.get("__Host-session");
    const page = visitor.url;
    const challenge = (await offerTo(visitor, "reauthentication"))?.options.challenge ?? "";
    await visitor.post({ intent: "passkey", passkey: await key.sign(challenge, null) });
    expect(visitor.path()).toMatch(/^\/settings\/security\?continue=req_\w+#sessions$/);
    expect(visitor.text()).toContain(flash.confirmed);
    expect(visitor.text()).toContain(activityMessages.en.did["confirmed-by-passkey"]);
    expect(visitor.cookies.get("__Host-session")).not.toBe(before);
    const another = (await offerTo(visitor, "reauthentication"))?.options.challenge ?? "";
    await visitor.post({ intent: "passkey", passkey: await key.sign(another, null) }, page);
    expect([visitor.status, visitor.text()]).toEqual([409, expect.stringContaining(verifyMessages.en.used.title)]);
  });

  test("is not offered to an account without one, nor for signing in, and is refused for another browser's request", async () => {
    const { visitor } = await newCustomer(site);
    await outdateReauthentications();
    await visitor.post({ intent: "end-other-sessions" }, "/settings/security");
    expect(visitor.heading()).toBe(verifyMessages.en.title["reauthentication"]);
    expect(visitor.text()).not.toContain(verifyMessages.en.passkey);
    const person = await withPasskey();
    await outdateReauthentications();
    await person.visitor.post({ intent: "end-other-sessions" }, "/settings/security");
    const page = person.visitor.url;
    const stranger = site.visitor();
    await stranger.post({ intent: "passkey", passkey: await answerOf(person) }, page);
    expect(stranger.status).toBe(409);
    await person.visitor.post({ intent: "passkey", passkey: await answerOf(person) }, page);
    expect([person.visitor.status, person.visitor.text()]).toEqual([
      409,
      expect.stringContaining(problems["challenge-unknown"]),
    ]);
  });
});
