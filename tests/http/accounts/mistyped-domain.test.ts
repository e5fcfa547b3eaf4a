import { describe, expect, test } from "vitest";
import { suggestionMessages } from "#app/http/forms/suggestion-notice.messages.ts";
import { loginMessages } from "#app/routes/login/messages.ts";
import { signupMessages } from "#app/routes/signup/messages.ts";
import { verifyMessages } from "#app/routes/verify/messages.ts";
import { featureSamples } from "#tests/support/features.ts";
import { withdrawMessages } from "#app/routes/withdraw/messages.ts";
import { askForChange, newCustomer } from "#tests/support/clients/customers.ts";
import { useSite } from "#tests/support/site/use-site.ts";

const site = useSite();
const suggested = suggestionMessages.en["domain-mistyped"];
const meant = "cara@gmail.com";

describe("a sign-up address with a mistyped domain", () => {
  test("gets a suggestion, and one click accepts it with all other fields unchanged", async () => {
    const visitor = await site.visitor().open("/signup?redirectTo=/settings/orders");
    await visitor.press(signupMessages.en.submit, { email: "cara@gmial.com", terms: "on" });
    expect([visitor.status, visitor.text()]).toEqual([422, expect.stringContaining(suggested.title(meant))]);
    expect(visitor.html).toContain('value="cara@gmial.com"');
    expect(await site.emailsTo("cara@gmial.com", 0)).toEqual([]);
    await visitor.press(suggested.use(meant));
    expect(visitor.path()).toMatch(/^\/verify/);
    expect(visitor.text()).toContain(meant);
    expect(await site.emailsTo(meant)).toHaveLength(1);
  });

  test("gets it in every browser until it is kept, which one click does", async () => {
    const typed = { email: "cleo@gmail.con", terms: "on" };
    for (let browsers = 0; browsers < 2; browsers += 1) {
      const visitor = await site.visitor().open("/signup?redirectTo=/settings/orders");
      await visitor.press(signupMessages.en.submit, typed);
      expect(visitor.status).toBe(422);
      await visitor.press(signupMessages.en.submit, typed);
      expect(visitor.status).toBe(422);
      if (browsers === 0) continue;
      await visitor.press(suggested.keep(typed.email));
      expect([visitor.status, visitor.path()]).toEqual([200, expect.stringMatching(/^\/verify/)]);
    }
    expect(await site.emailsTo(typed.email)).toHaveLength(1);
  });

  test("gets none if it is correct", async () => {
    const visitor = await site.visitor().open("/signup");
    await visitor.press(signupMessages.en.submit, { email: "dora@ymail.com", terms: "on" });
    expect(visitor.path()).toMatch(/^\/verify/);
  });
});

test("a mistyped domain gets a suggestion when signing in as well", async () => {
  const visitor = await site.visitor().open("/login?redirectTo=/settings/orders");
  await visitor.press(loginMessages.en.submit, { email: "dora@gmial.com" });
  expect([visitor.status, visitor.text()]).toEqual([422, expect.stringContaining(suggested.title("dora@gmail.com"))]);
  await visitor.press(suggested.use("dora@gmail.com"));
  expect(visitor.path()).toMatch(/^\/verify/);
  await visitor.open("/login");
  await visitor.press(loginMessages.en.submit, { email: "dora@gmial.com" });
  await visitor.press(suggested.keep("dora@gmial.com"));
  expect(visitor.path()).toMatch(/^\/verify/);
});

test.each(featureSamples.flatMap(({ addressForms = [] }) => addressForms))(
  "an address that is typed at $path with a mistyped domain gets a suggestion first",
  async ({ path, texts, leadsTo }) => {
    const visitor = await site.visitor().open(path);
    await visitor.press(texts.submit, { email: "emil@hotmial.com" });
    expect([visitor.status, visitor.text()]).toEqual([
      422,
      expect.stringContaining(suggested.title("emil@hotmail.com")),
    ]);
    await visitor.press(suggested.use("emil@hotmail.com"));
    expect(visitor.path()).toContain(leadsTo.replace("**", ""));
    expect(await site.emailsTo("emil@hotmail.com")).toHaveLength(1);
  },
);

describe("a mistyped domain in a change of address", () => {
  test("gets a suggestion, and one click changes to that", async () => {
    const { visitor } = await newCustomer(site);
    await askForChange(visitor, "fred@gmial.com");
    expect([visitor.status, visitor.path()]).toEqual([422, "/settings/security"]);
    expect(visitor.text()).toContain(suggested.title("fred@gmail.com"));
    expect(visitor.html).toContain('value="fred@gmial.com"');
    await visitor.press(suggested.use("fred@gmail.com"));
    expect(visitor.text()).toContain(verifyMessages.en.lead["change-email"]("fred@gmail.com"));
    expect(await site.emailsTo("fred@gmail.com")).toHaveLength(1);
    expect(await site.emailsTo("fred@gmial.com", 0)).toEqual([]);
  });

  test("is kept by one click", async () => {
    const { visitor } = await newCustomer(site);
    await askForChange(visitor, "gina@gmail.con");
    expect(visitor.status).toBe(422);
    await visitor.press(suggested.keep("gina@gmail.con"));
    expect(visitor.text()).toContain(verifyMessages.en.lead["change-email"]("gina@gmail.con"));
  });
});

describe("a mistyped domain in a withdrawal", () => {
  const { form, review } = withdrawMessages.en;
  const fields = { name: "Ida Example", order: "2026-000041" };

  test("gets a suggestion before the notice is shown, and one click accepts it", async () => {
    const visitor = await site.visitor().open("/withdraw");
    await visitor.press(form.submit, { ...fields, email: "ida@gmial.com" });
    expect([visitor.status, visitor.text()]).toEqual([422, expect.stringContaining(suggested.title("ida@gmail.com"))]);
    await visitor.press(suggested.use("ida@gmail.com"));
    expect([visitor.status, visitor.heading()]).toEqual([200, review.title]);
    expect(visitor.text()).toContain(review.declaration(fields.name, fields.order));
    await visitor.press(review.submit);
    expect(visitor.heading()).toBe(withdrawMessages.en.declared.title);
    expect(await site.emailsTo("ida@gmail.com")).toHaveLength(1);
  });

  test("is kept by one click, and a notice that was checked gets no suggestion", async () => {
    const visitor = await site.visitor().open("/withdraw");
    await visitor.press(form.submit, { ...fields, email: "jana@gmail.con" });
    expect(visitor.status).toBe(422);
    await visitor.press(suggested.keep("jana@gmail.con"));
    expect([visitor.status, visitor.heading()]).toEqual([200, review.title]);
    const confirmed = await site.visitor().post({ ...fields, email: "karl@gmail.con", intent: "confirm" }, "/withdraw");
    expect(confirmed.heading()).toBe(withdrawMessages.en.declared.title);
  });
});
