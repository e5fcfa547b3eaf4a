import { asShown } from "#tests/support/clients/html.ts";
import { formatDay, formatExactly } from "#app/core/time/time.ts";
import { product } from "#app/product/config.ts";
import { orderWithdrawalMessages, orderHistoryMessages } from "#app/routes/settings/orders/order/messages.ts";
import { textToBase64url } from "#app/core/text/base64url.ts";
import { withdrawMessages } from "#app/routes/withdraw/messages.ts";
import { quotaRefusalMessages } from "#app/http/forms/quota-refusal.messages.ts";
import { sendsFromNetworkMax, sendsPerNetworkMax } from "#app/modules/accounts/codes/email-quotas.rules.ts";
import { beginningOf, fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { emailOf, subjectOf } from "#tests/support/clients/email-texts.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { signUp, subscriber } from "#tests/support/clients/customers.ts";
import { type OrderRow, ordersOfCustomer } from "#tests/support/billing/customer-orders.ts";
import { pages, pattern, price, small } from "#tests/support/billing/catalogue.ts";
import { legalMessages } from "#app/product/legal/messages.ts";
import { legalFacts } from "#tests/support/products/legal-facts.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";

let mara: Visitor;
let order: OrderRow;

const site = useSite();
beforeAll(async () => {
  mara = await subscriber(site, "mara@example.com");
  order = await paid("mara@example.com");
});

async function paid(address: string): Promise<OrderRow> {
  await vi.waitFor(async () => expect((await ordersOfCustomer(site, address)).at(-1)?.state).toBe("paid"), 10_000);
  const [newest] = (await ordersOfCustomer(site, address)).toReversed();
  if (!newest) throw new Error("There is no order");
  return newest;
}

type Row = {
  id: string;
  state: string;
  order_id: string | null;
  name: string;
  order_typed: string;
  email: string;
  declared_at: number;
};

async function declared(email: string): Promise<Row[]> {
  const statement = (await site.database()).prepare("select * from withdrawals where email = ? order by declared_at");
  return (await statement.bind(email).all<Row>()).results;
}

describe("a visitor who is not signed in", () => {
  test("finds the link in the footer of every page, reviews the declaration, confirms it, and receives it by email", async () => {
    const visitor = await site.visitor().open("/");
    expect(visitor.html).toContain('href="/withdraw"');
    await visitor.open("/withdraw");
    expect(visitor.heading()).toBe(withdrawMessages.en.title);
    expect(visitor.text()).toContain(withdrawMessages.en.form.lead(14));
    await visitor.press(withdrawMessages.en.form.submit, {
      name: "Mara Example",
      order: order.number ?? "",
      email: "Mara@example.com",
    });
    expect([visitor.status, visitor.path()]).toEqual([200, "/withdraw"]);
    expect(visitor.headers.get("Cache-Control")).toBe("no-store");
    expect(visitor.text()).toContain(withdrawMessages.en.review.declaration("Mara Example", order.number ?? ""));
    expect(visitor.html).toContain('value="Mara@example.com"');
    expect(visitor.html).not.toContain('type="hidden"');
    expect(await declared("mara@example.com")).toEqual([]);

    await visitor.press(withdrawMessages.en.review.submit);
    expect([visitor.trail, visitor.heading()]).toEqual([["/withdraw?declared"], withdrawMessages.en.declared.title]);
    expect(visitor.text()).toContain(withdrawMessages.en.declared.lead("Mara@example.com"));
    // Someone else who opens the page is told nothing.
    const other = await site.visitor().open("/withdraw?declared");
    expect([other.status, other.heading()]).toEqual([200, withdrawMessages.en.noCookie.title]);
    expect(other.html).not.toContain("Mara");
    const sentEmail = (await site.emailsTo("mara@example.com")).find(({ subject }) =>
      subjectOf("withdrawal-acknowledged").test(subject),
    );
    expect(sentEmail?.text).toMatch(
      fillGaps(
        emailOf({
          template: "withdrawal-acknowledged",
          order: order.number ?? "",
          by: null,
          declared: gap,
          refundBy: gap,
        }).before[0] ?? "",
        /.*\b20\d\d.*\d:\d\d:\d\d.*/,
      ),
    );
    expect(sentEmail?.text).not.toContain("Mara Example");
    await expect
      .poll(() => declared("mara@example.com"))
      .toMatchObject([{ state: "acknowledged", order_id: order.id, name: "Mara Example", order_typed: order.number }]);
  });

  test("finds the right of withdrawal and its model form in the terms", async () => {
    const visitor = await site.visitor().open("/legal/terms");
    expect(visitor.heading()).toBe(legalMessages.en.terms.title);
    for (const { title, text } of legalMessages.en.terms.sections(legalFacts)) {
      for (const line of [title, ...text.flat()]) expect(visitor.text()).toContain(line);
    }
  });

  test("whose browser refuses cookies reads that a withdrawal is received and confirmed by email, the same for any order", async () => {
    const { noCookie, declared: sent } = withdrawMessages.en;
    const pagesSeen = [];
    for (const [email, number] of [
      ["uma@example.com", "2026-000078"],
      ["mara@example.com", order.number ?? ""],
    ] as const) {
      const visitor = await site.visitor().open("/withdraw");
      visitor.keepsCookies = false;
      await visitor.post({ name: "Uma", order: number, email, intent: "confirm" }, "/withdraw");
      expect([visitor.trail, visitor.status]).toEqual([["/withdraw?declared"], 200]);
      expect(visitor.heading()).toBe(noCookie.title);
      for (const text of [noCookie.lead, noCookie.why, sent.support(product.support)])
        expect(visitor.text()).toContain(text);
      expect(visitor.html).toContain('href="/withdraw"');
      expect(visitor.html).not.toContain(email);
      pagesSeen.push(visitor.text());
    }
    expect(pagesSeen[0]).toBe(pagesSeen[1]);
    expect(await site.emailsTo("uma@example.com")).toHaveLength(1);
  });

  test("can declare the same only once: a repetition is reported as existing, and sends no second email", async () => {
    const visitor = await site.visitor().open("/withdraw");
    const input = { name: "Nils", order: "2026-000077", email: "nils@example.com" };
    await visitor.post({ ...input, intent: "confirm" });
    await visitor.post({ ...input, intent: "confirm" }, "/withdraw");
    expect(visitor.trail).toEqual(["/withdraw?declared=before"]);
    expect(visitor.heading()).toBe(withdrawMessages.en.declared.before.title);
    expect(visitor.text()).not.toContain(withdrawMessages.en.declared.support(product.support));
    expect(await site.emailsTo("nils@example.com")).toHaveLength(1);
    expect(await declared("nils@example.com")).toHaveLength(1);
  });

  test("who leaves a field empty or types nonsense sees the message beside the field, and loses no other field", async () => {
    const visitor = await site.visitor().open("/withdraw?order=2026-000041");
    expect(visitor.html).toContain('value="2026-000041"');
    await visitor.press(withdrawMessages.en.form.submit, { name: "Mara", email: "mara@" });
    expect(visitor.status).toBe(422);
    expect(visitor.text()).toContain(withdrawMessages.en.problems["email-malformed"]);
    expect(visitor.html).toContain('value="2026-000041"');
    expect(visitor.html).toContain('value="Mara"');
    await visitor.press(withdrawMessages.en.form.submit, { name: "", order: "", email: "mara@example.com" });
    expect(visitor.text()).toMatch(
      pattern`${withdrawMessages.en.problems["name-missing"]}.*${withdrawMessages.en.problems["order-missing"]}`,
    );
  });

  test("who declares too often sees when to continue, and loses nothing typed", async () => {
    const visitor = await site.visitor().open("/withdraw");
    const input = (nth: number) => ({
      name: "Olga",
      order: `2026-${nth}`,
      email: "olga@example.com",
      intent: "confirm",
    });
    for (let nth = 0; nth < sendsPerNetworkMax; nth += 1) await visitor.post(input(nth), "/withdraw");
    expect(await declared("olga@example.com")).toHaveLength(sendsPerNetworkMax);
    await visitor.post(input(sendsPerNetworkMax), "/withdraw");
    expect(visitor.status).toBe(429);
    expect(Number(visitor.headers.get("Retry-After"))).toBeGreaterThan(3000);
    expect(visitor.headers.get("Cache-Control")).toBe("no-store");
    expect(visitor.text()).toContain(beginningOf(quotaRefusalMessages.en["too-many-from-network"](gap)));
    expect(visitor.html).toContain(`value="2026-${sendsPerNetworkMax}"`);
    expect(await site.emailsTo("olga@example.com", sendsFromNetworkMax)).toHaveLength(sendsFromNetworkMax);
  });
});

describe("the answer doesn't reveal whether an order or an address exists:", () => {
  /** What differs from one answer to the next. */
  const withoutOwn = (text: string) => text.replaceAll(/(nonce|fingerprint)(-|=\\?"|":")[\w -]+/g, "$1…");

  async function answers(email: string, number: string) {
    const compared = [];
    for (const intent of ["declare", "confirm"]) {
      const body = new URLSearchParams({ name: "Mara", order: number, email, intent });
      const headers = { Origin: site.origin, "CF-Connecting-IP": "198.18.9.9" };
      const answer = await site.fetch("/withdraw", { method: "POST", headers, body });
      const next = await site.fetch(answer.headers.get("Location") ?? "/withdraw");
      for (const one of [answer, next]) {
        const constant = [...one.headers]
          .filter(([name]) => name !== "date")
          .map(([name, value]) => [name, withoutOwn(value).replace(textToBase64url(email), "…")]);
        const html = withoutOwn(await one.text())
          .replaceAll(number, "…")
          .replaceAll(email, "…");
        compared.push({ status: one.status, headers: constant, html });
      }
    }
    return compared;
  }

  test("status, headers and text are the same for all", async () => {
    const number = order.number ?? "";
    const known = await answers("mara@example.com", number);
    expect(known.map(({ status }) => status)).toEqual([200, 200, 303, 200]);
    expect(await answers("mara@example.com", number.replace(/\d$/, "9"))).toEqual(known);
    expect(await answers("mora@example.com", number)).toEqual(known);
    expect(await answers("mora@example.com", "2019-000001")).toEqual(known);
  });
});

describe("a signed-in visitor", () => {
  test("has their name, number and address filled in by the link from the order, and no one else's", async () => {
    await mara.post({ intent: "profile", name: "Mara Example", timeZone: "UTC" }, "/settings/profile");
    await mara.open(`/withdraw?order=${order.id}`);
    for (const value of ["Mara Example", order.number, "mara@example.com"]) {
      expect(mara.html).toContain(`value="${value}"`);
    }
    expect(mara.headers.get("Server-Timing")).toBe('d1;desc="2", d1-in-a-row;desc="1"');
    // Without a link, it isn't: this order was withdrawn from already.
    await mara.open("/withdraw");
    expect(mara.html).not.toContain(`value="${order.number}"`);
    const stranger = await signUp(site, "stranger@example.com");
    await stranger.open(`/withdraw?order=${order.id}`);
    expect(stranger.html).not.toContain(`value="${order.number}"`);
    expect(stranger.html).toContain('value="stranger@example.com"');
    await stranger.open("/withdraw");
    expect(stranger.html).not.toContain(`value="${order.number}"`);
  });

  test("sees on the order that it was declared, with the time in its timeline, and no link any more", async () => {
    const address = "declared@example.com";
    const visitor = await subscriber(site, address);
    const bought = await paid(address);
    const reader = { locale: "en-GB", timeZone: "Asia/Tokyo" };
    await visitor.post({ intent: "profile", name: "", ...reader }, "/settings/profile");
    // Without a link, the newest order that can be withdrawn from is filled in.
    await visitor.open("/withdraw");
    expect(visitor.html).toContain(`value="${bought.number}"`);
    await visitor.open(`/withdraw?order=${bought.id}`);
    await visitor.press(withdrawMessages.en.form.submit, { name: "D. Clare" });
    // To the owner, the review says what comes back.
    expect(visitor.text()).toContain(orderWithdrawalMessages.en.back(price(small), null));
    await visitor.press(withdrawMessages.en.review.submit);
    expect(visitor.trail).toEqual([`/withdraw?declared&order=${bought.id}`]);
    expect(visitor.text()).toContain(withdrawMessages.en.declared.own.lead(address));
    expect(visitor.text()).toMatch(fillGaps(withdrawMessages.en.declared.own.refund(gap)));
    // The link once more: there is nothing left to declare.
    const again = await visitor.twin().open(`/withdraw?order=${bought.id}`);
    expect([again.status, again.heading()]).toEqual([200, withdrawMessages.en.already.title]);
    expect(again.html).not.toContain('value="declare"');
    // Neither is there without the link, except for another contract.
    const plain = await visitor.twin().open("/withdraw");
    expect([plain.heading(), plain.text()]).toEqual([
      withdrawMessages.en.already.title,
      expect.stringMatching(fillGaps(withdrawMessages.en.already.text(bought.number ?? "", gap, gap))),
    ]);
    await plain.open("/withdraw?order=");
    expect(plain.html).toContain('value="declare"');
    expect(plain.html).not.toContain(`value="${bought.number}"`);
    const other = await site.visitor().open(`/withdraw?declared&order=${bought.id}`);
    expect(other.heading()).toBe(withdrawMessages.en.noCookie.title);
    expect(other.html).not.toContain(bought.number);
    const sentEmail = (await site.emailsTo(address)).find(({ subject }) =>
      subjectOf("withdrawal-acknowledged").test(subject),
    );
    const by = { name: "D. Clare", email: address };
    const expected = {
      template: "withdrawal-acknowledged",
      order: bought.number ?? "",
      by,
      declared: gap,
      refundBy: gap,
    } as const;
    expect(sentEmail?.text).toMatch(fillGaps(emailOf(expected).before[0] ?? ""));
    await visitor.open(`/settings/orders/${bought.id}`);
    const [row] = await declared(address);
    const declaredAt = formatExactly(row?.declared_at ?? 0, reader);
    expect(declaredAt).toContain("GMT+9");
    const { open } = orderWithdrawalMessages.en.declared;
    expect(visitor.text()).toMatch(fillGaps(open(asShown(formatDay(row?.declared_at ?? 0, reader)), gap, gap)));
    expect(sentEmail?.text).toContain(declaredAt);
    expect(visitor.text()).toMatch(
      pattern`${orderHistoryMessages.en.withdrawal.owner} .* ${orderHistoryMessages.en.emailed.withdrawal}`,
    );
    expect(visitor.html).not.toContain(`/withdraw?order=${bought.id}`);
    // Cancelled as well: the email doesn't promise that the plan stays until the period ends.
    await visitor.post({ intent: "cancel" }, pages.plan);
    const facts = {
      what: gap,
      cancelled: gap,
      until: gap,
      refundsRest: false,
      meanwhile: "active" as const,
      isWithdrawn: true,
      lastDayOfData: null,
      url: "",
    };
    const sent = (await site.emailsTo(address)).find(({ subject }) => subjectOf("plan-cancelled").test(subject));
    expect(sent?.text).toMatch(fillGaps(emailOf({ template: "plan-cancelled", ...facts }).before[1] ?? ""));
  });
});

describe("the refund", () => {
  async function withdrawn(address: string, card?: string) {
    const visitor = await subscriber(site, address, { card });
    const bought = await paid(address);
    await visitor.post({ name: "R", order: bought.number ?? "", email: address, intent: "confirm" }, "/withdraw");
    await expect.poll(() => declared(address)).toMatchObject([{ state: "acknowledged", order_id: bought.id }]);
    return { ...bought, visitor };
  }

  test("completes the withdrawal of its order when its event arrives, whatever other event came before", async () => {
    const address = "refunded@example.com";
    const bought = await withdrawn(address);
    // A dispute changes the order's state, and refunds nothing.
    await site.stripe?.control("dispute", { order: bought.id, outcome: "won" });
    await expect.poll(async () => (await disputeOf(bought.id))?.dispute).toBe("won");
    expect(await declared(address)).toMatchObject([{ state: "acknowledged", closed_at: null }]);
    await site.stripe?.control("refund", { order: bought.id });
    await expect.poll(() => declared(address)).toMatchObject([{ state: "refunded", closed_at: expect.any(Number) }]);
    await bought.visitor.open(`/settings/orders/${bought.id}`);
    expect(bought.visitor.text()).toMatch(fillGaps(orderWithdrawalMessages.en.declared.settled(gap, price(small))));
    // The email says that the refund answers the withdrawal, and from when that is.
    const refund = emailOf({
      template: "refund",
      what: `${product.name} ${small.name}`,
      amount: price(small),
      planEnded: true,
      withdrawn: formatDay(Date.now(), product),
      url: "",
    });
    const arrived = async () =>
      (await site.emailsTo(address, 4)).some(({ text }) => text.includes(refund.before[0] ?? ""));
    await expect.poll(arrived).toBe(true);
  });

  test("that the bank returns reopens it", async () => {
    const address = "returned@example.com";
    const bought = await withdrawn(address, "4000000000005126");
    await site.stripe?.control("refund", { order: bought.id });
    await expect.poll(() => declared(address)).toMatchObject([{ state: "refunded" }]);
    await site.stripe?.control("clock", { advanceDays: 8 });
    await expect.poll(() => declared(address)).toMatchObject([{ state: "acknowledged", closed_at: null }]);
  });

  async function disputeOf(id: string) {
    const database = await site.database();
    return database.prepare("select dispute from orders where id = ?").bind(id).first<{ dispute: string }>();
  }
});

describe("the team", () => {
  const ops = (...args: string[]) => run(args, "local-operator-token");

  /** Without blocking this process, whose idle connections would be closed by the other side in the meantime. */
  async function run(args: string[], operatorToken: string) {
    const env = { ...process.env, PUBLIC_ORIGIN: site.origin, OPERATOR_TOKEN: operatorToken };
    const child = spawn("node", ["scripts/ops/ops.ts", ...args], { env });
    const printed: string[] = [];
    for (const output of [child.stdout, child.stderr])
      output.on("data", (part: Buffer) => printed.push(part.toString()));
    const [status] = await once(child, "close");
    return { status, printed: printed.join("") };
  }

  test("has a command that lists declarations, shows the order and the account, and contests with a reason", async () => {
    const visitor = await site.visitor().open("/withdraw");
    const email = "late@example.eu";
    await visitor.press(withdrawMessages.en.form.submit, { name: "Late Example", order: "2026-999999", email });
    await visitor.press(withdrawMessages.en.review.submit, { name: "Late Example", order: "2026-999999", email });
    const listed = await ops("withdrawals", "--as", "Nils");
    const [row] = await declared(email);
    const id = row?.id ?? "";
    expect(listed).toMatchObject({ status: 0, printed: expect.stringContaining(email) });
    expect(listed.printed).toContain(id);
    expect((await ops("order", order.number ?? "")).printed).toMatch(pattern`mara@example\.com[^]*${small.id}`);
    expect((await ops("person", "mara@example.com")).printed).toContain(order.number ?? "no number");
    for (const [args, wanted] of [
      [["person", "xy"], "find: has to be at least 3 characters"],
      [["entries", "frob"], "pending, waiting, invited"],
      [["withdrawals", "frob"], "declared, acknowledged"],
      [["order", "frob"], "has to be a number like 2026-000041"],
      [["invite", "frob"], "has to be a whole number from 1"],
      [["decide", id, "frob", "so"], "contest for a withdrawal"],
      [["decide", "frob", "clear", "so"], "id: has to be an id"],
      [["resend-mail", "frob"], "has to be a mail's id"],
    ] as const)
      expect(await ops(...args)).toMatchObject({ status: 1, printed: expect.stringContaining(wanted) });
    expect((await ops("decide", id, "contest", "There", "is", "no", "such", "order")).status).toBe(0);
    expect(await declared(email)).toMatchObject([{ state: "contested" }]);
    const again = await ops("decide", id, "contest", "Once more");
    expect(again).toEqual({
      status: 1,
      printed: expect.stringMatching(/^The declaration is closed already \(withdrawal-closed\)$/m),
    });
    expect((await ops("log")).printed).toMatch(/Nils\s+done\s+withdrawals/);
  });

  test("gets the list without an argument, and a message about the missing token", async () => {
    expect((await ops("dance")).printed).toMatch(/person WHO…[^]*resend-mail ID/);
    expect(await run(["numbers"], "")).toEqual({
      status: 1,
      printed: expect.stringContaining("OPERATOR_TOKEN is missing"),
    });
  });
});

test("the page is in the sitemap", async () => {
  expect(await (await site.fetch("/sitemap.xml")).text()).toContain(`<loc>${site.origin}/withdraw</loc>`);
});
