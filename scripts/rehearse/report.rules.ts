/**
 * Decides what a rehearsal reports: counts of people, revenue by month, emails, and what each person did. Invariant: every figure is counted from
 * rows that the site stored, never from what the stories planned. Called from rehearse.ts.
 */
import { startsAt } from "../maintainers/simulate/starts-at.ts";
import type { Told, ToldChange, ToldEmail, ToldOrder, Violation } from "../maintainers/simulate/story.ts";

/** A world's rows, and what broke in it. */
export type Rehearsed = { seed: number; told: Told | null; violation: Violation | null };

export type Person = Told["people"][number] & { orders: ToldOrder[]; emails: ToldEmail[]; change: ToldChange | null };

export type Report = {
  people: Person[];
  counts: Record<Counted, number>;
  /** Money of each month of the year, in minor units. */
  months: { month: string; paidMinor: number; refundedMinor: number; orders: number }[];
  /** The newest of each template is there to read. */
  emails: { template: string; count: number; newest: ToldEmail }[];
  broken: Violation[];
};

type Counted = "joined" | "paid" | "failed" | "cameBack" | "left" | "paying";

/** Whether an order was paid, whatever became of the money later. */
const isPaid = ({ paidAt }: ToldOrder): boolean => paidAt !== null;
const failing = ["payment-failed", "renewal-failed"];

export function reportOf(rehearsed: readonly Rehearsed[]): Report {
  const people = rehearsed
    .flatMap(({ told }) => (told ? peopleOf(told) : []))
    .filter(({ joinedAt }) => joinedAt !== null);
  const orders = people.flatMap((person) => person.orders).filter(isPaid);
  const count = (is: (person: Person) => boolean) => people.filter(is).length;
  return {
    people: people.toSorted((left, right) => (left.joinedAt ?? 0) - (right.joinedAt ?? 0)),
    counts: {
      joined: people.length,
      paid: count((person) => person.orders.some(isPaid)),
      failed: count(hasFailed),
      cameBack: count(cameBack),
      left: count((person) => person.orders.some(isPaid) && !isPaying(person)),
      paying: count(isPaying),
    },
    months: monthsFrom(startsAt).map((month) => {
      const own = orders.filter(({ paidAt }) => new Date(paidAt ?? 0).toISOString().startsWith(month));
      return {
        month,
        paidMinor: own.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
        refundedMinor: own.reduce((sum, { refundedMinor }) => sum + refundedMinor, 0),
        orders: own.length,
      };
    }),
    emails: emailsOf(people.flatMap(({ emails }) => emails)),
    broken: rehearsed.flatMap(({ violation }) => violation ?? []),
  };
}

function peopleOf({ people, orders, emails, change }: Told): Person[] {
  return people.map((person) => ({
    ...person,
    orders: orders.filter(({ who }) => who === person.who),
    emails: emails.filter(({ who }) => who === person.who),
    change: change?.find(({ who }) => who === person.who) ?? null,
  }));
}

/** Whether a payment failed, at first or at a renewal. */
export function hasFailed({ orders, emails }: Person): boolean {
  return orders.some(({ state }) => state === "failed") || emails.some(({ template }) => failing.includes(template));
}

/** Whether they paid after a payment had failed, or after their plan had ended. */
export function cameBack({ orders, emails, subscriptions }: Person): boolean {
  const failedAt = emails.find(({ template }) => failing.includes(template))?.at ?? Infinity;
  const newPlans = orders.filter((order) => isPaid(order) && order.kind === "new-plan");
  return (
    orders.some(({ paidAt }) => paidAt !== null && paidAt > failedAt) ||
    (newPlans.length > 1 && subscriptions.length > 1)
  );
}

export function isPaying({ subscriptions }: Person): boolean {
  return subscriptions.some(({ state }) => state === "active" || state === "past-due-grace");
}

function emailsOf(emails: readonly ToldEmail[]): Report["emails"] {
  const templates = [...new Set(emails.map(({ template }) => template))];
  return templates
    .flatMap((template) => {
      const own = emails.filter((email) => email.template === template).toSorted((left, right) => left.at - right.at);
      const newest = own.at(-1);
      return newest ? [{ template, count: own.length, newest }] : [];
    })
    .toSorted((left, right) => right.count - left.count || left.template.localeCompare(right.template));
}

/** The months of a year as `YYYY-MM`, from the one that has this time. */
function monthsFrom(at: number): string[] {
  const first = new Date(at);
  return Array.from({ length: 12 }, (_, index) =>
    new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + index)).toISOString().slice(0, 7),
  );
}
