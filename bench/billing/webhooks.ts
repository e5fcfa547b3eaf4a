import type { Site } from "#tests/support/site/site.ts";
import { inTurns, median, quantile, ratio } from "../rounds.ts";
import { figure, type Table } from "../table.ts";
import { addCustomers, deliver, eventOf, passMonths, silenceEvents } from "./customers.ts";

/** Events per round. */
const EVENTS = 20;
/** Numbers of invoices of the customers whose sync is timed. */
const AGES = [1, 12, 60];

/** Events handled per second, and the duration of one sync that fetches a customer's complete data from Stripe. */
export async function* benchWebhooks(site: Site, rounds: number): AsyncGenerator<Table> {
  await silenceEvents(site);
  const aged = new Map<number, string[]>();
  // The largest first, so that each grows by the difference to the next.
  const ages = AGES.toSorted((one, other) => other - one);
  for (const [index, age] of ages.entries()) {
    aged.set(age, await addCustomers(site, `aged-${age}`, 1));
    await passMonths(site, age - (ages[index + 1] ?? 1));
  }
  const crowd = await addCustomers(site, "crowd", EVENTS);
  await site.setClock(ages[0] ? ages[0] * 30.44 : 0);
  for (const customer of [...crowd, ...[...aged.values()].flat()]) await deliver(site, eventOf(customer));
  yield await throughput(site, crowd, rounds);
  yield await syncTimes(site, aged, rounds);
}

type Way = { name: string; payloads: () => string[]; atOnce: boolean };

async function throughput(site: Site, crowd: readonly string[], rounds: number): Promise<Table> {
  const [one = ""] = crowd;
  const known = eventOf(one);
  await deliver(site, known);
  const ways: Way[] = [
    { name: "about nobody we know", payloads: () => times(() => eventOf("cus_nobody")), atOnce: false },
    { name: "heard before", payloads: () => times(() => known), atOnce: false },
    { name: "of one customer, in turn", payloads: () => times(() => eventOf(one)), atOnce: false },
    { name: "of one customer, at once", payloads: () => times(() => eventOf(one)), atOnce: true },
    { name: `of ${EVENTS} customers, at once`, payloads: () => crowd.map(eventOf), atOnce: true },
  ];
  const samples = await inTurns(rounds, ways, async (way) => perSecond(site, way));
  const baseline = samples.get(ways[0] ?? never()) ?? [];
  return {
    title: `Billing: webhooks, ${EVENTS} events a turn`,
    notes: ["Each is verified, noted and followed by a sync, which asks the Stripe emulator on the same machine."],
    head: ["", "per second", "ratio"],
    rows: ways.map((way) => {
      const own = samples.get(way) ?? [];
      return [way.name, figure(median(own), "", 0).trim(), ratio(own, baseline)];
    }),
  };
}

async function perSecond(site: Site, { payloads, atOnce }: Way): Promise<number> {
  const events = payloads();
  const startedAt = performance.now();
  if (atOnce) await Promise.all(events.map((payload) => deliver(site, payload)));
  else for (const payload of events) await deliver(site, payload);
  return (events.length * 1000) / (performance.now() - startedAt);
}

async function syncTimes(site: Site, aged: ReadonlyMap<number, string[]>, rounds: number): Promise<Table> {
  const ages = AGES.map((age) => ({ age, customer: aged.get(age)?.[0] ?? "" }));
  const samples = await inTurns(rounds, ages, async ({ customer }) => deliver(site, eventOf(customer)));
  const baseline = samples.get(ages[0] ?? never()) ?? [];
  return {
    title: "Billing: one sync",
    notes: ["From the event to its answer, for somebody who is charged by the month."],
    head: ["invoices", "time", "95 %", "ratio"],
    rows: ages.map((each) => {
      const own = samples.get(each) ?? [];
      return [`${each.age}`, figure(median(own), "ms", 1), figure(quantile(own, 0.95), "ms", 1), ratio(own, baseline)];
    }),
  };
}

const times = (make: () => string): string[] => Array.from({ length: EVENTS }, make);

function never(): never {
  throw new Error("There is nobody to measure");
}
