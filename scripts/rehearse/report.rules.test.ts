import { expect, test } from "vitest";
import type { Told, ToldOrder, ToldSubscription } from "../maintainers/simulate/story.ts";
import { writeRehearsal } from "./customers.rules.ts";
import { reportOf } from "./report.rules.ts";

const at = (month: number, day = 1) => Date.UTC(2027, month - 1, day, 12);
const order = (who: string, changed: Partial<ToldOrder>): ToldOrder => ({
  who,
  kind: "new-plan",
  state: "paid",
  planId: "small",
  interval: "month",
  amountMinor: 600,
  refundedMinor: 0,
  createdAt: at(1),
  paidAt: at(1),
  ...changed,
});
const plan = (changed: Partial<ToldSubscription>): ToldSubscription => ({
  state: "active",
  planId: "small",
  interval: "month",
  amountMinor: 600,
  periodEndsAt: at(2),
  cancelsAt: null,
  ...changed,
});
const person = (who: string, subscriptions: ToldSubscription[] = [], joinedAt: number | null = at(1)) => ({
  who,
  joinedAt,
  subscriptions,
});
const email = (who: string, template: string, sentAt: number) => ({
  who,
  template,
  subject: template,
  text: "",
  at: sentAt,
});
const report = (told: Partial<Told>) =>
  reportOf([{ seed: 1, told: { people: [], orders: [], emails: [], change: null, ...told }, violation: null }]);

test("people are counted by what was stored of them", () => {
  const { counts } = report({
    people: [
      person("Ada", [plan({})]),
      person("Ben", [plan({ state: "ended" })]),
      person("Cleo", [plan({ state: "ended" }), plan({})]),
      person("Dora"),
      person("Emil", [], null),
    ],
    orders: [
      order("Ada", {}),
      order("Ben", { state: "refunded", refundedMinor: 600 }),
      order("Cleo", {}),
      order("Cleo", { paidAt: at(5) }),
      order("Dora", { state: "failed", paidAt: null }),
    ],
  });
  expect(counts).toEqual({ joined: 4, paid: 3, failed: 1, cameBack: 1, left: 1, paying: 2 });
});

test("who pays after a renewal failed came back, and who paid before didn't", () => {
  const of = (paidAt: number) =>
    report({
      people: [person("Ada", [plan({})])],
      orders: [order("Ada", { kind: "renewal", paidAt })],
      emails: [email("Ada", "renewal-failed", at(3))],
    }).counts;
  expect([of(at(4)).cameBack, of(at(2)).cameBack]).toEqual([1, 0]);
  expect(of(at(4)).failed).toBe(1);
});

test("money is that of the month in which it was paid, also of several worlds", () => {
  const world = (who: string) => ({
    seed: 1,
    violation: null,
    told: {
      people: [person(who)],
      orders: [order(who, { paidAt: at(3), refundedMinor: 100 })],
      emails: [],
      change: null,
    },
  });
  const { months } = reportOf([world("Ada"), world("Ben"), { seed: 2, told: null, violation: null }]);
  expect(months).toHaveLength(12);
  expect(months.filter(({ orders }) => orders > 0)).toEqual([
    { month: "2027-03", orders: 2, paidMinor: 1200, refundedMinor: 200 },
  ]);
});

test("of each kind of email the newest is there to read", () => {
  const { emails } = report({
    people: [person("Ada")],
    emails: [email("Ada", "code", at(2)), email("Ada", "receipt", at(2)), email("Ada", "code", at(1))],
  });
  expect(emails.map(({ template, count, newest }) => [template, count, newest.at])).toEqual([
    ["code", 2, at(2)],
    ["receipt", 1, at(2)],
  ]);
});

test.each([1, 10, 25])(
  "a rehearsal with %i customers has so many, the same each time, and others with another seed",
  (count) => {
    const stories = writeRehearsal(count, 1, null);
    const names = new Set(stories.flatMap(({ steps }) => steps.flatMap((step) => ("who" in step ? step.who : []))));
    expect(names.size).toBe(count);
    expect(writeRehearsal(count, 1, null)).toEqual(stories);
    expect(writeRehearsal(count, 2, null)).not.toEqual(stories);
  },
);
