import { describe, expect, test } from "vitest";
import type { PreviewedPage, DecisionPreview } from "#app/modules/operators/decisions.rules.ts";
import { orderWithdrawalMessages, orderDiscountMessages } from "#app/routes/settings/orders/order/messages.ts";
import { referralMessages } from "#app/routes/settings/referral/messages.ts";
import { print } from "./print.ts";
import { columnsMax } from "./table.ts";

const how = (command: string, ...args: string[]) => ({ command, args, isAll: false });
const long = "a".repeat(160);

const person = {
  summary: {
    who: "Mara Lindqvist, mara@example.com",
    plan: "Golden, €7.00 a month, active",
    paidUntil: "2026-12-22, then renews",
    card: "visa 4242, expires 2027-01",
    lastSignIn: "2026-11-23 08:30 UTC",
    attention: ["withdrawal from 2026-000041: refund due by 2026-12-03"],
  },
  links: ["https://dashboard.stripe.com/test/customers/cus_1"],
  account: { id: "acc_1" },
  plan: {
    customers: [],
    subscriptions: [
      {
        id: "sub_1",
        planId: long,
        interval: "month",
        amountMinor: 700,
        currency: "EUR",
        state: "active",
        startedAt: "2026-01-01T00:00:00.000Z",
        periodEndsAt: "2026-12-22T00:00:00.000Z",
        cancelsAt: null,
      },
    ],
  },
  orders: Array.from({ length: 15 }, (_, nth) => ({
    id: `ord_${nth}`,
    number: `2026-0000${nth + 10}`,
    kind: "renewal",
    planId: "golden",
    interval: "month",
    amountMinor: 123456,
    refundedMinor: nth,
    currency: "JPY",
    state: "paid",
    dispute: "none",
    failure: long,
    createdAt: `2026-11-${String(nth + 1).padStart(2, "0")}T10:00:00.000Z`,
  })),
  mails: [
    { id: `mail_${long.slice(0, 60)}`, template: "receipt", state: "sent", createdAt: "2026-11-01T00:00:00.000Z" },
  ],
  devices: [{ name: long, platform: long, state: "active", lastSeenAt: "2026-11-01T00:00:00.000Z" }],
};

describe("a printed account", () => {
  const lines = print(person, how("person", "mara")).split("\n");

  test("contains its owner, plan, card, last sign-in and what needs attention first, then the links", () => {
    expect(lines.slice(0, 5).map((line) => line.slice(0, 14).trim())).toEqual([
      "who",
      "plan",
      "card",
      "last sign-in",
      "attention",
    ]);
    expect(lines[1]).toContain("paid until: 2026-12-22");
    expect(lines[4]).toContain("refund due by 2026-12-03");
    expect(lines.slice(5, 7)).toEqual(["", "  https://dashboard.stripe.com/test/customers/cus_1"]);
  });

  test("has tables that fit a terminal, the newest row first, with amounts in their currency", () => {
    expect(lines.filter((line) => line.length > columnsMax)).toEqual([]);
    expect(columnsMax).toBe(100);
    const orders = lines.indexOf("orders (the newest 10 of 15; --all shows all)");
    expect(orders).toBeGreaterThan(0);
    expect(lines[orders + 2]).toMatch(/^ {2}2026-11-15 .*¥123,456 .*¥14/);
    expect(lines.filter((line) => line.includes("renewal"))).toHaveLength(10);
    const all = print(person, { ...how("person"), isAll: true }).split("\n");
    expect(all.filter((line) => line.includes("renewal"))).toHaveLength(15);
  });

  test("is replaced by a list of matches if there are several", () => {
    const matches = [1, 2].map((nth) => ({ id: `acc_${nth}`, email: "a@example.com", name: long, state: "active" }));
    const printed = print({ matches }, how("person", "a"));
    expect(printed).toMatch(/^2 people fit[^]*acc_1[^]*acc_2/);
    expect(printed.split("\n").every((line) => line.length <= columnsMax)).toBe(true);
  });
});

describe("a printed list", () => {
  const withdrawals = [
    {
      id: "wdr_0123456789abcdefghjkmnpqrs",
      refundDueAt: "2026-12-04T23:00:00.000Z",
      refundDueOn: "2026-12-04",
      number: "2026-000041",
      orderTyped: "41",
      email: long,
      owedMinor: 700,
      currency: "EUR",
      name: long,
      declaredBy: "owner",
      state: "declared",
      contestReason: null,
    },
  ];

  test("contains its total, and the command that shows its next page", () => {
    const printed = print({ withdrawals, total: 241, next: "0~5~wdr_1" }, how("withdrawals", "declared"));
    expect(printed.split("\n")[0]).toBe(
      "withdrawals: 1 of 241; more: npm run ops -- withdrawals declared --after '0~5~wdr_1'",
    );
    // Ids are copied from this output.
    expect(printed).toMatch(/2026-12-04 +2026-000041 +€7\.00[^]*\n +wdr_0123456789abcdefghjkmnpqrs\n/);
    expect(printed.split("\n").every((line) => line.length <= columnsMax)).toBe(true);
    expect(print({ entries: [], total: 0, next: null }, how("entries"))).toBe("entries: 0 of 0\n  none");
  });

  test("contains the total of each list of a review", () => {
    const disputes = [{ number: "2026-000042", email: "mara@example.com", amountMinor: 700, currency: "EUR" }];
    const answer = {
      withdrawals,
      disputes,
      totals: { withdrawals: 120, disputes: 1 },
      next: { withdrawals: "x", disputes: null },
    };
    const printed = print(answer, how("review"));
    expect(printed).toContain("withdrawals: 1 of 120; more: npm run ops -- review withdrawals --after 'x'");
    expect(printed).toMatch(/disputes: 1 of 1\n[^]*2026-000042 +€7\.00 +mara@example\.com/);
  });
});

test("pending decisions are printed with complete addresses and due dates, whatever the length of their ids", () => {
  const address = "someone.with-a-long-name@example.com";
  const order = `ord_${"0".repeat(26)}`;
  const answer = {
    disputes: [
      {
        id: order,
        accountId: `acc_${"0".repeat(26)}`,
        number: "2026-000042",
        email: address,
        amountMinor: 123456,
        currency: "EUR",
        dispute: "needs-response",
        paidAt: "2026-11-20T10:00:00.000Z",
        disputeDueAt: "2026-11-27T10:00:00.000Z",
      },
    ],
    friendDiscounts: [
      {
        id: `ref_${"0".repeat(26)}`,
        friendId: "acc_1",
        friend: address,
        referrerId: "acc_2",
        orderId: order,
        why: "payment-method",
        amountMinor: 500,
        currency: "EUR",
        createdAt: "2026-11-20T10:00:00.000Z",
      },
    ],
    failedMails: [
      {
        id: `mail_${order}.refund.re_${"0".repeat(24)}`,
        template: "friend-discount-refused",
        to: address,
        tries: 8,
        createdAt: "2026-11-20T10:00:00.000Z",
        resendableUntil: "2026-11-27T10:00:00.000Z",
      },
    ],
    totals: { disputes: 1, friendDiscounts: 1, failedMails: 1 },
    next: { disputes: null, friendDiscounts: null, failedMails: null },
  };
  const printed = print(answer, how("review"));
  expect(printed.split("\n").filter((line) => line.length > columnsMax)).toEqual([]);
  for (const text of ["2026-000042", "€1,234.56", "€5.00", answer.friendDiscounts[0]?.id, answer.failedMails[0]?.id]) {
    expect(printed).toContain(text);
  }
  expect(printed.split(address)).toHaveLength(4);
  expect(printed.split("2026-11-27 10:00")).toHaveLength(3);
});

describe("nothing that an operator copies or decides on is shortened", () => {
  const id = (kind: string) => `${kind}_${"0".repeat(26)}`;
  const withdrawal = {
    id: id("wdr"),
    refundDueOn: "2026-12-04",
    number: "2026-000041",
    refundOrder: "2026-000017",
    owedMinor: 123456,
    owedCreditMinor: 654321,
    currency: "EUR",
    declaredBy: "mailbox",
    state: "declared",
    contestReason: null,
  };
  const addresses = ["mara@example.com", "someone.with-a-long-name@example.com", `${"m".repeat(64)}@example.com`];

  test.each(addresses)("in a withdrawal declared with %s", (email) => {
    for (const contestReason of [null, long]) {
      const answer = { withdrawals: [{ ...withdrawal, email, contestReason }], total: 1, next: null };
      const printed = print(answer, how("withdrawals"));
      expect(printed.split("\n").filter((line) => line.length > columnsMax)).toEqual([]);
      for (const text of [
        withdrawal.id,
        email,
        "2026-12-04",
        "2026-000041",
        "2026-000017",
        "€1,234.56",
        "€6,543.21",
        "mailbox",
      ]) {
        expect(printed).toContain(text);
      }
    }
  });

  test("in a row that was typed by hand without a number", () => {
    const [, email = ""] = addresses;
    const typed = { ...withdrawal, number: null, orderTyped: long, refundOrder: null, email };
    const printed = print({ withdrawals: [withdrawal, typed], total: 2, next: null }, how("withdrawals"));
    for (const text of [`"${"a".repeat(20)}"`, email, "2026-000017"]) expect(printed).toContain(text);
  });

  test("in a referral with two long addresses, each with its account", () => {
    const [, referrer = "", friend = ""] = addresses;
    const row = { id: id("ref"), waitsUntil: "2026-12-04T23:00:00.000Z", referrer, friend };
    const printed = print({ referrals: [row], total: 1, next: null }, how("review", "referrals"));
    expect(printed).toMatch(new RegExp(`2026-12-04 23:00[^]*referrer ${referrer}[^]*friend ${friend}`));
    expect(printed).toContain(row.id);
  });

  test("in an account's disputed and unpaid orders", () => {
    const order = {
      kind: "new-plan",
      planId: "golden",
      interval: "month",
      amountMinor: 123456,
      refundedMinor: 3456,
      currency: "EUR",
      createdAt: "2026-11-20T10:00:00.000Z",
    };
    const orders = [
      {
        ...order,
        id: id("ord"),
        number: "2026-000041",
        state: "partially-refunded",
        dispute: "needs-response",
        disputeDueAt: "2026-12-04T10:00:00.000Z",
        failure: null,
      },
      { ...order, id: "ord_unpaid00000000000000000000", number: null, state: "failed", dispute: "none", failure: long },
    ];
    const lines = print({ ...person, orders }, how("person", "mara")).split("\n");
    expect(lines.filter((line) => line.length > columnsMax)).toEqual([]);
    expect(
      lines.filter((line) => /2026-11-20 +2026-000041 .*€1,234\.56 +€34\.56 .*dispute .*2026-12-04/.test(line)),
    ).toHaveLength(1);
    expect(lines.filter((line) => line.trim() === "ord_unpaid00000000000000000000")).toHaveLength(1);
  });
});

test("the list of what needs attention is wrapped between words", () => {
  const attention = [1, 2, 3, 4].map((nth) => `referral of a friend under review: ref_${String(nth).repeat(26)}`);
  const lines = print({ ...person, summary: { ...person.summary, attention } }, how("person", "mara")).split("\n");
  expect(lines.filter((line) => line.length > columnsMax)).toEqual([]);
  for (const [nth] of attention.entries()) {
    expect(lines.some((line) => line.includes(`ref_${String(nth + 1).repeat(26)}`))).toBe(true);
  }
});

describe("a printed decision", () => {
  const printed = (notice: DecisionPreview, facts: object = {}) =>
    print({ done: true, told: notice, ...facts }, how("decide"));

  test("contains the customer's email word for word, with its time and recipient", () => {
    const email = { to: "mara@example.com", subject: "About your withdrawal", text: `${"word ".repeat(60)}\n` };
    const now = printed({ emails: [{ ...email, when: "now" }], pages: [] });
    expect(now).toMatch(/^Done\.[^]*Email to mara@example\.com: About your withdrawal\n\n {2}word word/);
    expect(now.split("\n").filter((line) => line.length > columnsMax)).toEqual([]);
    const later = printed({ emails: [{ ...email, when: "with-the-refund" }], pages: [] });
    expect(later).toContain("Email to mara@example.com, when the refund is made: About");
  });

  test("says which pages show the decision, and that no email is sent", () => {
    const shows = (notice: PreviewedPage) => printed({ emails: [], pages: [notice] }).replaceAll("\n", " ");
    const refused = shows({ page: "order", shows: "discount-refused" });
    expect(refused).toContain(orderDiscountMessages.en.refused.operator);
    expect(refused).toContain("No email.");
    const contested = shows({
      page: "order",
      shows: "withdrawal-contested",
      declared: "20 May 2026",
      reason: "Too late",
    });
    expect(contested.replaceAll(/\s+/g, " ")).toContain(
      orderWithdrawalMessages.en.declared.contested("20 May 2026", "Too late"),
    );
    expect(contested).not.toContain("…");
    expect(shows({ page: "referrals", shows: "not-counted" })).toContain(referralMessages.en.friends.voidTexts.review);
  });

  test("mentions no email if none follows, and lists who was invited", () => {
    expect(printed({ emails: [], pages: [] })).toContain("isn't emailed");
    const people = ["ada", "ben"].map((name) => ({ id: `ent_${name}`, email: `${name}@example.com` }));
    const email = { to: null, when: "now" as const, subject: "It is your turn", text: "Come in" };
    const invited = printed({ emails: [email], pages: [] }, { invited: 2, people });
    expect(invited).toMatch(
      /^Done\. invited: 2[^]*ent_ada +ada@example\.com[^]*ent_ben[^]*Email to each of them: It is/,
    );
  });
});

test("a printed order has every amount in its currency, and the email that a refund would send", () => {
  const email = { to: "mara@example.com", when: "with-the-refund", subject: "Your refund", text: "It goes back" };
  const answer = {
    number: "2026-000041",
    numberYear: 2026,
    amountMinor: 6000,
    currency: "EUR",
    links: ["https://a.example"],
    lines: [{ position: 0, description: "Golden", amountMinor: 6000 }],
    withdrawal: { totalMinor: 6000, orders: [{ number: "2026-000041", backMinor: 6000 }] },
    refund: { emails: [email], pages: [] },
  };
  const printed = print(answer, how("order", "41"));
  expect(printed.match(/€60\.00/g)).toHaveLength(4);
  expect(printed).not.toMatch(/6000|Minor|numberYear/);
  expect(printed).toContain("Email to mara@example.com, when the refund is made: Your refund");
  expect(printed).toContain("links\n  https://a.example");
});

test("any other answer is printed with amounts in their currency, and fits the width of a terminal", () => {
  const answer = { lines: [{ description: long, amountMinor: 700, currency: "EUR" }], at: "2026-11-23T10:00:00.000Z" };
  expect(print(answer, how("order"))).toBe(`at  2026-11-23 10:00\nlines\n  description  ${long}\n  amount       €7.00`);
});
