import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { confirmEntry } from "../../commands/confirm-entry.server.ts";
import { joinSignedIn } from "../../commands/join-waitlist.server.ts";
import { leaveWaitlist } from "../../commands/leave-waitlist.server.ts";
import { countedStates, positionsPerFriend } from "../../queue.rules.ts";
import { findQueuePosition } from "../../queue.queries.server.ts";
import type { EntryState } from "../../rules.ts";
import { WaitlistDriver } from "../waitlist-driver.ts";
import { watched, wholeReads } from "#tests/support/database/recording-database.ts";
import type { TestApp } from "#tests/support/site/worker-app.ts";

let waitlist: WaitlistDriver;
let app: TestApp;

beforeEach(() => {
  waitlist = new WaitlistDriver();
  ({ app } = waitlist);
});

type One = {
  id: string;
  state: EntryState;
  review: "none" | "under-review";
  referrer: One | null;
  number: number;
  place: number;
  friends: number;
  gift: number;
};

/** The line as app/features/waitlist/decision.md describes it, in a few plain statements. */
class PlainQueue {
  readonly all: One[] = [];

  add(id: string, referrer: One | null): One {
    const number = this.all.length + 1;
    const one: One = { id, state: "waiting", review: "none", referrer, number, place: number, friends: 0, gift: 0 };
    this.all.push(one);
    this.weigh(one);
    return one;
  }

  change(one: One, to: Partial<Pick<One, "state" | "review">>): void {
    Object.assign(one, to);
    this.weigh(one);
  }

  order(): One[] {
    const waiting = this.all.filter(({ state }) => state === "waiting");
    const isMoved = ({ friends }: One) => (friends > 0 ? 0 : 1);
    return waiting.sort((a, b) => a.place - b.place || isMoved(a) - isMoved(b) || a.number - b.number);
  }

  private weigh(one: One): void {
    const counts = countedStates.some((state) => state === one.state) && one.review === "none";
    const { referrer } = one;
    if (!referrer || counts === one.gift > 0) return;
    one.gift = counts ? this.giftFor(referrer) : one.gift;
    referrer.place -= counts ? one.gift : -one.gift;
    referrer.friends += counts ? 1 : -1;
    if (!counts) one.gift = 0;
  }

  private giftFor(referrer: One): number {
    const numbers = this.all
      .filter(({ state, number }) => state === "waiting" && number < referrer.place)
      .map(({ number }) => number)
      .sort((a, b) => b - a)
      .slice(0, positionsPerFriend);
    const last = numbers.at(-1) ?? referrer.place;
    return referrer.place - last + positionsPerFriend - numbers.length;
  }
}

/** The same history in every run. */
function randomNumbers() {
  let seed = 7;
  return (below: number) => (seed = (seed * 48271) % 2147483647) % below;
}

const insert = `insert into entries (id, gate, state, email, email_canonical, confirm_hash, entry_hash, share_code,
  referrer_entry_id, created_at, confirm_expires_at, confirmed_at) values (?1, ?2, 'waiting', ?1, ?1, ?1, ?1, ?1, ?3, 0, 0, 0)`;

async function write(id: string, change: Partial<Pick<One, "state" | "review">>): Promise<void> {
  const [[column, word] = ["", ""]] = Object.entries(change);
  await env.DB.prepare(`update entries set ${column} = ? where id = ?`).bind(word, id).run();
}

test("the order agrees with a simple model after many random events", async () => {
  const random = randomNumbers();
  const plain = new PlainQueue();
  const states = ["waiting", "waiting", "waiting", "invited", "joined", "resting", "left", "rejected"] as const;
  for (let step = 0; step < 600; step += 1) {
    const known = plain.all[random(plain.all.length || 1)];
    if (!known || random(2) === 0) {
      // A few have most of the friends.
      const referrer =
        random(3) === 0 ? (plain.all[random(random(2) === 0 ? 6 : 999) % plain.all.length] ?? null) : null;
      const id = `one-${step}-${waitlist.gate}`;
      await env.DB.prepare(insert)
        .bind(id, waitlist.gate, referrer?.id ?? null)
        .run();
      plain.add(id, referrer);
    } else {
      const change =
        random(6) === 0
          ? ({ review: random(2) === 0 ? "none" : "under-review" } as const)
          : { state: states[random(states.length)] ?? "waiting" };
      await write(known.id, change);
      plain.change(known, change);
    }
  }
  const order = plain.order();
  expect(order.length).toBeGreaterThan(60);
  expect(order.filter(({ friends }) => friends > 1).length).toBeGreaterThan(3);
  for (const [ahead, one] of order.entries()) {
    expect(await findQueuePosition(app.db, one.id)).toEqual([{ ahead, behind: order.length - 1 - ahead }]);
  }
  const outside = plain.all.find(({ state }) => state === "invited");
  expect(await findQueuePosition(app.db, outside?.id ?? "")).toEqual([]);
  expect(await waitlist.miscounts()).toEqual([]);
});

describe("a position in a long queue", () => {
  test("takes few row reads, each by an index", async () => {
    const people = 5000;
    const crowd = `insert into entries (id, gate, state, email, email_canonical, confirm_hash, entry_hash, share_code,
      created_at, confirm_expires_at, confirmed_at)
      with recursive nth(n) as (select 1 union all select n + 1 from nth where n < ${people})
      select ?1 || n, ?1, 'waiting', ?1 || n, ?1 || n, ?1 || n, ?1 || n, ?1 || n, 0, 0, n from nth`;
    await env.DB.prepare(crowd).bind(waitlist.gate).run();
    for (const number of [1, 31, 32, 1055, 1056, 4095, people]) {
      const { statements, using } = watched(app);
      const token = waitlist.gate + number;
      expect(await findQueuePosition(using.db, token)).toEqual([{ ahead: number - 1, behind: people - number }]);
      expect(await wholeReads(statements)).toEqual([]);
      const [position] = statements;
      const { meta } = await env.DB.prepare(position?.query ?? "")
        .bind(...(position?.values ?? []))
        .run();
      expect(meta.rows_read).toBeGreaterThan(1);
      expect(meta.rows_read).toBeLessThan(300);
    }
    expect(await waitlist.miscounts()).toEqual([]);
  });
});

describe("forty simultaneous", () => {
  const forty = Array.from({ length: 40 }, (_, number) => number);

  test("confirmations, signed-in joins, departures and referrals leave counts that agree with the entries", async () => {
    const sharers = [await waitlist.waiting("s1@example.com"), await waitlist.waiting("s2@example.com")];
    const codes = await Promise.all(sharers.map(async (token) => (await waitlist.entry(token)).shareCode));
    const pending: string[] = [];
    const leaving: string[] = [];
    for (const number of forty) {
      pending.push(await waitlist.pending(`p${number}@example.com`, codes[number % 3] ?? null));
      if (number % 2 === 0) leaving.push(await waitlist.waiting(`l${number}@example.com`, codes[number % 4] ?? null));
    }
    await Promise.all([
      ...pending.map((token) => confirmEntry(app, token)),
      ...pending.map((token) => confirmEntry(app, token)),
      ...leaving.map((token) => leaveWaitlist(app, token)),
      leaveWaitlist(app, sharers[1] ?? ""),
      ...forty.map((number) =>
        joinSignedIn(app, { email: `j${number}@example.com`, state: "active" }, codes[0] ?? null),
      ),
    ]);
    expect(await waitlist.miscounts()).toEqual([]);
    const rows = await waitlist.rows();
    const waiting = rows.filter(({ state }) => state === "waiting");
    expect(waiting).toHaveLength(1 + 40 + 40);
    expect(new Set(waiting.map(({ number }) => number)).size).toBe(waiting.length);
    const referrers = await Promise.all(sharers.map((token) => waitlist.entry(token)));
    expect(referrers[0]).toMatchObject({ ahead: 0, behind: 80, friends: 40 + 14 });
    expect(referrers[1]).toMatchObject({ state: "left", ahead: null });
  });

  test("confirmations by one share link move its owner once each", async () => {
    for (const number of forty) await waitlist.waiting(`w${number}@example.com`);
    const token = await waitlist.waiting("sharer@example.com");
    const { shareCode } = await waitlist.entry(token);
    const pending: string[] = [];
    for (const number of forty.slice(0, 6)) pending.push(await waitlist.pending(`f${number}@example.com`, shareCode));
    await Promise.all(forty.map((number) => confirmEntry(app, pending[number % 6] ?? "")));
    expect(await waitlist.entry(token)).toMatchObject({ ahead: 10, friends: 6 });
    expect(await waitlist.miscounts()).toEqual([]);
  });
});
