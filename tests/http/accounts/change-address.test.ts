import { activityMessages } from "#app/routes/settings/security/messages.ts";
import { flashMessages } from "#app/http/page/flash.messages.ts";
import { describe, expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { loginMessages } from "#app/routes/login/messages.ts";
import { accountMessages } from "#app/routes/settings/account-forms/messages.ts";
import { overviewMessages } from "#app/routes/settings/overview/messages.ts";
import { signupMessages } from "#app/routes/signup/messages.ts";
import { verifyMessages, verifyRevertMessages } from "#app/routes/verify/messages.ts";
import { askForChange, askForCode, newCustomer, signIn, typeCode } from "#tests/support/clients/customers.ts";
import { emailOf, subjectOf } from "#tests/support/clients/email-texts.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { aDay, amount, minor, pattern, roundAmount, small } from "#tests/support/billing/catalogue.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { withoutRemainingTimes } from "./remaining-times.ts";

const { lead: signedInAs } = overviewMessages.en;
const flash = flashMessages.en;
const verify = verifyMessages.en;
const revert = verifyRevertMessages.en;

let people = 0;

const site = useSite();

function nextAddress(): string {
  people += 1;
  return `person-${people}@example.com`;
}

/** Two emails to one address within half a minute exceed the quota of an unknown browser. */
async function letHalfAMinutePass(): Promise<void> {
  const db = await site.database();
  await db.exec("delete from quota_uses");
}

async function changed(visitor: Visitor, to: string): Promise<Visitor> {
  await askForChange(visitor, to);
  return typeCode(visitor, await site.codeTo(to));
}

async function outdateReauthentications(): Promise<void> {
  const db = await site.database();
  await db.exec("update sessions set proven_at = proven_at - 900000");
}

/** The link in the newest email to an address, which is the `nth` one. */
async function linkTo(address: string, nth: number): Promise<string> {
  const [sentEmail] = await site.emailsTo(address, nth);
  return /http\S+\/verify\S+/.exec(sentEmail?.text ?? "")?.[0] ?? "no link in the email";
}

async function head(path: string, cookies = new Map<string, string>()): Promise<number> {
  const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return (await fetch(new URL(path, site.origin), { method: "HEAD", headers: { Cookie }, redirect: "manual" })).status;
}

/** Everything that a change or its reversal could touch. */
async function rows(): Promise<string> {
  const db = await site.database();
  const queries = ["accounts", "address_changes", "codes"].map((table) => `select * from ${table}`);
  // Every refused attempt is logged; only completed changes count here.
  queries.push("select * from activities where result = 'done'");
  // An email may be stored as sent, and a session as used, without any request.
  queries.push("select id, template from emails", "select id, state from sessions");
  const found = await db.batch(queries.map((query) => db.prepare(`${query} order by id`)));
  return JSON.stringify(found.map(({ results }) => results));
}

describe("a change of address", () => {
  test("is confirmed by a code sent to the new address, signs other browsers out, and is emailed to the old address", async () => {
    const { visitor, address } = await newCustomer(site);
    const phone = await signIn(site, address, 2);
    const before = visitor.cookies.get("__Host-session");
    const to = nextAddress();
    await askForChange(visitor, to);
    expect([visitor.status, visitor.heading()]).toEqual([200, verify.title["change-email"]]);
    expect(visitor.text()).toContain(verify.lead["change-email"](to));
    expect(visitor.path()).not.toContain(to);
    await typeCode(visitor, await site.codeTo(to));
    expect(visitor.path()).toBe("/settings/security#address");
    expect(visitor.text()).toContain(flash["address-changed"]);
    expect(visitor.text()).toContain(to);
    expect(visitor.text()).toContain(activityMessages.en.did["address-changed"]);
    expect(visitor.cookies.get("__Host-session")).not.toBe(before);
    expect((await phone.open("/settings")).path()).toContain("/login");
    const [ownerEmail] = await site.emailsTo(address, 3);
    expect(ownerEmail?.subject).toMatch(subjectOf("address-changed"));
    const facts = { to: "p•••@example.com", url: "", until: gap };
    const sentences = emailOf({ template: "address-changed", ...facts }).before;
    for (const sentence of sentences) expect(ownerEmail?.text).toMatch(fillGaps(sentence, pattern`${aDay}.+`));
    expect((await signIn(site, to, 2)).text()).toContain(signedInAs(to));
  });

  test("by an attacker is reverted by the link in the old mailbox, and the attacker is signed out with the next request", async () => {
    const { visitor: thief, address } = await newCustomer(site);
    await thief.post({ intent: "profile", name: "The Owner", timeZone: "UTC" }, "/settings/profile");
    const once = nextAddress();
    await changed(thief, once);
    await changed(thief, nextAddress());
    const link = await linkTo(address, 2);
    const later = await linkTo(once, 2);

    const owner = await site.visitor().open(link);
    expect([owner.status, owner.heading()]).toEqual([200, revert.title]);
    expect(owner.text()).toContain(revert.lead("c•••@example.com"));
    expect(owner.headers.get("Cache-Control")).toBe("no-store");
    const before = await rows();
    await owner.open(link);
    expect(await head(link)).toBe(200);
    expect(await rows()).toBe(before);
    await thief.open("/settings");
    expect(thief.path()).toBe("/settings");

    await owner.press(revert.submit);
    expect(owner.path()).toBe("/login");
    expect(owner.text()).toContain(flash["address-reverted"]);
    expect((await thief.open("/settings")).path()).toContain("/login");
    const [ownerEmail] = await site.emailsTo(address, 3);
    expect(ownerEmail?.subject).toMatch(subjectOf("address-reverted"));
    expect(ownerEmail?.text).toContain(
      emailOf({ template: "address-reverted", to: "", isCurrent: true }).before[0] ?? "?",
    );

    for (const [dead, heading] of [
      [link, revert.over["link-used"].title],
      [later, revert.over["link-overtaken"].title],
    ] as const) {
      const after = await rows();
      await thief.open(dead);
      expect([thief.status, thief.heading()]).toEqual([409, heading]);
      await thief.post({}, dead);
      expect([thief.status, thief.heading()]).toEqual([409, heading]);
      expect(await rows()).toBe(after);
    }
    const back = await signIn(site, address, 4);
    expect(back.text()).toContain(signedInAs(address));
    expect((await back.open("/settings/profile")).html).toContain('value="The Owner"');
    expect((await back.open("/settings/security")).text()).toContain(activityMessages.en.did["address-reverted"]);
  });

  test("after an old re-authentication needs a new one first, and returns to the card with the address filled in", async () => {
    const { visitor, address } = await newCustomer(site);
    const to = nextAddress();
    await outdateReauthentications();
    await letHalfAMinutePass();
    await askForChange(visitor, to);
    expect(visitor.heading()).toBe(verify.title["reauthentication"]);
    expect(visitor.text()).not.toContain(verify.change);
    await typeCode(visitor, await site.codeTo(address, 2));
    expect(visitor.path()).toMatch(/^\/settings\/security\?continue=req_\w+#email$/);
    expect(visitor.html).toContain(`value="${to}"`);
    await visitor.press(accountMessages.en.changeAddress);
    await typeCode(visitor, await site.codeTo(to));
    expect((await visitor.open("/settings")).text()).toContain(signedInAs(to));
  });

  test("to the current address, or to an invalid one, is refused beside the field, with the typed text", async () => {
    const { visitor, address } = await newCustomer(site);
    const before = await rows();
    await askForChange(visitor, address.toUpperCase());
    expect([visitor.status, visitor.text()]).toEqual([
      422,
      expect.stringContaining(accountMessages.en.problems["same-address"]),
    ]);
    expect(visitor.html).toContain(`value="${address.toUpperCase()}"`);
    await askForChange(visitor, "nobody");
    expect([visitor.status, visitor.text()]).toEqual([
      422,
      expect.stringContaining(accountMessages.en.problems["email-malformed"]),
    ]);
    await askForChange(visitor, "");
    expect([visitor.status, visitor.text()]).toEqual([
      422,
      expect.stringContaining(accountMessages.en.problems["email-missing"]),
    ]);
    expect(await rows()).toBe(before);
  });

  test("shows the same page for an address with an account as for a free one; only the email differs", async () => {
    const { address: taken } = await newCustomer(site);
    const seen = [];
    for (const to of [taken, nextAddress()]) {
      const { visitor } = await newCustomer(site);
      await letHalfAMinutePass();
      await askForChange(visitor, to);
      const html = visitor.html
        .replaceAll(to, "…")
        .replaceAll(/req_\w+|(nonce|fingerprint)="[^"]+"|\b\d{13}\b|\b[a-z0-9]{10}\b/g, "…");
      seen.push({ status: visitor.status, html, cookies: [...visitor.cookies.keys()], trail: visitor.trail.length });
    }
    // Times count down and ids differ; everything else is equal.
    const [first, second] = seen.map((page) => ({ ...page, html: withoutRemainingTimes(page.html) }));
    expect(first).toEqual(second);
    const [ownerEmail] = await site.emailsTo(taken, 2);
    expect(ownerEmail?.subject).toMatch(subjectOf("address-wanted"));
    expect(ownerEmail?.text).not.toMatch(/\d{8}|\/verify/);
  });

  test("is only confirmed for the account that requested it; otherwise the code stays unused", async () => {
    const { visitor, address } = await newCustomer(site);
    const to = nextAddress();
    await askForChange(visitor, to);
    const page = visitor.url;
    const digits = await site.codeTo(to);
    await visitor.post({}, "/logout");
    await visitor.post({ code: digits }, page);
    expect([visitor.status, visitor.text()]).toEqual([
      409,
      expect.stringContaining(verify.problems["account-not-here"]),
    ]);
    await visitor.post({ intent: "resend" }, page);
    expect(visitor.status).toBe(409);
    const { visitor: other } = await newCustomer(site);
    visitor.cookies.set("__Host-session", other.cookies.get("__Host-session") ?? "");
    await letHalfAMinutePass();
    for (const [name, value] of [
      ["code", digits],
      ["intent", "resend"],
    ] as const) {
      await visitor.post({ [name]: value }, page);
      expect([visitor.status, visitor.text()]).toEqual([
        409,
        expect.stringContaining(verify.problems["account-not-here"]),
      ]);
    }

    visitor.cookies.delete("__Host-session");
    await letHalfAMinutePass();
    await visitor.open("/login");
    await askForCode(visitor, address);
    await typeCode(visitor, await site.codeTo(address, 2));
    await visitor.post({ code: digits }, page);
    expect((await visitor.open("/settings")).text()).toContain(signedInAs(to));
  });

  test("can get another code after half a minute, with a re-authentication", async () => {
    const { visitor, address } = await newCustomer(site);
    const to = nextAddress();
    await askForChange(visitor, to);
    await visitor.press(verify.resend);
    expect(visitor.status).toBe(429);
    await letHalfAMinutePass();
    await visitor.press(verify.resend);
    expect(visitor.status).toBe(200);
    expect(visitor.text()).toContain(flash["code-sent"]);
    const page = visitor.url;
    const digits = await site.codeTo(to, 2);
    await outdateReauthentications();
    await letHalfAMinutePass();
    await visitor.press(verify.resend);
    expect(visitor.heading()).toBe(verify.title["reauthentication"]);
    await typeCode(visitor, await site.codeTo(address, 2));
    expect(visitor.html).toContain(`value="${to}"`);
    await visitor.post({ code: digits }, page);
    expect((await visitor.open("/settings")).text()).toContain(signedInAs(to));
  });
});

describe("the payment provider", () => {
  async function pressStart(visitor: Visitor): Promise<Visitor> {
    await visitor.open(`/settings/upgrade?plan=${small.id}&interval=month`);
    return visitor.submit("quote");
  }

  /** A customer who went as far as the hosted checkout, so that the payment provider knows them. */
  async function customer() {
    const { visitor, address } = await newCustomer(site);
    await pressStart(visitor);
    const session = new URL(visitor.url).pathname.split("/").at(-1) ?? "";
    const known = await site.stripe?.sdk.customers.list({ email: address });
    const id = known?.data[0]?.id ?? "no customer";
    const emailThere = async () => {
      const holder = await site.stripe?.sdk.customers.retrieve(id);
      return holder?.deleted ? null : holder?.email;
    };
    return { visitor, address, session, emailThere };
  }

  test("receives the new address, and the old one when the change is reverted", async () => {
    const { visitor, address, emailThere } = await customer();
    const to = nextAddress();
    await changed(visitor, to);
    await expect.poll(emailThere, { timeout: 15_000 }).toBe(to);
    await visitor.post({}, await linkTo(address, 2));
    await expect.poll(emailThere, { timeout: 15_000 }).toBe(address);
  });

  test("receives the account's own address for a customer without one, with the next event", async () => {
    const { address, session, emailThere } = await customer();
    const known = await site.stripe?.sdk.customers.list({ email: address });
    await site.stripe?.sdk.customers.update(known?.data[0]?.id ?? "", { email: "" });
    await site.stripe?.control("checkout", { session, outcome: "paid" });
    await expect.poll(emailThere, { timeout: 15_000 }).toBe(address);
  });

  test("doesn't prevent a change while it is down", async () => {
    const { visitor } = await customer();
    const to = nextAddress();
    await site.stripe?.control("disorder", { apiFault: { kind: "500", next: 100 } });
    await changed(visitor, to);
    await site.stripe?.control("disorder", {});
    expect((await visitor.open("/settings")).text()).toContain(signedInAs(to));
  });

  test("receives a missed change with the next event of a payment", async () => {
    const { address, session, emailThere } = await customer();
    const to = nextAddress();
    const db = await site.database();
    // As a Worker leaves it that was killed after the change, before it could update the provider.
    await db.prepare("update accounts set email = ?1, email_canonical = ?1 where email = ?2").bind(to, address).run();
    await site.stripe?.control("checkout", { session, outcome: "paid" });
    await expect.poll(emailThere, { timeout: 15_000 }).toBe(to);
  });

  test("continues with the changed address after its answer about a new customer was lost", async () => {
    const { visitor, address } = await newCustomer(site);
    await site.stripe?.control("disorder", { apiFault: { kind: "reset", next: 1 } });
    expect((await pressStart(visitor)).status).toBe(503);
    await site.stripe?.control("disorder", {});
    const to = nextAddress();
    await changed(visitor, to);
    expect((await pressStart(visitor)).url).toContain(`${site.stripe?.origin}/checkout/`);
    const db = await site.database();
    const account = await db.prepare("select id from accounts where email = ?").bind(to).first<string>("id");
    const all = await site.stripe?.sdk.customers.list({ limit: 100 });
    const own = all?.data.filter((customer) => customer.metadata["account"] === account);
    expect(own?.map(({ email }) => email)).toEqual([to]);
    expect(all?.data.filter(({ email }) => email === address)).toEqual([]);
  });
});

describe("the link that reverts a change", () => {
  test("says what is wrong if it is unknown or expired, or another account now has the old address", async () => {
    const unknown = await site.visitor().open("/verify?revert=0000");
    expect([unknown.status, unknown.heading()]).toEqual([404, revert.over["link-unknown"].title]);
    await unknown.post({}, "/verify?revert=0000");
    expect([unknown.status, unknown.heading()]).toEqual([404, revert.over["link-unknown"].title]);

    const { visitor, address } = await newCustomer(site);
    await changed(visitor, nextAddress());
    const link = await linkTo(address, 2);
    const stranger = site.visitor();
    const db = await site.database();
    const expireIn = (ms: number) =>
      db
        .prepare("update address_changes set revert_expires_at = ?")
        .bind(Date.now() + ms)
        .run();
    const expectText = async (heading: string) => {
      for (const look of [() => stranger.open(link), () => stranger.post({}, link)]) {
        await look();
        expect([stranger.status, stranger.heading()]).toEqual([409, heading]);
        expect(stranger.headers.get("Cache-Control")).toBe("no-store");
      }
    };
    await expireIn(-1);
    await expectText(revert.over["link-expired"].title);
    await letHalfAMinutePass();
    const newcomer = await site.visitor().open("/signup");
    await askForCode(newcomer, address);
    await typeCode(newcomer, await site.codeTo(address, 3));
    expect(newcomer.text()).toContain(signedInAs(address));
    // As for two Workers whose clocks differ: expired for one, and not yet for the other.
    await expireIn(60_000);
    await expectText(revert.over["address-taken"].title);
    expect((await visitor.open("/settings")).path()).toBe("/settings");
  });

  test("is sent again instead of a code when one is requested for the old address, and works", async () => {
    const { visitor: thief, address } = await newCustomer(site);
    await changed(thief, nextAddress());
    for (const [path, button, nth] of [
      ["/login", loginMessages.en.submit, 3],
      ["/signup", signupMessages.en.submit, 4],
    ] as const) {
      await letHalfAMinutePass();
      const owner = await site.visitor().open(path);
      await owner.press(button, { email: address, terms: "on" });
      expect(owner.status).toBe(200);
      const [sentEmail] = await site.emailsTo(address, nth);
      expect(sentEmail?.subject).toMatch(subjectOf("address-held"));
      expect(`${sentEmail?.subject} ${sentEmail?.text}`).not.toMatch(/\b\d{8}\b/);
      await owner.open(await linkTo(address, nth));
      expect(owner.heading()).toBe(revert.title);
      if (path === "/signup") await owner.press(revert.submit);
    }
    expect((await thief.open("/settings")).path()).toContain("/login");
    expect((await signIn(site, address, 6)).text()).toContain(signedInAs(address));
  });

  test("also signs out the browser in which it is used", async () => {
    const { visitor, address } = await newCustomer(site);
    await changed(visitor, nextAddress());
    await visitor.open(await linkTo(address, 2));
    await visitor.press(revert.submit);
    expect([visitor.path(), visitor.cookies.has("__Host-session")]).toEqual(["/login", false]);
  });

  test("ignores a form on another site", async () => {
    const { visitor, address } = await newCustomer(site);
    await changed(visitor, nextAddress());
    const before = await rows();
    const link = await linkTo(address, 2);
    const answer = await fetch(link, { method: "POST", headers: { Origin: "https://elsewhere.example" } });
    expect(answer.status).toBe(403);
    expect(await rows()).toBe(before);
  });
});

type Waiting = { visitor: Visitor; to: string; nth: number; button: string; after: RegExp };

/** A visitor with a pending code of each kind. */
const waiting: Record<string, () => Promise<Waiting>> = {
  "sign-up": async () => {
    const to = nextAddress();
    const visitor = await site.visitor().open("/signup");
    await askForCode(visitor, to);
    return { visitor, to, nth: 1, button: verify.submit["sign-up"], after: /^\/settings$/ };
  },
  "sign-in": async () => {
    const { address: to } = await newCustomer(site);
    await letHalfAMinutePass();
    const visitor = await site.visitor().open("/login");
    await askForCode(visitor, to);
    return { visitor, to, nth: 2, button: verify.submit["sign-in"], after: /^\/settings$/ };
  },
  "change of address": async () => {
    const { visitor } = await newCustomer(site);
    const to = nextAddress();
    await askForChange(visitor, to);
    return { visitor, to, nth: 1, button: verify.submit["change-email"], after: /^\/settings\/security#address$/ };
  },
  "re-authentication": async () => {
    const { visitor, address: to } = await newCustomer(site);
    await outdateReauthentications();
    await letHalfAMinutePass();
    await visitor.post({ intent: "end-other-sessions" }, "/settings/security");
    return {
      visitor,
      to,
      nth: 2,
      button: verify.submit["reauthentication"],
      after: /^\/settings\/security\?continue=\w+#sessions$/,
    };
  },
};

describe.each(Object.keys(waiting))("the emailed link of a %s", (kind) => {
  test("fills in the code and never uses it up, in any browser and any number of times", async () => {
    const { visitor, to, nth, button, after } = (await waiting[kind]?.()) ?? never();
    const link = await linkTo(to, nth);
    const before = await rows();
    expect(await head(link)).toBe(200);
    expect(await head(link, visitor.cookies)).toBe(200);
    for (let scan = 0; scan < 3; scan += 1) await site.visitor().open(link);
    await visitor.open(link);
    await visitor.open(link);
    expect(await rows()).toBe(before);
    expect(visitor.html).toContain(`value="${await site.codeTo(to, nth)}"`);
    expect(visitor.headers.get("Cache-Control")).toBe("no-store");
    await visitor.press(button);
    expect(visitor.path()).toMatch(after);
  });

  test("shows the code to type in another browser, with the address masked, and can't be used there", async () => {
    const { visitor, to, nth, button, after } = (await waiting[kind]?.()) ?? never();
    const digits = await site.codeTo(to, nth);
    const phone = await site.visitor().open(await linkTo(to, nth));
    expect(phone.text()).toContain(`${verify.elsewhere.lead} ${digits.slice(0, 4)} ${digits.slice(4)}`);
    expect(phone.html).not.toContain(to);
    await phone.post({ code: digits });
    expect([phone.status, phone.cookies.has("__Host-session")]).toEqual([409, false]);
    await visitor.press(button, { code: digits });
    expect(visitor.path()).toMatch(after);
  });
});

describe.each(["change of address", "re-authentication"])("a %s in another browser", (kind) => {
  test("doesn't continue there, signed in or not: the page asks for the browser that requested it", async () => {
    const { visitor, to, nth } = (await waiting[kind]?.()) ?? never();
    const link = await linkTo(to, nth);
    const { visitor: otherAccount } = await newCustomer(site);
    for (const phone of [site.visitor(), otherAccount]) {
      await phone.open(link);
      expect(phone.text()).not.toMatch(fillGaps(verify.elsewhere.continueHere(gap)));
      expect(phone.text()).toContain(verify.elsewhere.stays);
      const before = await rows();
      await phone.post({ intent: "continue-here" });
      expect([phone.status, phone.text()]).toEqual([409, expect.stringContaining(verify.problems["asked-elsewhere"])]);
      expect(await rows()).toBe(before);
    }
    expect((await visitor.open("/settings")).path()).toBe("/settings");
  });
});

describe("a mistyped address", () => {
  test("at sign-up is corrected without losing terms, plan, redirect, and a friend's discount or its refusal", async () => {
    const { visitor: friend } = await newCustomer(site);
    const share = /\?ref=(\w{10})/.exec((await friend.open("/settings/referral")).html)?.[1] ?? "";
    for (const keeps of [true, false]) {
      const visitor = await site.visitor().open(`/?ref=${share}`);
      await visitor.open(`/signup?plan=${small.id}&interval=year&redirectTo=%2Fsettings%2Forders`);
      const wrong = nextAddress();
      const fields: Record<string, string> = keeps ? { ref: share } : {};
      await visitor.post({ email: wrong, terms: "on", ...fields });
      await visitor.press(verify.change);
      expect(visitor.path()).toMatch(
        pattern`^/signup\?again=req_\w+&plan=${small.id}&interval=year&redirectTo=%2Fsettings%2Forders$`,
      );
      expect(visitor.headers.get("Cache-Control")).toBe("no-store");
      expect(visitor.html).toContain(`value="${wrong}"`);
      expect(visitor.text()).toContain(
        signupMessages.en.leadWithPlan(
          small.name,
          `${roundAmount(minor(small, "year"))} ${signupMessages.en.perInterval.year}`,
        ),
      );
      expect(/<input[^>]*name="ref"[^>]*>/.exec(visitor.html)?.[0].includes("checked")).toBe(keeps);
      const right = nextAddress();
      await visitor.press(signupMessages.en.submit, { email: right });
      expect(visitor.heading()).toBe(verify.title["sign-up"]);
      await typeCode(visitor, await site.codeTo(right));
      expect(visitor.path()).toBe(`/settings/upgrade?plan=${small.id}&interval=year`);
      expect(visitor.text().includes(amount(product.referral.friendDiscountMinor))).toBe(keeps);
    }
  });

  test("is filled into the form of the browser that submitted it, and into no other", async () => {
    const visitor = await site.visitor().open("/signup");
    const wrong = nextAddress();
    await askForCode(visitor, wrong);
    await visitor.press(verify.change);
    expect(visitor.html).toContain(wrong);
    const other = await site.visitor().open("/login");
    await askForCode(other, nextAddress());
    await other.open(visitor.path());
    expect([other.status, other.html.includes(wrong)]).toEqual([200, false]);
    await visitor.open(visitor.path().replace("/signup", "/login"));
    expect([visitor.status, visitor.html.includes(wrong)]).toEqual([200, false]);
  });

  test("at sign-in is corrected without losing the redirect", async () => {
    const { address } = await newCustomer(site);
    await letHalfAMinutePass();
    const visitor = await site.visitor().open("/settings/orders");
    const wrong = nextAddress();
    await visitor.press(loginMessages.en.submit, { email: wrong });
    await visitor.press(verify.change);
    expect(visitor.path()).toMatch(/^\/login\?again=req_\w+&redirectTo=%2Fsettings%2Forders$/);
    expect(visitor.html).toContain(`value="${wrong}"`);
    await visitor.press(loginMessages.en.submit, { email: address });
    await typeCode(visitor, await site.codeTo(address, 2));
    expect(visitor.path()).toBe("/settings/orders");
  });

  test("of a change is corrected on the card, where it is filled in", async () => {
    const { visitor } = await newCustomer(site);
    const wrong = nextAddress();
    await askForChange(visitor, wrong);
    await visitor.press(verify.change);
    expect(visitor.path()).toMatch(/^\/settings\/security\?continue=req_\w+#email$/);
    expect(visitor.html).toContain(`value="${wrong}"`);
    const right = nextAddress();
    await visitor.press(accountMessages.en.changeAddress, { email: right });
    await typeCode(visitor, await site.codeTo(right));
    expect((await visitor.open("/settings")).text()).toContain(signedInAs(right));
  });
});

function never(): never {
  throw new Error("There is no such kind");
}
