import { beforeAll, describe, expect, test, vi } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { product } from "#app/product/config.ts";
import { rootMessages } from "#app/root.messages.ts";
import { cancelMessages } from "#app/routes/cancel/messages.ts";
import { pages } from "#tests/support/billing/catalogue.ts";
import { type OrderRow, ordersOfCustomer } from "#tests/support/billing/customer-orders.ts";
import { subscriber } from "#tests/support/clients/customers.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { useSite } from "#tests/support/site/use-site.ts";

const { form, declared, problems } = cancelMessages.en;
const site = useSite();
let mara: Visitor;
let order: OrderRow;

beforeAll(async () => {
  mara = await subscriber(site, "mara@example.com");
  await vi.waitFor(
    async () => expect((await ordersOfCustomer(site, "mara@example.com")).at(-1)?.state).toBe("paid"),
    10_000,
  );
  const newest = (await ordersOfCustomer(site, "mara@example.com")).at(-1);
  if (!newest) throw new Error("There is no order");
  order = newest;
});

async function rowsOf(email: string) {
  const statement = (await site.database()).prepare("select * from cancellations where email = ? order by declared_at");
  return (await statement.bind(email).all<Record<string, unknown>>()).results;
}

const plan = async () => {
  const statement = (await site.database()).prepare(
    "select s.cancels_at as at from subscriptions s join accounts a on a.id = s.account_id where a.email_canonical = ?",
  );
  return (await statement.bind("mara@example.com").first<{ at: number | null }>())?.at ?? null;
};

describe("a visitor who is not signed in", () => {
  test("finds the button in the footer of every page, cancels, can save what they declared, and gets it confirmed", async () => {
    const visitor = await site.visitor().open("/");
    expect(visitor.html).toContain('href="/cancel"');
    expect(visitor.text()).toContain(rootMessages.en.footer.cancel);
    await visitor.open("/cancel");
    await visitor.press(form.submit, {
      kind: "ordinary",
      name: "Mara Example",
      order: order.number ?? "",
      email: "Mara@example.com",
    });
    expect([visitor.trail, visitor.heading()]).toEqual([["/cancel?declared"], declared.title]);
    for (const text of ["Mara Example", order.number ?? "", "Mara@example.com", declared.kinds.ordinary])
      expect(visitor.text()).toContain(text);
    const file = await visitor.open("/cancel/declaration");
    expect(file.headers.get("Content-Disposition")).toMatch(/^attachment; filename=".+\.txt"$/);
    expect(file.html).toContain(`${declared.facts.order}: ${order.number}`);
    expect(file.html).toMatch(/\d\d:\d\d:\d\d/);
    // Another browser is told nothing.
    const other = await site.visitor().open("/cancel?declared");
    expect(other.text()).not.toContain("Mara Example");
    expect([other.status, other.heading()]).toEqual([200, cancelMessages.en.noCookie.title]);
    expect((await site.visitor().open("/cancel/declaration")).status).toBe(404);
    await site.runCron();
    for (const [address, template] of [
      ["Mara@example.com", "cancellation-received"],
      ["mara@example.com", "plan-cancelled"],
    ] as const) {
      await expect
        .poll(async () => (await site.emailsTo(address)).map(({ subject }) => subject))
        .toContainEqual(expect.stringMatching(subjectOf(template)));
    }
    await expect.poll(plan).not.toBeNull();
    await expect.poll(() => rowsOf("mara@example.com")).toMatchObject([{ state: "done" }]);
  });

  test("gets the same page for a contract that doesn't exist, and nothing ends", async () => {
    const told = async (email: string) => {
      const visitor = await site.visitor().open("/cancel");
      await visitor.press(form.submit, { kind: "ordinary", name: "Nils", order: "2026-000077", email });
      return [
        visitor.status,
        visitor.trail,
        visitor
          .text()
          .replaceAll(/\d\d:\d\d:\d\d/g, "")
          .replaceAll(email, "X"),
      ];
    };
    expect(await told("nils@example.com")).toEqual(await told("mara@example.com"));
    expect(await rowsOf("nils@example.com")).toMatchObject([{ state: "unmatched", account_id: null }]);
  });

  test("whose browser refuses cookies reads that a cancellation is received and confirmed by email", async () => {
    const { noCookie } = cancelMessages.en;
    const visitor = await site.visitor().open("/cancel");
    visitor.keepsCookies = false;
    const email = "uma@example.com";
    await visitor.press(form.submit, { kind: "ordinary", name: "Uma", order: "2026-000078", email });
    expect([visitor.trail, visitor.status]).toEqual([["/cancel?declared"], 200]);
    expect(visitor.heading()).toBe(noCookie.title);
    for (const text of [noCookie.lead, noCookie.why, declared.support(product.support)])
      expect(visitor.text()).toContain(text);
    expect(visitor.html).toContain('href="/cancel"');
    expect(visitor.html).not.toContain(email);
    expect(await site.emailsTo(email)).toHaveLength(1);
  });

  test("sees what is missing beside its field, and loses nothing", async () => {
    const visitor = await site.visitor().open("/cancel");
    await visitor.press(form.submit, { kind: "extraordinary", name: "Mara", order: "2026-000041", email: "mara@" });
    expect([visitor.status, visitor.text()]).toEqual([422, expect.stringContaining(problems["email-malformed"])]);
    expect(visitor.html).toContain('value="2026-000041"');
    await visitor.press(form.submit, { email: "mara@example.com" });
    expect([visitor.status, visitor.text()]).toEqual([422, expect.stringContaining(problems["cause-missing"])]);
    expect(visitor.html).toContain('value="mara@example.com"');
  });
});

test("its owner keeps the plan until it ends", async () => {
  await mara.open(pages.plan);
  expect(await plan()).not.toBeNull();
  await mara.post({ intent: "resume" }, pages.plan);
  await expect.poll(plan).toBeNull();
  await expect.poll(() => rowsOf("mara@example.com")).toMatchObject([{ state: "undone" }, { state: "unmatched" }]);
});

test("its owner takes back what waits, and a cancellation that was made meanwhile", async () => {
  await mara.open("/cancel");
  const endsOn = new Date(Date.now() + 40 * dayMs).toISOString().slice(0, 10);
  await mara.press(form.submit, { kind: "ordinary", name: "Mara", order: order.number ?? "", endsOn });
  await site.runCron();
  await expect.poll(() => mara.open("/cancel").then(({ html }) => html)).toContain(cancelMessages.en.waiting.keep);
  const [, said = ""] = cancelMessages.en.waiting.text("#", "#").split("#");
  for (const page of [pages.plan, "/settings"]) expect((await mara.open(page)).text()).toContain(said.trim());
  await mara.post({ intent: "cancel" }, pages.plan);
  await expect.poll(plan).not.toBeNull();
  await mara.post({ intent: "keep" }, "/cancel");
  expect(await plan()).toBeNull();
});

test("a signed-in owner finds name, order and address filled in", async () => {
  await mara.open("/cancel");
  expect(mara.html).toContain(`value="${order.number}"`);
  expect(mara.html).toContain('value="mara@example.com"');
});
