import { activityMessages } from "#app/routes/settings/security/messages.ts";
import { dataSentence } from "#app/modules/catalogue/data-sentence.rules.ts";
import { flashMessages } from "#app/http/page/flash.messages.ts";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { fileNamePart } from "#app/core/text/file-name.ts";
import { product } from "#app/product/config.ts";
import { landingMessages } from "#app/product/landing/messages.ts";
import { rootMessages } from "#app/root.messages.ts";
import { paymentMessages } from "#app/routes/payment/messages.ts";
import { ordersMessages } from "#app/routes/settings/orders/messages.ts";
import { closingRefusalMessages } from "#app/routes/settings/account-forms/messages.ts";
import { featureSamples } from "#tests/support/features.ts";
import { overviewMessages } from "#app/routes/settings/overview/messages.ts";
import { dataMessages, accountClosingMessages } from "#app/routes/settings/data/messages.ts";
import { overviewPlanMessages } from "#app/routes/settings/overview/plan.messages.ts";
import { verifyMessages } from "#app/routes/verify/messages.ts";
import {
  askForCode,
  closeAccount,
  newCustomer,
  openCheckout,
  signIn,
  typeCode,
} from "#tests/support/clients/customers.ts";
import { minor, pages, pattern, price, small } from "#tests/support/billing/catalogue.ts";
import { emailOf, subjectOf } from "#tests/support/clients/email-texts.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import { dayMs, formatDay } from "#app/core/time/time.ts";
import { asShown } from "#tests/support/clients/html.ts";

const ofFeatures = featureSamples.flatMap(({ forms }) => forms);
const { close: leave, page: closed, data: dataExport } = accountClosingMessages.en;
const { refusals } = closingRefusalMessages.en;
const { success } = paymentMessages.en.pages["new-plan"];

const site = useSite();
afterEach(async () => {
  await site.stripe?.control("disorder", {});
});

const confirmation = `/settings/upgrade?plan=${small.id}&interval=month`;

type Person = Awaited<ReturnType<typeof newCustomer>>;

async function aPayingCustomer(): Promise<Person> {
  const person = await newCustomer(site);
  const session = await openCheckout(await person.visitor.open(confirmation));
  await site.stripe?.control("checkout", { session, outcome: "paid" });
  return person;
}

/** The fourteen days of this account are over. */
async function passRestoreDays(address: string): Promise<void> {
  const database = await site.database();
  await database
    .prepare("update accounts set restorable_until = restorable_until - 14 * 86400000 where email_canonical = ?")
    .bind(address)
    .run();
}

async function rowOf<Row>(query: string, address: string): Promise<Row | null> {
  const database = await site.database();
  return database.prepare(query).bind(address).first<Row>();
}

const accountOf = (address: string) =>
  rowOf<{ id: string; state: string; leavingUntil: number | null }>(
    "select id, state, restorable_until as leavingUntil from accounts where email_canonical = ?",
    address,
  );

async function customerOf(address: string): Promise<string> {
  const query = `select c.provider_id as id from customers c join accounts a on a.id = c.account_id
    where a.email_canonical = ?`;
  return (await rowOf<{ id: string }>(query, address))?.id ?? "";
}

async function subscriptionsOf(customer: string) {
  const listed = await site.stripe?.sdk.subscriptions.list({ customer, status: "all" });
  return listed?.data.map((subscription) => subscription.status);
}

/** The page of a payment promises no plan, and nothing to do with one. */
function expectNothingBegins({ visitor }: Person): void {
  expect(visitor.text()).not.toMatch(fillGaps(success.lead(gap)));
  expect(visitor.text()).not.toContain(paymentMessages.en.success.start(product.name));
}

describe("closing an account", () => {
  test("says what ends and what stays, ends the plan immediately, and can be undone by signing in", async () => {
    const person = await aPayingCustomer();
    const { visitor, address } = person;
    const customer = await customerOf(address);
    await visitor.open("/settings/data");
    for (const sentence of [leave.plan(small.name, leave.refundUntil(gap)), leave.text(14), leave.orders]) {
      expect(visitor.text()).toMatch(fillGaps(sentence));
    }
    await visitor.press(leave.button);
    expect([visitor.status, visitor.path(), visitor.heading()]).toEqual([200, "/settings#leaving", closed.title]);
    expect(await subscriptionsOf(customer)).toEqual(["canceled"]);
    const running = await rowOf<{ state: string }>(
      "select s.state from subscriptions s join accounts a on a.id = s.account_id where a.email_canonical = ?",
      address,
    );
    expect(running).toEqual({ state: "ended" });
    const [notice] = await site.emailsTo(address, 3);
    expect(notice?.subject).toMatch(subjectOf("account-closed"));
    expect(notice?.text).toContain(`${site.origin}/settings`);
    // With the day until which the order can be withdrawn from, as on the page before.
    const withdrawUntil = formatDay(Date.now() + 14 * dayMs, product);
    const plan = `${product.name} ${small.name}`;
    const { before, more } = emailOf({
      template: "account-closed",
      until: "",
      plan,
      hasOpenWithdrawal: false,
      withdrawUntil,
      withdrawUrl: "/",
      url: "",
    });
    expect(notice?.text).toContain(before.at(-1));
    expect(notice?.text).toContain(more?.label);
    expect(notice?.text).toMatch(/\/withdraw\?order=\d{4}-\d+&ref=ord_\w+/);

    await visitor.press(rootMessages.en.signOut);
    const back = await signIn(site, address, 4);
    expect([back.path(), back.heading()]).toEqual(["/settings", closed.title]);
    await back.press(closed.button);
    expect([back.path(), back.heading()]).toEqual(["/settings#top", overviewMessages.en.title]);
    expect(back.text()).toContain(flashMessages.en.restored);
    const reader = { locale: product.locale, timeZone: product.timeZone };
    const kept = dataSentence(product, Date.now(), reader) ?? overviewPlanMessages.en.free;
    expect(back.text()).toContain(kept.replaceAll("\u00a0", " "));
    expect((await back.open("/settings/security")).text()).toContain(activityMessages.en.did.restored);
    const [restored] = await site.emailsTo(address, 5);
    expect(restored?.subject).toMatch(subjectOf("restored"));
    expect(restored?.text).toContain(emailOf({ template: "restored", plan, lastDayOfData: null, url: "" }).before[0]);
    const keptUntil = dataSentence(product, Date.now(), reader);
    if (keptUntil !== null) expect(asShown(restored?.text ?? "")).toContain(asShown(keptUntil));
    await back.open(confirmation);
    await openCheckout(back);
    expect(back.url).toContain(`${site.stripe?.origin}/checkout/`);
  });

  test("needs only its intent and a recent re-authentication; without one it asks for a code first, and returns", async () => {
    const { visitor, address } = await aPayingCustomer();
    const database = await site.database();
    await database.exec("update sessions set proven_at = proven_at - 900000");
    await visitor.post({ intent: "delete" }, "/settings/data");
    expect(visitor.heading()).toBe(verifyMessages.en.title["reauthentication"]);
    expect(await accountOf(address)).toMatchObject({ state: "active" });
    expect(await subscriptionsOf(await customerOf(address))).toEqual(["active"]);
    // The email says what the code is for.
    const { before } = emailOf({
      template: "code",
      purpose: "reauthentication",
      code: "",
      validMs: 600_000,
      url: "",
      action: "close-account",
    });
    expect((await site.emailsTo(address, 3))[0]?.text).toContain(before[0]);
    await typeCode(visitor, await site.codeTo(address, 3));
    expect(visitor.path()).toMatch(/^\/settings\/data\?continue=req_\w+#leaving$/);
    expect(visitor.html).toMatch(/<details[^>]* open/);
    await visitor.press(leave.button);
    expect(visitor.heading()).toBe(closed.title);
  });

  test.each([
    ["500", 1],
    ["reset", 1],
    ["html", 1],
    // Each call is made twice.
    ["429", 20],
  ] as const)(
    "is 503 with a message and changes nothing if the payment provider answers %s, %s times",
    async (kind, next) => {
      const person = await aPayingCustomer();
      const { visitor, address } = person;
      await visitor.open("/settings/data");
      const database = await site.database();
      const before = await rowOf(
        "select state, restorable_until, erasure_at from accounts where email_canonical = ?",
        address,
      );
      const sessions = () => database.prepare("select state from sessions order by id").all();
      const sessionsBefore = await sessions();
      await site.stripe?.control("disorder", { apiFault: { kind, next } });
      await visitor.press(leave.button);
      expect(visitor.status).toBe(503);
      expect(visitor.text()).toContain(refusals["provider-unreachable"]);
      expect(visitor.heading()).toBe(dataMessages.en.title);
      expect(
        await rowOf("select state, restorable_until, erasure_at from accounts where email_canonical = ?", address),
      ).toEqual(before);
      expect((await sessions()).results).toEqual(sessionsBefore.results);
      await site.stripe?.control("disorder", {});
      await closeAccount(person.visitor);
      expect(visitor.heading()).toBe(closed.title);
      expect(await subscriptionsOf(await customerOf(address))).toEqual(["canceled"]);
    },
  );

  test("is refused with a message while a bank processes a payment, and works once that has failed", async () => {
    const person = await newCustomer(site);
    const session = await openCheckout(await person.visitor.open(confirmation));
    await site.stripe?.control("checkout", { session, outcome: "processing" });
    // The page says so, and has no button.
    await person.visitor.open("/settings/data");
    expect(person.visitor.text()).toContain(leave.inProcess);
    expect(person.visitor.html).not.toContain('value="delete"');
    await person.visitor.post({ intent: "delete" }, "/settings/data");
    expect(person.visitor.status).toBe(409);
    expect(person.visitor.text()).toContain(refusals["payment-in-process"]);
    // Stripe calls it active from the debit's first day on: it was not changed, or the payment would arrive for
    // nothing.
    expect(await subscriptionsOf(await customerOf(person.address))).toEqual(["active"]);
    expect(await accountOf(person.address)).toMatchObject({ state: "active" });
    await site.stripe?.control("checkout", { session, outcome: "declined" });
    await closeAccount(person.visitor);
    expect(person.visitor.heading()).toBe(closed.title);
    expect(await subscriptionsOf(await customerOf(person.address))).toEqual(["canceled"]);
  });

  test("closes the open checkout, whose page can't be paid any more", async () => {
    const person = await newCustomer(site);
    const session = await openCheckout(await person.visitor.open(confirmation));
    await closeAccount(person.visitor);
    expect(person.visitor.heading()).toBe(closed.title);
    expect((await site.stripe?.sdk.checkout.sessions.retrieve(session))?.status).toBe("expired");
  });

  test("forty times at the same time takes effect once, with one email and one log entry", async () => {
    const { visitor, address } = await aPayingCustomer();
    const Cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { Origin: site.origin, Cookie, "Content-Type": "application/x-www-form-urlencoded" };
    const close = () => site.fetch("/settings/data", { method: "POST", headers, body: "intent=delete" });
    const answers = await Promise.all(Array.from({ length: 40 }, close));
    // The payment provider may not answer forty simultaneous calls in time; the late ones fail closed and
    // may be repeated.
    if (answers.every(({ status }) => status === 503)) answers.push(await close());
    // Whichever answer a double click shows: it leads to the account that is closed.
    const led = answers.map((answer) => `${answer.status} ${answer.headers.get("Location")}`);
    expect(led).toContain("303 /settings#leaving");
    expect(led.filter((answer) => !["303 /settings#leaving", "503 null"].includes(answer))).toEqual([]);
    const counts = await rowOf(
      `select (select count(*) from activities where account_id = a.id and what = 'account-closed' and result = 'done') as lines,
        (select count(*) from emails where template = 'account-closed' and id like 'mail_' || a.id || '%') as mails
       from accounts a where email_canonical = ?`,
      address,
    );
    expect(counts).toEqual({ lines: 1, mails: 1 });
  });
});

describe("an account that was restored", () => {
  test("shows that its last payment was paid, and that its plan has ended", async () => {
    const person = await aPayingCustomer();
    await person.visitor.open("/payment/success");
    expect(person.visitor.heading()).toBe(success.title);
    await closeAccount(person.visitor);
    await person.visitor.open("/settings");
    await person.visitor.press(closed.button);
    await person.visitor.open("/payment/success");
    expect(person.visitor.heading()).toBe(paymentMessages.en.past.title);
    expectNothingBegins(person);
    expect(person.visitor.text()).not.toContain(paymentMessages.en.closedAccount.lead);
    expect(person.visitor.text()).not.toContain(closed.title);
  });
});

describe("while an account is closed", () => {
  let person: Person;
  let order = "";

  beforeAll(async () => {
    person = await aPayingCustomer();
    const row = await rowOf<{ id: string }>(
      "select o.id from orders o join accounts a on a.id = o.account_id where a.email_canonical = ?",
      person.address,
    );
    order = row?.id ?? "";
    await closeAccount(person.visitor);
  });

  test("the page of a payment doesn't say that the plan is active", async () => {
    await person.visitor.open(`/payment/success?order=${order}`);
    expect(person.visitor.heading()).toBe(paymentMessages.en.past.title);
    expect(person.visitor.text()).toContain(paymentMessages.en.closedAccount.lead);
    expectNothingBegins(person);
    expect(person.visitor.html).toContain(`/settings/orders/${order}`);
  });

  const shownTo = [
    ["/settings", "/settings", closed.title],
    ["/settings/orders", "/settings/orders", ordersMessages.en.title],
    [pages.account, "/settings", closed.title],
    [pages.plan, "/settings", closed.title],
    ...ofFeatures.map(({ path }) => [path, "/settings", closed.title] as const),
    ["/settings/referral", "/settings", closed.title],
    ["/settings/upgrade", "/settings", closed.title],
    ["/settings/export", "/settings", closed.title],
    ["/settings/profile", "/settings", closed.title],
    ["/settings/security", "/settings", closed.title],
    ["/settings/notifications", "/settings", closed.title],
    ["/settings/data", "/settings", closed.title],
  ] as const;

  test.each(shownTo)("%s shows %s", async (path, shown, heading) => {
    await person.visitor.open(path);
    expect([person.visitor.path(), person.visitor.heading()]).toEqual([shown, heading]);
    const links = [...person.visitor.html.matchAll(/href="(\/settings[^"]*)"/g)].map(([, link]) => link?.split("?")[0]);
    // A user who can see the orders can also open each, and download their file.
    const more = shown === "/settings/orders" ? ["/settings/orders.csv", `/settings/orders/${order}`] : [];
    expect(new Set(links)).toEqual(new Set(["/settings", "/settings/orders", ...more]));
  });

  const forms: [string, Record<string, string>][] = [
    ["/settings/profile", { intent: "profile", name: "Mara", timeZone: "UTC" }],
    ["/settings/security", { intent: "end-other-sessions" }],
    ["/settings/security", { intent: "end-session", session: "ses_x" }],
    ["/settings/profile", { intent: "appearance", theme: "dark" }],
    ["/settings/notifications", { intent: "mails" }],
    [pages.account, { intent: "rotate-key" }],
    [pages.plan, { intent: "resume" }],
    [pages.plan, { intent: "update-card" }],
    ...ofFeatures.map(({ path, good }) => [path, { intent: good["intent"] ?? "" }] satisfies [string, object]),
    ["/settings/referral", {}],
    ["/settings/upgrade", { intent: "quote", plan: small.id, interval: "month" }],
    [
      "/settings/upgrade",
      { intent: "confirm", plan: small.id, interval: "month", quote: `${minor(small)}.${product.currency}.0` },
    ],
  ];

  test.each(forms)("a form sent to %s is refused with 409: %o", async (path, fields) => {
    for (const address of [path, `${path}.data`]) {
      await person.visitor.post(fields, address);
      expect(person.visitor.status).toBe(409);
      if (address === path) expect(person.visitor.heading()).toBe(rootMessages.en.closedAccount.title);
    }
    expect(await accountOf(person.address)).toMatchObject({ state: "closed" });
  });

  test("the closing form, sent again, is answered like the first time", async () => {
    await person.visitor.post({ intent: "delete" }, "/settings/data");
    expect([person.visitor.path(), person.visitor.heading()]).toEqual(["/settings#leaving", closed.title]);
    expect(await accountOf(person.address)).toMatchObject({ state: "closed" });
  });

  test("receipts and the data export remain available", async () => {
    await person.visitor.open(`/settings/orders/${order}`);
    expect([person.visitor.status, person.visitor.path()]).toEqual([200, `/settings/orders/${order}`]);
    expect(person.visitor.text()).toContain(price(small));
    await person.visitor.open("/settings");
    await person.visitor.press(dataExport.button);
    expect(person.visitor.headers.get("Content-Type")).toContain("application/json");
    expect(JSON.parse(person.visitor.html)).toMatchObject({ account: { email: person.address, state: "closed" } });
  });

  test("a payment that arrives late starts no lasting plan, since the cron job ends it", async () => {
    const customer = await customerOf(person.address);
    const prices = await site.stripe?.sdk.prices.list({ lookup_keys: [`${small.id}_month`] });
    const session = await site.stripe?.sdk.checkout.sessions.create({
      mode: "subscription",
      customer,
      line_items: [{ price: prices?.data[0]?.id ?? "", quantity: 1 }],
      success_url: `${site.origin}/payment/success`,
    });
    await site.stripe?.control("checkout", { session: session?.id, outcome: "paid" });
    expect(await subscriptionsOf(customer)).toEqual(["active", "canceled"]);
    await site.runCron();
    expect(await subscriptionsOf(customer)).toEqual(["canceled", "canceled"]);
    expect(await accountOf(person.address)).toMatchObject({ state: "closed" });
  });
});

describe("after fourteen days", () => {
  test("the account is erased here and at the payment provider, and the orders remain without a name", async () => {
    const person = await aPayingCustomer();
    const { visitor, address } = person;
    const customer = await customerOf(address);
    const id = (await accountOf(address))?.id ?? "";
    await visitor.post({ intent: "profile", name: "Mara Quist", timeZone: "UTC" }, "/settings/profile");
    const accounting = () =>
      rowOf(
        `select number_year, number_in_year, state, amount_minor, tax_minor, paid_at, invoice_id,
          (select sum(amount_minor) from order_lines where order_id = orders.id) as lines,
          (select sum(total_minor) from documents where order_id = orders.id) as invoiced from orders where account_id = ?`,
        id,
      );
    const before = await accounting();
    expect(before).toMatchObject({ state: "paid", amount_minor: minor(small), lines: minor(small) });
    await closeAccount(person.visitor);
    await passRestoreDays(person.address);
    await visitor.open("/settings");
    expect(visitor.text()).toContain(closed.overTitle);
    await visitor.post({ intent: "restore" }, "/settings");
    expect(visitor.status).toBe(409);

    await site.stripe?.control("disorder", { apiFault: { kind: "500", next: 100 } });
    await site.runCron();
    expect(await accountOf(address)).toMatchObject({ id, state: "closed" });
    await site.stripe?.control("disorder", {});
    await site.runCron();
    expect(await accountOf(address)).toBeNull();
    expect(await site.stripe?.sdk.customers.retrieve(customer)).toEqual(
      expect.objectContaining({ id: customer, deleted: true }),
    );
    expect(await accounting()).toEqual(before);
    const blank = await rowOf(
      "select buyer ->> 'name' as buyer, receipt_url as receipt from orders o join documents d on d.order_id = o.id where account_id = ?",
      id,
    );
    expect(blank).toEqual({ buyer: null, receipt: null });
    const [notice] = await site.emailsTo(address, 4);
    expect(notice?.subject).toMatch(subjectOf("account-erased"));
    await visitor.open("/settings");
    expect(visitor.path()).toBe("/login?redirectTo=%2Fsettings");
    await site.runCron();
    expect(await accounting()).toEqual(before);
  });

  test("the address is available, and a sign-up with it creates a new account", async () => {
    const person = await newCustomer(site);
    const before = (await accountOf(person.address))?.id;
    await closeAccount(person.visitor);
    await passRestoreDays(person.address);
    await site.runCron();
    const visitor = await site.visitor().open("/signup");
    await askForCode(visitor, person.address);
    // After the first code, the email about the closing and the email about its end.
    await typeCode(visitor, await site.codeTo(person.address, 4));
    expect(visitor.heading()).toBe(overviewMessages.en.title);
    const after = await accountOf(person.address);
    expect([after?.state, after?.id === before]).toEqual(["active", false]);
  });
});

describe("the data export", () => {
  test("is one file with the account's own data, sent only on request", async () => {
    const other = await aPayingCustomer();
    const person = await aPayingCustomer();
    const { visitor, address } = person;
    await visitor.open("/settings/data");
    await visitor.press(dataExport.button);
    const { headers, status, html } = visitor;
    const today = new Date().toISOString().slice(0, 10);
    expect([status, headers.get("Content-Disposition")]).toEqual([
      200,
      `attachment; filename="${fileNamePart(product.name)}-data-${today}.json"`,
    ]);
    expect(headers.get("Cache-Control")).toBe("no-store");
    const data = JSON.parse(html) as { account: { sessions: object[] }; mails: { template: string }[] };
    expect(data).toMatchObject({
      product: product.name,
      account: {
        email: address,
        activities: [{ what: "signed-up" }, { what: "checkout-opened" }, { what: "data-downloaded" }],
        sessions: [{ state: "active" }],
      },
      plan: { subscriptions: [{ planId: small.id, state: "active" }] },
      orders: [
        {
          number: expect.stringMatching(/^\d{4}-\d{6}$/),
          amountMinor: minor(small),
          lines: [{ amountMinor: minor(small) }],
        },
      ],
    });
    expect(data.mails.map((email) => email.template).toSorted()).toEqual(["code", "data-downloaded", "receipt"]);
    const token = visitor.cookies.get("__Host-session") ?? "no session";
    for (const secret of [other.address, token, "_hash", "tokenHash", "sealed"]) expect(html).not.toContain(secret);
    // The first time an email is sent after the answer, which is counted, too.
    await visitor.open("/settings/data");
    await visitor.press(dataExport.button);
    expect(visitor.headers.get("Server-Timing")).toBe('d1;desc="2", d1-in-a-row;desc="2"');
  });

  test("needs a recent re-authentication, is logged, and is emailed", async () => {
    const { visitor, address } = await newCustomer(site);
    const database = await site.database();
    const results = async () => {
      const request = database.prepare(
        "select result from activities where what = 'data-downloaded' and account_id = (select id from accounts where email = ?) order by rowid",
      );
      return (await request.bind(address).all<{ result: string }>()).results.map(({ result }) => result);
    };
    await database.exec("update sessions set proven_at = proven_at - 900000");
    await database.exec("delete from quota_uses");
    await visitor.open("/settings/data");
    await visitor.press(dataExport.button);
    expect(visitor.heading()).toBe(verifyMessages.en.title["reauthentication"]);
    expect(visitor.html).not.toContain('"writtenAt"');
    await typeCode(visitor, await site.codeTo(address, 2));
    expect(visitor.path()).toMatch(/^\/settings\/data\?continue=req_\w+#data$/);
    expect(await results()).toEqual(["refused"]);
    await visitor.press(dataExport.button);
    expect(JSON.parse(visitor.html)).toMatchObject({ account: { email: address } });
    expect((await site.emailsTo(address, 3))[0]?.subject).toMatch(subjectOf("data-downloaded"));
    expect(await results()).toEqual(["refused", "done"]);
    await visitor.open("/settings/security");
    expect(visitor.text()).toContain(activityMessages.en.did["data-downloaded"]);
  });

  test("is answered to a POST only, and not for another account or origin", async () => {
    const { visitor } = await newCustomer(site);
    await visitor.open("/settings/export");
    expect([visitor.path(), visitor.heading()]).toEqual(["/settings/data", dataMessages.en.title]);
    const stranger = await site.visitor().post({}, "/settings/export");
    expect(stranger.path()).toBe("/login?redirectTo=%2Fsettings%2Fexport");
    const Cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const foreign = await site.fetch("/settings/export", {
      method: "POST",
      headers: { Cookie, Origin: "https://evil.example" },
    });
    expect(foreign.status).toBe(403);
  });
});

describe("pages outside the settings", () => {
  test("show a closed account how to restore it, and no plans", async () => {
    const person = await newCustomer(site);
    const { visitor } = person;
    await closeAccount(person.visitor);
    await visitor.open("/");
    expect(visitor.text()).toContain(landingMessages.en.leaving);
    expect(visitor.html).not.toContain("plan-current");
    const restoreFirst = pattern`${landingMessages.en.plans.restoreFirst}`;
    expect(visitor.text().match(new RegExp(restoreFirst, "g"))).toHaveLength(product.plans.length);
    expect(visitor.html).not.toMatch(/href="\/(signup|settings\/upgrade|settings\/\w+\/plan)/);
    await visitor.open("/settings");
    await visitor.press(closed.button);
    await visitor.open("/");
    expect(visitor.text()).not.toMatch(restoreFirst);
  });
});
