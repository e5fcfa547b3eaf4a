import { beforeAll, describe, expect, test } from "vitest";
import { quotaRefusalMessages } from "#app/http/forms/quota-refusal.messages.ts";
import { product } from "#app/product/config.ts";
import { rootMessages } from "#app/root.messages.ts";
import { signupMessages } from "#app/routes/signup/messages.ts";
import { verifyMessages } from "#app/routes/verify/messages.ts";
import { askForChange, askForCode, signUp, typeCode } from "#tests/support/clients/customers.ts";
import { featureSamples } from "#tests/support/features.ts";
import { minor, pages, small } from "#tests/support/billing/catalogue.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";

let customer: Visitor;

const site = useSite();
beforeAll(async () => {
  customer = await signUp(site, "customer@example.com", "");
});

type Form = { path: string; good: Record<string, string>; malformed: Record<string, string>; needsCustomer: boolean };

/** Every form, with fields it accepts and fields it can't. */
const forms: Form[] = [
  {
    path: "/signup",
    good: { email: "a@example.com", terms: "on" },
    malformed: { email: "a", terms: "on" },
    needsCustomer: false,
  },
  { path: "/login", good: { email: "a@example.com" }, malformed: { email: "a@@example" }, needsCustomer: false },
  ...featureSamples.flatMap(({ addressForms = [] }) =>
    addressForms.map(({ path, fields }) => ({
      path,
      good: { email: "a@example.com", ...fields },
      malformed: { email: "a", ...fields },
      needsCustomer: false,
    })),
  ),
  {
    path: "/withdraw",
    good: { name: "Mara", order: "2026-000041", email: "a@example.com", intent: "confirm" },
    malformed: { name: "Mara", order: "2026-000041", email: "a@@example", intent: "confirm" },
    needsCustomer: false,
  },
  {
    path: "/cancel",
    good: { kind: "ordinary", name: "Mara", order: "2026-000041", email: "a@example.com", intent: "declare" },
    malformed: { kind: "ordinary", name: "Mara", order: "2026-000041", email: "a@@example", intent: "declare" },
    needsCustomer: false,
  },
  {
    path: "/settings/profile",
    good: { intent: "profile", name: "Mara", timeZone: "UTC" },
    malformed: { intent: "profile", name: "Mara", timeZone: "Mars/Olympus" },
    needsCustomer: true,
  },
  {
    path: "/settings/security",
    good: { intent: "change-email", email: "a@example.com" },
    malformed: { intent: "change-email", email: "a@@example" },
    needsCustomer: true,
  },
  {
    path: "/settings/upgrade",
    good: { intent: "confirm", plan: small.id, interval: "month", quote: `${minor(small)}.${product.currency}.0` },
    malformed: { intent: "confirm", plan: small.id, interval: "weekly" },
    needsCustomer: true,
  },
  { path: pages.plan, good: { intent: "cancel" }, malformed: { intent: "explode" }, needsCustomer: true },
  ...featureSamples.flatMap(({ forms: own }) => own.map((form) => ({ ...form, needsCustomer: true }))),
];

async function send(form: Form, body: string | FormData, type?: string): Promise<Response> {
  const cookies = form.needsCustomer ? [...customer.cookies].map(([name, value]) => `${name}=${value}`).join("; ") : "";
  const headers = { Origin: site.origin, ...(type && { "Content-Type": type }), ...(cookies && { Cookie: cookies }) };
  return site.fetch(form.path, { method: "POST", headers, body });
}

const encoded = "application/x-www-form-urlencoded";

async function rows(): Promise<string> {
  const database = await site.database();
  const counts = [
    "accounts",
    "codes",
    "entries",
    "orders",
    ...featureSamples.flatMap(({ erasedTables }) => erasedTables),
    "emails",
    "withdrawals",
    "cancellations",
  ].map(async (table) => {
    const row = await database.prepare(`select count(*) as n from ${table}`).first<{ n: number }>();
    return `${table} ${row?.n}`;
  });
  const account = await database.prepare("select name, time_zone from accounts").all();
  return JSON.stringify([await Promise.all(counts), account.results]);
}

describe.each(forms)("the form of $path", (form) => {
  const whole = new URLSearchParams(form.good).toString();
  const [first = ""] = whole.split("&");

  test("refuses missing, malformed, duplicate and oversized fields with a message, and stores nothing", async () => {
    const before = await rows();
    const cases: [string, Promise<Response>, number[]][] = [
      ["nothing at all", send(form, "", encoded), [422]],
      ["malformed fields", send(form, new URLSearchParams(form.malformed).toString(), encoded), [422]],
      ["a field twice", send(form, `${whole}&${first}`, encoded), [400]],
      ["no form", send(form, "{}", "application/json"), [400]],
      ["a broken multipart body", send(form, "--x\r\nnonsense", "multipart/form-data; boundary=x"), [400]],
      ["a body past 64 kB", send(form, `${whole}&padding=${"x".repeat(70_000)}`, encoded), [413]],
    ];
    for (const [name, answer, statuses] of cases) {
      const { status } = await answer;
      expect([name, statuses.includes(status) ? "refused" : status]).toEqual([name, "refused"]);
      const html = await (await answer).text();
      expect(html).toContain("<h1");
      expect(html).toMatch(/role="alert"|field-error/);
    }
    expect(await rows()).toBe(before);
  });

  test("refuses a field of a thousand characters", async () => {
    const [name = ""] = Object.keys(form.malformed).slice(-1);
    const body = new URLSearchParams({ ...form.good, [name]: "x".repeat(1000) }).toString();
    const before = await rows();
    expect((await send(form, body, encoded)).status).toBe(422);
    expect(await rows()).toBe(before);
  });

  test("ignores unknown fields", async () => {
    const answer = await send(form, `${whole}&isAdmin=1&state=gone`, encoded);
    expect([303, 302, 409, 429]).toContain(answer.status);
  });
});

test("a form keeps the other fields when one has an error", async () => {
  const visitor = await site.visitor().open("/signup");
  await visitor.press(signupMessages.en.submit, { email: "mara.without.terms@example.com" });
  expect(visitor.status).toBe(422);
  expect(visitor.html).toContain('value="mara.without.terms@example.com"');
  await visitor.press(signupMessages.en.submit, { terms: "on" });
  expect(visitor.path()).toMatch(/^\/verify/);
});

/** In the digits of another script, whose zero this is. */
function inDigitsFrom(code: string, zero: number): string {
  return [...code].map((digit) => String.fromCodePoint(zero + Number(digit))).join("");
}

describe("a code", () => {
  const messages = verifyMessages.en;

  async function requestCode(address: string) {
    const visitor = await site.visitor().open("/signup");
    await askForCode(visitor, address);
    const [email] = await site.emailsTo(address);
    return {
      visitor,
      digits: /\d{8}/.exec(email?.subject ?? "")?.[0] ?? "",
      link: /http\S+verify\S+/.exec(email?.text ?? "")?.[0] ?? "",
    };
  }

  test("that is wrong, malformed or missing is refused, with the remaining tries", async () => {
    const { visitor } = await requestCode("wrong@example.com");
    await typeCode(visitor, "0000 0000");
    expect([visitor.status, visitor.text()]).toEqual([
      422,
      expect.stringContaining(messages.problems["wrong-code"](4)),
    ]);
    await typeCode(visitor, "12");
    expect([visitor.status, visitor.text()]).toEqual([
      422,
      expect.stringContaining(messages.problems["code-malformed"]),
    ]);
    await typeCode(visitor, "");
    expect([visitor.status, visitor.text()]).toEqual([422, expect.stringContaining(messages.problems["code-missing"])]);
    expect(visitor.text()).toContain(messages.triesLeft(4));
  });

  test.each([
    ["the line of the email's text", (code: string) => `    ${code.slice(0, 4)} ${code.slice(4)}\r\n`],
    ["full-width digits", (code: string) => inDigitsFrom(code, 0xff10)],
    ["Arabic-Indic digits", (code: string) => inDigitsFrom(code, 0x660)],
    ["characters that show as nothing", (code: string) => `\u200b\u2066${code}\u2069\u00ad`],
  ])("is accepted as %s", async (how, write) => {
    const { visitor, digits } = await requestCode(`${how.replaceAll(/\W/g, "")}@example.com`.toLowerCase());
    await visitor.post({ code: write(digits) }, visitor.url);
    expect(visitor.path()).toBe("/settings");
  });

  test("that was used is reported as used", async () => {
    const { visitor, digits } = await requestCode("used@example.com");
    const page = visitor.url;
    await typeCode(visitor, digits);
    expect(visitor.path()).toBe("/settings");
    await visitor.post({ code: digits }, page);
    expect([visitor.status, visitor.text()]).toEqual([409, expect.stringContaining(messages.used.title)]);
  });

  test("in the email's link is filled in, and is not used up by opening the link", async () => {
    const { visitor, digits, link } = await requestCode("link@example.com");
    await visitor.open(link);
    await visitor.open(link);
    expect(visitor.html).toContain(`value="${digits}"`);
    expect(visitor.headers.get("Cache-Control")).toBe("no-store");
    await visitor.press(messages.submit["sign-up"]);
    expect(visitor.path()).toBe("/settings");
  });

  test("opened in another browser is shown for typing, or replaced by a new email to continue there", async () => {
    const { visitor, digits, link } = await requestCode("phone@example.com");
    const phone = await site.visitor().open(link);
    expect(phone.text()).toContain(`${messages.elsewhere.lead} ${digits.slice(0, 4)} ${digits.slice(4)}`);
    await phone.post({ code: digits });
    expect(phone.status).toBe(409);
    await typeCode(visitor, digits);
    expect(visitor.path()).toBe("/settings");
  });

  test("guessed faster than people type is rate limited, whatever the quotas allow", async () => {
    const { visitor } = await requestCode("flood@example.com");
    const page = visitor.url;
    // Sixty a minute; the minute may turn over meanwhile.
    for (let guess = 0; guess < 125 && visitor.status !== 429; guess += 1)
      await visitor.post({ code: "00000000" }, page);
    expect([visitor.status, visitor.text()]).toEqual([
      429,
      expect.stringMatching(fillGaps(quotaRefusalMessages.en["too-many-from-network"](gap))),
    ]);
  });

  test("requested too often is 429 with the seconds to wait", async () => {
    const { visitor } = await requestCode("often@example.com");
    await visitor.press(messages.resend);
    expect(visitor.status).toBe(429);
    expect(Number(visitor.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(visitor.text()).toMatch(fillGaps(quotaRefusalMessages.en["too-soon"](gap)));
  });
});

/** Round trips to the database that the page took, and how many of them one after the other. */
function tripsOf(visitor: Visitor): [number, number] {
  const timing = visitor.headers.get("Server-Timing") ?? "";
  const [, all, inARow] = /^d1;desc="(\d+)", d1-in-a-row;desc="(\d+)"$/.exec(timing) ?? [];
  return [Number(all), Number(inARow)];
}

describe("a signed-in page", () => {
  test.each([
    "/settings",
    "/settings/security",
    "/settings/notifications",
    "/settings/data",
    pages.account,
    pages.plan,
    ...featureSamples.flatMap(({ forms: own }) => own.map(({ path }) => path)),
    "/settings/orders",
    "/withdraw?order=ord_elsewhere",
    "/settings/referral",
    "/settings/upgrade",
    "/",
  ])("%s takes two concurrent round trips to the database, and isn't cached", async (path) => {
    await customer.open(path);
    expect(customer.status).toBe(200);
    expect(tripsOf(customer)).toEqual([2, 1]);
    expect(customer.headers.get("Cache-Control")).toBe("no-store");
    expect(customer.html).toMatch(/<form[^>]* action="\/logout"/);
  });

  test("that shows nothing but the account, the profile, takes one", async () => {
    await customer.open("/settings/profile");
    expect([customer.status, tripsOf(customer)]).toEqual([200, [1, 1]]);
  });
});

test("the page that waits for a code takes at most two round trips for a signed-in user, for any purpose of the code", async () => {
  await askForChange(customer, "customer-new@example.com");
  expect(customer.path()).toMatch(/^\/verify\?request=/);
  expect(customer.heading()).toBe(verifyMessages.en.title["change-email"]);
  expect(tripsOf(customer)).toEqual([2, 2]);
});

test("a broken page shows a reference id and a way to continue, the rest works, and it recovers without a restart", async () => {
  const database = await site.database();
  await database.prepare("alter table passkeys rename to passkeys_away").run();
  await customer.open("/settings/security");
  expect(customer.status).toBe(500);
  expect(customer.heading()).toBe(rootMessages.en.broken.title);
  expect(customer.text()).toMatch(fillGaps(rootMessages.en.broken.reference(gap), /[a-z0-9]{10}/));
  expect(customer.html).not.toMatch(/no such table|SQLITE|at .*\.js:/);
  await customer.open("/settings/orders");
  expect(customer.status).toBe(200);
  await database.prepare("alter table passkeys_away rename to passkeys").run();
  await customer.open("/settings/security");
  expect(customer.status).toBe(200);
});

describe("a session", () => {
  test("clears the site's data in the browser when it is signed out, with or without an active session", async () => {
    const { cookies } = await signUp(site, "forgetful@example.com", "");
    for (const Cookie of [`__Host-session=${cookies.get("__Host-session")}`, ""]) {
      const headers = { Origin: site.origin, Cookie };
      const answer = await site.fetch("/logout", { method: "POST", headers });
      expect(answer.headers.get("Clear-Site-Data")).toBe('"cache", "storage"');
      expect(answer.headers.getSetCookie().find((cookie) => cookie.startsWith("__Host-session=;"))).toContain(
        "Max-Age=0",
      );
    }
  });

  test("ends with the next request after signing out, and one set by an attacker is never accepted", async () => {
    const visitor = await signUp(site, "leaver@example.com", "");
    const copy = new Map(visitor.cookies);
    await visitor.press(rootMessages.en.signOut);
    for (const [name, value] of copy) visitor.cookies.set(name, value);
    await visitor.open("/settings");
    expect(visitor.path()).toBe("/login?redirectTo=%2Fsettings");

    const planted = "p".repeat(52);
    const victim = site.visitor();
    victim.cookies.set("__Host-session", planted);
    await victim.open("/signup");
    await askForCode(victim, "victim@example.com");
    await typeCode(victim, await site.codeTo("victim@example.com"));
    expect(victim.cookies.get("__Host-session")).not.toBe(planted);
  });
});
