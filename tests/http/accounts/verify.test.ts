import { flashMessages } from "#app/http/page/flash.messages.ts";
import { accountMessages } from "#app/routes/settings/account-forms/messages.ts";
import { describe, expect, test } from "vitest";
import { quotaRefusalMessages } from "#app/http/forms/quota-refusal.messages.ts";
import { refusalMessages } from "#app/http/forms/form-refusal.messages.ts";
import { product } from "#app/product/config.ts";
import { loginMessages } from "#app/routes/login/messages.ts";
import { overviewMessages } from "#app/routes/settings/overview/messages.ts";
import { securityMessages } from "#app/routes/settings/security/messages.ts";
import { gatePages } from "#app/features.ts";
import { signUpFieldsMessages } from "#app/routes/signup/messages.ts";
import { verifyMessages, invalidCodeMessages } from "#app/routes/verify/messages.ts";
import { askForCode, typeCode } from "#tests/support/clients/customers.ts";
import { Authenticator } from "#tests/support/clients/authenticator.ts";
import { textIn } from "#tests/support/clients/html.ts";
import { anyNumbersIn, fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { withoutRemainingTimes } from "./remaining-times.ts";

const messages = verifyMessages.en;
const { title, elsewhere, shut, used } = messages;
const flash = flashMessages.en;
const refusals = refusalMessages.en;
/** The button for any address of these tests, which is masked. */
const continueHere = elsewhere.continueHere("p•••@example.com");

let people = 0;

const site = useSite({ stripe: false });

/** Five guesses: the same digits twice in a row would be one. */
const wrongCodes = ["00000000", "00000001", "00000002", "00000003", "00000004"];

function nextAddress(): string {
  people += 1;
  return `person-${people}@example.com`;
}

async function signedUp(address = nextAddress()): Promise<{ visitor: Visitor; address: string }> {
  const visitor = await site.visitor().open("/signup");
  await askForCode(visitor, address);
  await typeCode(visitor, await site.codeTo(address));
  await letTimePass();
  return { visitor, address };
}

/** Emails and tries of the last hour are deleted. */
async function letTimePass(): Promise<void> {
  const db = await site.database();
  await db.exec("delete from quota_uses");
}

/** An address that was sent an email a minute ago has had all emails of the hour. */
async function useUpEmails(): Promise<void> {
  const db = await site.database();
  await db.exec("update quota_uses set used_at = used_at - 60000");
  // A use's second row is the mailbox's.
  for (let emails = 1; emails < 5; emails += 1) {
    await db.exec(
      `insert into quota_uses select id || '.spent${emails}', quota, used_at - 60000 from quota_uses where id like '%.1'`,
    );
  }
}

async function outdateReauthentications(minutes = 15): Promise<void> {
  const db = await site.database();
  await db.exec(`update sessions set proven_at = proven_at - ${minutes * 60_000}`);
}

async function linkTo(address: string, nth = 1): Promise<string> {
  const [email] = await site.emailsTo(address, nth);
  return /http\S+\/verify\S+/.exec(email?.text ?? "")?.[0] ?? "no link in the email";
}

type Code = { id: string; address: string; purpose: string; state: string; carried: string };

async function codes(): Promise<Code[]> {
  const db = await site.database();
  return (await db.prepare("select * from codes order by created_at, rowid").all<Code>()).results;
}

const requestIn = ({ url }: Visitor) => new URL(url).searchParams.get("request") ?? "";

/** What differs from one page to the next of the same kind. */
function plain(html: string): string {
  return withoutRemainingTimes(html).replaceAll(
    /req_\w+|(nonce|fingerprint)="[^"]+"|\b\d{13}\b|\b[a-z0-9]{10}\b|"seconds\\",\d+/g,
    "…",
  );
}

/** The texts of a page's links to a path, without those of its frame. */
function linksTo(path: string, { html }: Visitor): string[] {
  const [main = ""] = /<main[\s\S]*<\/main>/.exec(html) ?? [];
  const links = main.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g);
  return [...links].filter(([, href]) => href === path).map(([, , inside = ""]) => textIn(inside));
}

/** What a page says about the attempts and the time that are left. */
function expectNothingLeft(text: string): void {
  const { triesLeft, timeLeft } = messages;
  for (const message of [triesLeft(1), triesLeft(2), timeLeft(599), timeLeft(59)]) {
    expect(text).not.toMatch(anyNumbersIn(message));
  }
}

describe("a code that another browser requested", () => {
  /** A visitor signs up with an address that may belong to another person, with everything a sign-up can carry. */
  async function signUpOf(address: string): Promise<Visitor> {
    const { visitor: stranger } = await signedUp();
    const ref = /\?ref=(\w{10})/.exec((await stranger.open("/settings/referral")).html)?.[1] ?? "";
    const asking = await site.visitor().open(`/?ref=${ref}`);
    await asking.open(`/signup?plan=${small.id}&interval=year&redirectTo=%2Fsettings%2Forders`);
    return asking.post({ email: address, terms: "on", ref });
  }

  test("for a sign-up keeps its address, masked, but not consent, a friend's code, a plan or a redirect", async () => {
    const known = (await signedUp()).address;
    const seen = [];
    for (const [address, emails] of [
      [nextAddress(), 1],
      [known, 2],
    ] as const) {
      await signUpOf(address);
      const phone = await site.visitor().open(await linkTo(address, emails));
      expect(phone.html).not.toContain(address);
      expect(phone.html).toMatch(/<input(?![^>]*checked)[^>]*name="terms"/);
      const before = await codes();
      await letTimePass();
      await phone.press(continueHere);
      expect([phone.status, phone.heading()]).toEqual([422, elsewhere.title]);
      expect(phone.text()).toContain(signUpFieldsMessages.en.problems["terms-missing"]);
      expect((await codes()).length).toBe(before.length);
      await phone.press(continueHere, { terms: "on" });
      expect([phone.status, phone.heading()]).toEqual([200, title["sign-up"]]);
      const request = (await codes()).at(-1);
      expect(request).toMatchObject({ address, purpose: "sign-up", state: "issued" });
      expect(JSON.parse(request?.carried ?? "")).toEqual({ typedElsewhere: true, termsVersion: product.terms.version });
      seen.push(plain(phone.html));
      await typeCode(phone, await site.codeTo(address, emails + 1));
      expect(phone.path()).toBe("/settings");
      await letTimePass();
    }
    expect(seen[1]).toBe(seen[0]);
  });

  test("for a sign-up leads to the form if new accounts need an invitation", async () => {
    const address = nextAddress();
    await signUpOf(address);
    const phone = await site.visitor().open(await linkTo(address));
    await site.setGate("signup");
    try {
      await phone.press(continueHere, { terms: "on" });
      expect([phone.status, phone.path(), phone.heading()]).toEqual([
        200,
        "/signup",
        gatePages().messages.en.signUp.shut.title,
      ]);
    } finally {
      await site.setGate(null);
    }
  });

  test.each([
    ["keeps no cookie, it says what happened, with a way on", true],
    ["keeps none with Secure, as Safari on this machine's own address, it works", false],
  ])("in a browser that %s", async (_, isRefused) => {
    const visitor = site.visitor();
    visitor.keepsSecureCookies = isRefused;
    await visitor.open("/signup");
    const address = nextAddress();
    await askForCode(visitor, address);
    if (isRefused) {
      visitor.cookies.clear();
      await visitor.open(visitor.url);
      expect([visitor.status, visitor.heading()]).toEqual([200, messages.noCookie.title]);
      await letTimePass();
      // Cookies are allowed now.
      await visitor.press(continueHere, { terms: "on" });
    }
    await typeCode(visitor, await site.codeTo(address, isRefused ? 2 : 1));
    expect([visitor.path(), visitor.status]).toEqual(["/settings", 200]);
    expect([...visitor.cookies.keys()].some((name) => name.startsWith("__Host-"))).toBe(isRefused);
  });

  test("for a sign-in keeps only its address, masked, with or without an account", async () => {
    const known = (await signedUp()).address;
    const seen = [];
    for (const address of [known, nextAddress()]) {
      const asking = await site.visitor().open("/login?redirectTo=%2Fsettings%2Forders");
      await askForCode(asking, address);
      await letTimePass();
      const phone = await site.visitor().open(asking.path());
      const shown = plain(phone.html);
      await phone.press(continueHere);
      expect([phone.status, phone.heading()]).toEqual([200, title["sign-in"]]);
      const request = (await codes()).at(-1);
      expect(request).toMatchObject({ address, purpose: "sign-in", state: "issued" });
      expect(JSON.parse(request?.carried ?? "")).toEqual({ typedElsewhere: true });
      seen.push([shown, plain(phone.html), phone.trail.length]);
      const waiting = phone.url;
      await phone.press(messages.change);
      expect(phone.path()).toMatch(/^\/login\?again=req_\w+$/);
      expect(phone.html).not.toContain(address);
      if (address !== known) continue;
      await phone.open(waiting);
      await typeCode(phone, await site.codeTo(known, 3));
      expect(phone.path()).toBe("/settings");
    }
    expect(seen[1]).toEqual(seen[0]);
  });

  test("can't be sent again too soon: the page says how long to wait, and keeps the shown code", async () => {
    const { address } = await signedUp();
    const asking = await site.visitor().open("/login");
    await askForCode(asking, address);
    const digits = await site.codeTo(address, 2);
    const phone = await site.visitor().open(await linkTo(address, 2));
    await phone.press(continueHere);
    expect([phone.status, phone.heading()]).toEqual([429, elsewhere.title]);
    const seconds = Number(phone.headers.get("Retry-After"));
    expect(seconds).toBeGreaterThan(0);
    expect(phone.text()).toContain(quotaRefusalMessages.en["too-soon"](refusals.wait(seconds)));
    expect(phone.text()).toContain(`${digits.slice(0, 4)} ${digits.slice(4)}`);
    expect(phone.html).toMatch(/class="notice notice-attention" role="status"[^>]*autofocus/i);
    expect(phone.html).not.toContain("notice-problem");
  });

  test("is shown as used, expired or replaced instead of as a code that doesn't work", async () => {
    const { address } = await signedUp();
    const asking = await site.visitor().open("/login");
    await askForCode(asking, address);
    const id = requestIn(asking);
    const digits = await site.codeTo(address, 2);
    const link = await linkTo(address, 2);
    const shown = `${digits.slice(0, 4)} ${digits.slice(4)}`;
    const db = await site.database();
    const phone = await site.visitor().open(link);
    expect(phone.text()).toContain(shown);
    for (const state of ["expired", "exhausted", "superseded"] as const) {
      const heading = invalidCodeMessages.en[`code-${state}`].title;
      await db.prepare("update codes set state = ? where id = ?").bind(state, id).run();
      await phone.open(link);
      expect([phone.status, phone.heading(), phone.text().includes(shown)]).toEqual([200, heading, false]);
    }
    await db.prepare("update codes set state = 'issued' where id = ?").bind(id).run();
    await typeCode(asking, digits);
    await phone.open(link);
    expect(phone.heading()).toBe(invalidCodeMessages.en["code-used"].title);
    expect(phone.text()).toContain(invalidCodeMessages.en["code-used"].lead);
    expect(phone.text()).not.toContain(shown);
    await letTimePass();
    await phone.press(continueHere);
    expect(phone.heading()).toBe(title["sign-in"]);
  });

  test("for a sign-up leads to signing in if it was used", async () => {
    const address = nextAddress();
    await signedUp(address);
    const phone = await site.visitor().open(await linkTo(address));
    expect(phone.heading()).toBe(invalidCodeMessages.en["code-used"].title);
    expect(linksTo("/login", phone)).toContain(elsewhere.signedUp.button);
    expect(phone.text()).not.toMatch(fillGaps(elsewhere.continueHere(gap)));
  });
});

describe("a code", () => {
  test("shows its remaining time in minutes and seconds", async () => {
    const visitor = await site.visitor().open("/login");
    await askForCode(visitor, nextAddress());
    const possible = Array.from({ length: 61 }, (_, passed) => messages.timeLeft(600 - passed));
    expect(possible.some((timeLeft) => visitor.text().includes(timeLeft))).toBe(true);
  });

  test("for a new address, entered long after the last re-authentication, needs a new one and is still filled in afterwards", async () => {
    const { visitor, address } = await signedUp();
    const to = nextAddress();
    await visitor.open("/settings/security");
    await visitor.press(accountMessages.en.changeAddress, { email: to });
    const page = visitor.path();
    const digits = await site.codeTo(to);
    await outdateReauthentications(25);
    await typeCode(visitor, digits);
    expect([visitor.status, visitor.heading()]).toEqual([200, title["reauthentication"]]);
    await typeCode(visitor, await site.codeTo(address, 2));
    expect([visitor.path(), visitor.heading()]).toEqual([page, title["change-email"]]);
    await typeCode(visitor, digits);
    expect((await visitor.open("/settings")).text()).toContain(overviewMessages.en.lead(to));
  });
});

describe("a used code", () => {
  test("is reported as used in the same browser, leads to the account, and offers no needless email", async () => {
    const { visitor, address } = await signedUp();
    const link = await linkTo(address);
    await visitor.open(link);
    expect([visitor.status, visitor.heading()]).toEqual([200, used.title]);
    expect(linksTo("/settings", visitor)).toContain(used.account);
    expect(visitor.html).not.toMatch(/name="(code|intent)"/);
    await visitor.open("/settings/security");
    await visitor.press(securityMessages.en.sessions.signOut);
    await visitor.open(link);
    expect(visitor.heading()).toBe(used.title);
    expect(linksTo("/login", visitor)).toContain(used.signIn);
    expect(visitor.html).not.toMatch(/name="(code|intent)"/);
  });
});

describe("a code that no longer works", () => {
  /** How often a page says why the code doesn't work: in answer to a form, or by itself. */
  function times(text: string, why: "code-expired" | "code-exhausted"): number {
    const sentences = new Set([messages.problems[why], messages.over[why]]);
    return [...sentences].reduce((sum, sentence) => sum + text.split(sentence).length - 1, 0);
  }

  test("is shown as expired once, with one way to continue", async () => {
    const visitor = await site.visitor().open("/login");
    const address = nextAddress();
    await askForCode(visitor, address);
    const db = await site.database();
    await db.prepare("update codes set expires_at = 1 where address = ?").bind(address).run();
    await typeCode(visitor, "00000000");
    expect(visitor.status).toBe(409);
    expect(times(visitor.text(), "code-expired")).toBe(1);
    await visitor.open(visitor.url);
    expect(times(visitor.text(), "code-expired")).toBe(1);
  });

  test("can't be replaced for an hour: the page says until when, and offers other ways and no email, for any address", async () => {
    const known = (await signedUp()).address;
    const waits = [57, 58, 59].map((minutes) => refusals.wait(minutes * 60));
    const seen = [];
    for (const address of [known, nextAddress()]) {
      const visitor = await site.visitor().open("/login?redirectTo=%2Fsettings%2Forders");
      await askForCode(visitor, address);
      for (const wrong of wrongCodes) await typeCode(visitor, wrong);
      expect(times(visitor.text(), "code-exhausted")).toBe(1);
      expect(visitor.html).not.toContain('name="code"');
      expectNothingLeft(visitor.text());
      const db = await site.database();
      await db.exec("update quota_uses set used_at = used_at - 60000");
      await visitor.press(messages.resend);
      for (const wrong of wrongCodes) await typeCode(visitor, wrong);
      expect(visitor.status).toBe(429);
      const refused = visitor.text();
      await db.exec("update quota_uses set used_at = used_at - 60000");
      await visitor.open(visitor.url);
      for (const text of [refused, visitor.text()]) {
        expect(text).toMatch(fillGaps(shut.title(gap), /\S+/));
        expect(waits.some((wait) => text.includes(shut.until(wait)))).toBe(true);
        for (const offer of [messages.resend, messages.noEmail]) expect(text).not.toContain(offer);
        expectNothingLeft(text);
      }
      await visitor.post({ intent: "resend" });
      expect(visitor.status).toBe(429);
      expect(Number(visitor.headers.get("Retry-After"))).toBeGreaterThan(3400);
      seen.push(plain(visitor.html).replaceAll(new RegExp(["person-\\d+", ...waits].join("|"), "g"), ""));
      await visitor.press(shut.otherWays);
      expect(visitor.path()).toMatch(/^\/login\?again=req_\w+&redirectTo=%2Fsettings%2Forders$/);
      await visitor.press(loginMessages.en.submit, { email: address });
      const seconds = Number(visitor.headers.get("Retry-After"));
      expect([visitor.status, visitor.text()]).toEqual([
        429,
        expect.stringContaining(quotaRefusalMessages.en["too-many-tries"](refusals.wait(seconds))),
      ]);
    }
    expect(seen[1]).toBe(seen[0]);
  });
});

describe("a re-authentication", () => {
  /** A protected action was requested, and the page waits for a re-authentication. */
  async function waiting(visitor: Visitor): Promise<Visitor> {
    await outdateReauthentications();
    return visitor.post({ intent: "delete" }, "/settings/data");
  }

  test("can be sent again only by its own account", async () => {
    const { visitor, address } = await signedUp();
    const { visitor: other } = await signedUp();
    await waiting(visitor);
    expect(visitor.heading()).toBe(title["reauthentication"]);
    await letTimePass();
    const page = visitor.url;
    const own = visitor.cookies.get("__Host-session") ?? "";
    const before = await codes();
    for (const session of ["", other.cookies.get("__Host-session") ?? ""]) {
      visitor.cookies.set("__Host-session", session);
      await visitor.post({ intent: "resend" }, page);
      expect([visitor.status, visitor.text()]).toEqual([
        409,
        expect.stringContaining(messages.problems["account-not-here"]),
      ]);
    }
    expect(await codes()).toEqual(before);
    visitor.cookies.set("__Host-session", own);
    await visitor.post({ intent: "resend" }, page);
    expect(visitor.text()).toContain(flash["code-sent"]);
    await typeCode(visitor, await site.codeTo(address, 3));
    expect(visitor.path()).toMatch(/^\/settings\/data\?continue=req_\w+#leaving$/);
  });

  async function withPasskey() {
    const { visitor, address } = await signedUp();
    const key = await Authenticator.make(site.origin);
    const offer = await offerTo(visitor, "add");
    await visitor.post({ intent: "add-passkey", passkey: await key.register(offer) }, "/settings/security");
    expect(visitor.text()).toContain(flash["passkey-added"]);
    return { visitor, address, key };
  }

  async function offerTo(visitor: Visitor, ceremony: string): Promise<string> {
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await site.fetch(`/passkey-offer?for=${ceremony}`, { headers: { Cookie: cookie } });
    const { offer } = (await answer.json()) as { offer: { options: { challenge: string } } | null };
    return offer?.options.challenge ?? "nothing is offered";
  }

  /** The address has had as many emails as the quota allows. */
  async function emailedOut(visitor: Visitor): Promise<void> {
    await waiting(visitor);
    await useUpEmails();
  }

  test("accepts a passkey after the hour's emails are used up, says that no email was sent, and returns", async () => {
    const { visitor, key } = await withPasskey();
    await emailedOut(visitor);
    const before = await codes();
    await waiting(visitor);
    expect([visitor.status, visitor.heading()]).toEqual([200, title["reauthentication"]]);
    expect(visitor.text()).toContain(messages.heldUp.none.title);
    expect(visitor.text()).toContain(messages.passkeyAlone);
    const withoutScripts = /<noscript><p>.*?<\/noscript>/.exec(visitor.html)?.[0] ?? "";
    expect(textIn(withoutScripts)).toBe(messages.noPasskeys);
    expect(visitor.html).not.toContain('name="code"');
    expect(await codes()).toHaveLength(before.length + 1);
    const page = visitor.url;
    await visitor.press(messages.heldUp.none.resend);
    const seconds = Number(visitor.headers.get("Retry-After"));
    expect(seconds).toBeGreaterThan(60);
    expect([visitor.status, visitor.text()]).toEqual([
      429,
      expect.stringContaining(quotaRefusalMessages.en["too-many-emails"](refusals.wait(seconds))),
    ]);
    const passkey = await key.sign(await offerTo(visitor, "reauthentication"), null);
    await visitor.post({ intent: "passkey", passkey }, page);
    expect(visitor.path()).toMatch(/^\/settings\/data\?continue=req_\w+#leaving$/);
    expect(visitor.text()).toContain(flash.confirmed);
  });

  test("is 429 with the time to wait if the emails are used up and there is no passkey", async () => {
    const { visitor } = await signedUp();
    await emailedOut(visitor);
    const before = await codes();
    await waiting(visitor);
    expect([visitor.status, visitor.path()]).toEqual([429, "/settings/data"]);
    expect(Number(visitor.headers.get("Retry-After"))).toBeGreaterThan(60);
    expect(await codes()).toEqual(before);
  });
});
