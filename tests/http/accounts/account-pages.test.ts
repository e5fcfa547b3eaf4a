import { flashMessages } from "#app/http/page/flash.messages.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { formatMoney } from "#app/core/money/money.ts";
import { locales } from "#app/modules/accounts/rules.ts";
import { recentEmailsMax } from "#app/modules/email/rules.ts";
import { product } from "#app/product/config.ts";
import { accountMessages } from "#app/routes/settings/account-forms/messages.ts";
import { dataMessages, accountClosingMessages } from "#app/routes/settings/data/messages.ts";
import { notificationsMessages } from "#app/routes/settings/notifications/messages.ts";
import { emailNames } from "#app/emails.ts";
import { attentionMessages } from "#app/routes/settings/overview/attention.messages.ts";
import { gettingStartedMessages } from "#app/http/page/getting-started.messages.ts";
import { overviewMessages } from "#app/routes/settings/overview/messages.ts";
import { profileMessages } from "#app/routes/settings/profile/messages.ts";
import { securityMessages } from "#app/routes/settings/security/messages.ts";
import { free } from "#tests/support/billing/catalogue.ts";
import { askForChange, newCustomer, signIn, signUp, typeCode } from "#tests/support/clients/customers.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";

/** What is said about the data, up to the day. */
const [beforeDay = ""] = product.dataWhenSmaller.split("{day}");

let visitor: Visitor;
const address = "pages@example.com";

const site = useSite({ stripe: false });
beforeAll(async () => {
  visitor = await signUp(site, address, "");
});

const headings = () =>
  [...(visitor.html.split("site-footer")[0] ?? "").matchAll(/<h2[^>]*>([^<]*)</g)].map(([, text]) => text);

async function run(sql: string, ...values: (string | number)[]): Promise<void> {
  const db = await site.database();
  await db
    .prepare(sql)
    .bind(...values)
    .run();
}

describe("each page has one subject, and receives its own forms", () => {
  const { profile, appearance } = profileMessages.en;
  const { email, passkeys, sessions, activity } = securityMessages.en;
  const { emails, sent } = notificationsMessages.en;
  const { data, close } = accountClosingMessages.en;

  const forms: Record<string, string>[] = [
    { intent: "profile", name: "Somebody else", timeZone: "UTC" },
    { intent: "appearance", theme: "dark" },
    { intent: "change-email", email: "elsewhere@example.com" },
    { intent: "end-session", session: "ses_other" },
    { intent: "end-other-sessions" },
    { intent: "add-passkey", passkey: "{}" },
    { intent: "remove-passkey", passkey: "pky_none" },
    { intent: "mails", usage: "on" },
    { intent: "delete" },
  ];

  test("closing says what happens to the product's data, with or without a plan", async () => {
    await visitor.open("/settings/data");
    expect(visitor.text()).toContain(`${close.invitations} ${product.dataWhenClosed}`);
    expect(visitor.text()).not.toContain(beforeDay);
  });

  test.each([
    ["/settings/profile", profileMessages.en.title, [profile.title, appearance.title]],
    ["/settings/security", securityMessages.en.title, [email.title, passkeys.title, sessions.title, activity.title]],
    ["/settings/notifications", notificationsMessages.en.title, [emails.title, sent.title]],
    ["/settings/data", dataMessages.en.title, [data.title, close.title]],
  ])("%s", async (path, title, sections) => {
    await visitor.open(path);
    expect([visitor.status, visitor.heading()]).toEqual([200, title]);
    expect([...new Set(headings())]).toEqual(sections);
    const actions = [...visitor.html.matchAll(/<form[^>]* action="([^"]*)"/g)].map(([, action]) => action ?? "");
    expect(new Set(actions)).toEqual(
      new Set(["/logout", path, ...(path.endsWith("data") ? ["/settings/export"] : [])]),
    );
  });

  test("the overview offers a passkey, shows the plan and the way to start, and contains no other form of theirs", async () => {
    await visitor.open("/settings");
    expect([...new Set(headings())]).toEqual([
      free.name,
      overviewMessages.en.passkey.title,
      gettingStartedMessages.en.title(product.name),
    ]);
    expect(visitor.html).not.toMatch(/action="\/settings(?!\/security)/);
  });

  test.each(forms)("the overview refuses their forms: $intent", async (fields) => {
    await visitor.post(fields, "/settings");
    expect([visitor.status, visitor.path(), visitor.heading()]).toEqual([422, "/settings", overviewMessages.en.title]);
  });

  test("each form is answered by its own page", async () => {
    await visitor.post({ intent: "profile", name: "Mara", timeZone: "UTC" }, "/settings/profile");
    expect([visitor.path(), visitor.heading()]).toEqual(["/settings/profile#profile", profileMessages.en.title]);
    expect(visitor.text()).toContain(flashMessages.en["profile-saved"]);
    await visitor.post({ intent: "mails", usage: "on" }, "/settings/notifications");
    expect(visitor.path()).toBe("/settings/notifications#mails");
    await visitor.post({ intent: "change-email", email: "mara@" }, "/settings/security");
    expect([visitor.status, visitor.path()]).toEqual([422, "/settings/security"]);
    expect(visitor.text()).toContain(accountMessages.en.problems["email-malformed"]);
  });
});

test("switches that are saved in place are answered without a redirect", async () => {
  const fields = new URLSearchParams({ intent: "mails", rewards: "on", inPlace: "on" });
  const Cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { Origin: site.origin, Cookie };
  const answer = await site.fetch("/settings/notifications", { method: "POST", body: fields, headers });
  expect([answer.status, answer.headers.get("Location")]).toEqual([200, null]);
  expect(answer.headers.getSetCookie()).toEqual([]);
  const db = await site.database();
  const off = await db.prepare("select emails_off as off from accounts where email = ?").bind(address).first("off");
  expect(JSON.parse(String(off))).toEqual(["renewals", "usage"]);
});

test.each([
  ["dark", "dark"],
  ["system", ""],
])("a theme that is saved in place (%s) is answered without a redirect, by its cookie alone", async (theme, value) => {
  const Cookie = [...visitor.cookies].map(([name, sent]) => `${name}=${sent}`).join("; ");
  const body = new URLSearchParams({ intent: "appearance", theme, inPlace: "on" });
  const headers = { Origin: site.origin, Cookie };
  const answer = await site.fetch("/settings/profile", { method: "POST", body, headers });
  expect([answer.status, answer.headers.get("Location")]).toEqual([200, null]);
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(`^__Host-theme=${value};`),
    expect.stringMatching(`^theme=${value};`),
  ]);
});

describe("the date format", () => {
  const samples = ["23 November 2026", "November 23, 2026", "2026-11-23"];

  test("is chosen by example, and applies to the next page", async () => {
    await visitor.open("/settings/profile");
    for (const sample of samples) expect(visitor.text()).toContain(`${sample}, `);
    expect(visitor.text()).toContain(formatMoney({ amountMinor: 123_450, currency: product.currency }, product.locale));
    await visitor.post({ intent: "profile", name: "", timeZone: "UTC", locale: "en-CA" }, "/settings/profile");
    await visitor.open("/settings/security");
    expect(visitor.text()).toContain(new Date().toISOString().slice(0, 10));
  });

  test("is one of the listed formats", async () => {
    for (const locale of ["sv-SE", "", "xx"]) {
      await visitor.post({ intent: "profile", name: "", timeZone: "UTC", locale }, "/settings/profile");
      expect([visitor.status, visitor.text()]).toEqual([
        422,
        expect.stringContaining(accountMessages.en.problems["locale-unknown"]),
      ]);
    }
    for (const locale of locales) {
      await visitor.post({ intent: "profile", name: "", timeZone: "UTC", locale }, "/settings/profile");
      expect(visitor.status).toBe(200);
    }
  });
});

test("a session shows how its browser signed in, if that is known", async () => {
  const person = await newCustomer(site);
  await person.visitor.open("/settings/security");
  const { methods, since, lastUsed } = securityMessages.en.sessions;
  for (const text of [since, lastUsed]) expect(person.visitor.text()).toContain(text);
  expect(person.visitor.html).toMatch(new RegExp(`>${methods.code}[,<]`));
  await run(
    "update sessions set method = null where account_id = (select id from accounts where email = ?)",
    person.address,
  );
  await person.visitor.open("/settings/security");
  for (const text of Object.values(methods)) expect(person.visitor.html).not.toMatch(new RegExp(`>${text}[,<]`));
});

describe("the emails sent to an account", () => {
  const { sent } = notificationsMessages.en;

  test("are listed by subject, without their contents", async () => {
    const person = await newCustomer(site);
    const back = await signIn(site, person.address, 2);
    const code = await site.codeTo(person.address, 2);
    await back.open("/settings/notifications");
    expect(back.text()).toContain(`${emailNames.en.code} `);
    for (const state of Object.values(sent.states)) expect(back.text()).not.toContain(state);
    expect(back.html).not.toContain(code);
    expect(back.text()).not.toContain(sent.older(recentEmailsMax));
  });

  test("are listed newest first, for this account only, in any state", async () => {
    await run("delete from emails");
    await visitor.open("/settings/notifications");
    expect(visitor.text()).toContain(sent.none);
    for (let nth = 0; nth <= recentEmailsMax; nth += 1) {
      await run(
        `insert into emails (id, state, template, created_at, recipient_id)
         select ?1, ?2, ?3, ?4, id from accounts where email = ?5`,
        `mail_${nth}`,
        nth === recentEmailsMax ? "failed" : "sent",
        nth === 0 ? "account-erased" : "receipt",
        nth,
        address,
      );
    }
    await run(
      "insert into emails (id, state, template, created_at, recipient_id) values ('mail_x', 'sent', 'restored', 99, 'acc_x')",
    );
    await visitor.open("/settings/notifications");
    expect(visitor.text()).toContain(sent.older(recentEmailsMax));
    expect(visitor.text()).toContain(sent.states.failed);
    expect(visitor.text().split(emailNames.en.receipt)).toHaveLength(recentEmailsMax + 1);
    for (const other of [emailNames.en["account-erased"], emailNames.en.restored]) {
      expect(visitor.text()).not.toContain(other);
    }
  });
});

test("a change of address needs attention as long as it can be reverted", async () => {
  const person = await newCustomer(site);
  await askForChange(person.visitor, "moved@example.com");
  await typeCode(person.visitor, await site.codeTo("moved@example.com"));
  await person.visitor.open("/settings");
  expect(person.visitor.text()).toContain(overviewMessages.en.attention);
  expect(person.visitor.text()).toContain(attentionMessages.en.addressTitle);
  await run("update address_changes set revert_expires_at = 1");
  await person.visitor.open("/settings");
  expect(person.visitor.text()).not.toContain(overviewMessages.en.attention);
});
