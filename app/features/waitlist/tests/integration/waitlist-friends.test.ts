import type { EntryId } from "#app/core/id.ts";
import { noEntry } from "#app/features/waitlist/rules.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { dayMs, hourMs, minuteMs } from "#app/core/time/time.ts";
import { confirmEntry } from "../../commands/confirm-entry.server.ts";
import { decideEntry } from "../../commands/decide-entry.server.ts";
import { joinSignedIn, joinWaitlist } from "../../commands/join-waitlist.server.ts";
import { resendLink } from "../../commands/resend-link.server.ts";
import { friendsPerNetworkMax } from "../../rules.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { sweepWaitlist } from "../../commands/sweep-waitlist.server.ts";
import { ownNetwork, WaitlistDriver } from "../waitlist-driver.ts";
import type { TestApp } from "#tests/support/site/worker-app.ts";

let waitlist: WaitlistDriver;
let app: TestApp;

beforeEach(() => {
  waitlist = new WaitlistDriver();
  ({ app } = waitlist);
});

type Row = { id: EntryId; email_canonical: string; review: string; referrer_entry_id: string | null; friends: number };

async function row(email: string): Promise<Row | null> {
  const statement = env.DB.prepare("select * from entries where gate = ? and email_canonical = ?");
  return statement.bind(waitlist.gate, email).first<Row>();
}

/** A waiting entry: its share code and the token of its page. */
async function sharer(email: string) {
  const token = await waitlist.waiting(email);
  return { token, code: (await waitlist.entry(token)).shareCode };
}

async function confirm(link: string, ip: string | null = null): Promise<string> {
  const confirmed = await confirmEntry(app, link, ip);
  if (!confirmed.ok) throw new Error(confirmed.refusal.reason);
  app.pass(1);
  return confirmed.value.entryToken;
}

describe("the referrer of an entry", () => {
  test("is the one of the confirmed link, whatever others typed before", async () => {
    const [thief, friend] = [await sharer("thief@example.com"), await sharer("friend@example.com")];
    await waitlist.pending("victim@example.com", thief.code);
    expect(await row("victim@example.com")).toMatchObject({ referrer_entry_id: null });
    app.pass(minuteMs);
    await confirm(await waitlist.pending("victim@example.com", friend.code));
    expect(await row("victim@example.com")).toMatchObject({ referrer_entry_id: (await row("friend@example.com"))?.id });
    expect(await waitlist.entry(thief.token)).toMatchObject({ friends: 0 });
    expect(await waitlist.entry(friend.token)).toMatchObject({ friends: 1 });
    expect(await waitlist.miscounts()).toEqual([]);
  });

  test("is absent if the confirmed link came without a share code", async () => {
    const thief = await sharer("thief@example.com");
    const pinned = await waitlist.pending("victim@example.com", thief.code);
    app.pass(minuteMs);
    await confirm(await waitlist.pending("victim@example.com"));
    expect(await row("victim@example.com")).toMatchObject({ referrer_entry_id: null });
    // The other link now only leads to the entry.
    await confirm(pinned);
    expect(await row("victim@example.com")).toMatchObject({ referrer_entry_id: null });
  });

  test("gets one friend when two links are confirmed at the same time", async () => {
    const [one, two] = [await sharer("one@example.com"), await sharer("two@example.com")];
    const first = await waitlist.pending("both@example.com", one.code);
    app.pass(minuteMs);
    const second = await waitlist.pending("both@example.com", two.code);
    await Promise.all(Array.from({ length: 40 }, (_, nth) => confirmEntry(app, nth % 2 ? first : second)));
    const friends = [await waitlist.entry(one.token), await waitlist.entry(two.token)].map((place) => place.friends);
    expect(friends.toSorted()).toEqual([0, 1]);
    expect(await waitlist.miscounts()).toEqual([]);
  });

  test("stays with a link that is requested again, even after it expired", async () => {
    const friend = await sharer("friend@example.com");
    const old = await waitlist.pending("slow@example.com", friend.code);
    app.pass(8 * dayMs);
    expect(await resendLink(app, { kind: "confirm", token: old }, ownNetwork())).toMatchObject({ ok: true });
    await app.settled();
    await confirm(waitlist.emailed("confirm", "slow@example.com"));
    expect(await waitlist.entry(friend.token)).toMatchObject({ friends: 1 });
  });

  test("is absent for a malformed code, an unknown one and the entry's own", async () => {
    for (const ref of ["'); drop table entries;--", "0".repeat(10), "é".repeat(10), "x".repeat(100)]) {
      await confirm(await waitlist.pending(`f${ref.length}-${ref.charCodeAt(0)}@example.com`, ref));
    }
    expect((await waitlist.rows()).map(({ referrer_entry_id }) => referrer_entry_id)).toEqual([null, null, null, null]);
  });

  test("can also come from a referral link of the product, with the confirmed link", async () => {
    const join = async (code: string) => {
      const address = parseEmailAddress("victim@example.com");
      if (!address) throw new Error("not an address");
      const touch = { code, at: app.clock() - hourMs };
      await joinWaitlist(app, { address, ref: null, touch, ip: ownNetwork() });
      await app.settled();
      app.pass(minuteMs);
      return waitlist.emailed("confirm", "victim@example.com");
    };
    await join("thethef000");
    const own = await join("thefr0end0");
    const touches = () => env.DB.prepare("select code, touched_at from referral_touches").all();
    expect((await touches()).results).toEqual([]);
    await confirm(own);
    expect((await touches()).results).toEqual([
      { code: "thefr0end0", touched_at: app.clock() - 1 - minuteMs - hourMs },
    ]);
  });
});

describe("a mailbox", () => {
  const tags = ["puppet", "puppet+1", "puppet+2", "puppet+3"];

  test("counts as one friend under any number of spellings, and the others are put under review", async () => {
    const ann = await sharer("ann@example.com");
    app.pass(hourMs);
    const links: string[] = [];
    for (const tag of tags) links.push(await waitlist.pending(`${tag}@example.com`, ann.code));
    const tokens = (await Promise.all(links.map((link) => confirmEntry(app, link)))).map((each) =>
      each.ok ? each.value.entryToken : "",
    );
    expect(await waitlist.entry(ann.token)).toMatchObject({ friends: 1 });
    const reviews = (await waitlist.rows()).slice(1).map((each) => ("review" in each ? each.review : ""));
    expect(reviews.toSorted()).toEqual(["none", "under-review", "under-review", "under-review"]);
    const shown = await Promise.all(tokens.map((token) => waitlist.entry(token)));
    expect(shown.filter(({ isUnderReview }) => isUnderReview)).toHaveLength(3);
    expect(await waitlist.miscounts()).toEqual([]);
  });

  test("counts as one friend when signed in, too", async () => {
    const ann = await sharer("ann@example.com");
    await waitlist.waiting("puppet@example.com", ann.code);
    await joinSignedIn(app, { email: "puppet+1@example.com", state: "active" }, ann.code);
    expect(await row("puppet+1@example.com")).toMatchObject({ review: "under-review" });
    expect(await waitlist.entry(ann.token)).toMatchObject({ friends: 1 });
  });

  test("of an entry from before mailboxes were stored is stored by the cron job", async () => {
    const ann = await sharer("an.n@gmail.com");
    await env.DB.prepare("update entries set mailbox = null where gate = ?").bind(waitlist.gate).run();
    await sweepWaitlist(app);
    app.pass(minuteMs);
    await waitlist.waiting("ann+2@googlemail.com", ann.code);
    expect(await row("ann+2@googlemail.com")).toMatchObject({ review: "under-review" });
  });
});

describe("friends from one network", () => {
  /** Of one /48, each from a /64 of their own. */
  const near = (nth: number) => `2001:db8:77:${nth.toString(16)}::1`;

  async function refer(code: string, count: number, from = 0, name = "f") {
    for (let nth = from; nth < from + count; nth += 1) {
      await confirm(await waitlist.pending(`${name}${nth}@example.com`, code), near(nth));
    }
  }

  test("count as a family up to a limit, and above it are all put under review", async () => {
    const ann = await sharer("ann@example.com");
    await refer(ann.code, friendsPerNetworkMax);
    expect(await waitlist.entry(ann.token)).toMatchObject({ friends: friendsPerNetworkMax });
    await refer(ann.code, 1, friendsPerNetworkMax);
    expect(await waitlist.entry(ann.token)).toMatchObject({ friends: 0 });
    // From elsewhere a friend counts as usual.
    await confirm(await waitlist.pending("far@example.com", ann.code), "198.51.100.9");
    expect(await waitlist.entry(ann.token)).toMatchObject({ friends: 1 });
    expect(await waitlist.miscounts()).toEqual([]);
  });

  test("are put under review in any order of forty confirmations", async () => {
    const ann = await sharer("ann@example.com");
    const links: string[] = [];
    for (let nth = 0; nth <= friendsPerNetworkMax; nth += 1)
      links.push(await waitlist.pending(`r${nth}@example.com`, ann.code));
    await Promise.all(
      Array.from({ length: 40 }, (_, nth) => confirmEntry(app, links[nth % links.length] ?? "", near(nth))),
    );
    expect(await waitlist.entry(ann.token)).toMatchObject({ friends: 0 });
    const friends = (await waitlist.rows()).slice(1);
    const annId = (await row("ann@example.com"))?.id;
    expect(friends).toHaveLength(friendsPerNetworkMax + 1);
    for (const friend of friends) expect(friend).toMatchObject({ referrer_entry_id: annId, review: "under-review" });
    expect(await waitlist.miscounts()).toEqual([]);
  });

  test("that an operator cleared stay cleared", async () => {
    const ann = await sharer("ann@example.com");
    await refer(ann.code, friendsPerNetworkMax + 1);
    await decideEntry(app, (await row("f0@example.com"))?.id ?? noEntry, "clear");
    expect(await waitlist.entry(ann.token)).toMatchObject({ friends: 1 });
    await refer(ann.code, 1, 10);
    expect(await row("f0@example.com")).toMatchObject({ review: "none" });
    expect(await row("f10@example.com")).toMatchObject({ review: "under-review" });
  });

  test("form no cluster for different referrers, or a day later, when the network is deleted", async () => {
    const [ann, bob] = [await sharer("ann@example.com"), await sharer("bob@example.com")];
    await refer(ann.code, friendsPerNetworkMax);
    await refer(bob.code, 1, 20);
    app.pass(dayMs);
    await sweepWaitlist(app);
    const { results } = await env.DB.prepare("select 1 from entries where network_hash is not null and gate = ?")
      .bind(waitlist.gate)
      .all();
    expect(results).toEqual([]);
    await refer(ann.code, 1, 30);
    expect(await waitlist.entry(ann.token)).toMatchObject({ friends: friendsPerNetworkMax + 1 });
    expect(await waitlist.entry(bob.token)).toMatchObject({ friends: 1 });
  });
});
