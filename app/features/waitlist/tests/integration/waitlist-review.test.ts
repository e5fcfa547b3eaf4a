import { noEntry } from "#app/features/waitlist/rules.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { confirmEntry } from "../../commands/confirm-entry.server.ts";
import { decideEntry } from "../../commands/decide-entry.server.ts";
import { findEntriesOf } from "../../reads/find-entries-of.server.ts";
import { listEntriesUnderReview } from "../../everyone.queries.server.ts";
import { inviteNext } from "../../commands/invite-next.server.ts";
import { WaitlistDriver } from "../waitlist-driver.ts";
import type { TestApp } from "#tests/support/site/worker-app.ts";

let waitlist: WaitlistDriver;
let app: TestApp;

beforeEach(() => {
  waitlist = new WaitlistDriver();
  ({ app } = waitlist);
});

/** An entry behind six others, and a friend that reads the same mailbox. */
async function friendOfOneself() {
  for (let number = 1; number <= 6; number += 1) await waitlist.waiting(`w${number}@example.com`);
  const token = await waitlist.waiting("ann@example.com");
  const { shareCode } = await waitlist.entry(token);
  const friend = await waitlist.waiting("ann+2@example.com", shareCode);
  const [entry] = await listEntriesUnderReview(app.db, null, 100);
  return { token, friend, id: entry?.id ?? noEntry };
}

describe("a friend with the referrer's own mailbox", () => {
  test("is put under review: it counts for no referrer and isn't invited until an operator has cleared it", async () => {
    const { token, friend, id } = await friendOfOneself();
    expect(await listEntriesUnderReview(app.db, null, 100)).toMatchObject([
      { email: "ann+2@example.com", state: "waiting", gate: waitlist.gate },
    ]);
    expect(await waitlist.entry(token)).toMatchObject({ ahead: 6, friends: 0 });
    expect(await waitlist.entry(friend)).toMatchObject({ state: "waiting", ahead: 7 });
    await inviteNext(app, 20);
    expect(await waitlist.states()).toContain("ann+2 waiting");
    expect(await decideEntry(app, id, "clear")).toMatchObject({
      ok: true,
      value: { review: "none", state: "waiting" },
    });
    expect(await listEntriesUnderReview(app.db, null, 100)).toEqual([]);
    expect(await inviteNext(app, 20)).toMatchObject({ ok: true, value: { invited: 1 } });
    expect(await waitlist.miscounts()).toEqual([]);
  });

  test("moves the entry once it is cleared, and never when it is rejected", async () => {
    const { token, id } = await friendOfOneself();
    await decideEntry(app, id, "clear");
    expect(await waitlist.entry(token)).toMatchObject({ ahead: 1, friends: 1 });
    expect(await decideEntry(app, id, "reject")).toEqual({ ok: false, refusal: { reason: "decided-already" } });
    expect(await waitlist.miscounts()).toEqual([]);
  });

  test("loses its place permanently when it is rejected, and its page says so", async () => {
    const { token, friend, id } = await friendOfOneself();
    expect(await decideEntry(app, id, "reject")).toMatchObject({
      ok: true,
      value: { state: "rejected", review: "none" },
    });
    expect(await waitlist.entry(friend)).toMatchObject({ state: "rejected", ahead: null });
    expect(await waitlist.entry(token)).toMatchObject({ ahead: 6, friends: 0 });
    app.pass(60_000);
    await waitlist.join("ann+2@example.com");
    expect(await waitlist.states()).toContain("ann+2 rejected");
    expect(await waitlist.miscounts()).toEqual([]);
  });

  test("is recognised in either order: the tagged address may be the friend or the referrer", async () => {
    const token = await waitlist.waiting("bob+news@example.com");
    await waitlist.waiting("bob@example.com", (await waitlist.entry(token)).shareCode);
    await waitlist.waiting("rob@example.com", (await waitlist.entry(token)).shareCode);
    expect((await listEntriesUnderReview(app.db, null, 100)).map(({ email }) => email)).toEqual(["bob@example.com"]);
  });

  test("is recognised by the provider's own rule about dots and names, and only if there is one", async () => {
    const friendsOf = async (owner: string, friend: string) =>
      waitlist.waiting(friend, (await waitlist.entry(await waitlist.waiting(owner))).shareCode);
    await friendsOf("annette@gmail.com", "ann.ette@googlemail.com");
    await friendsOf("annette@example.com", "ann.ette@example.com");
    const found = (await listEntriesUnderReview(app.db, null, 100)).filter(({ gate }) => gate === waitlist.gate);
    expect(found.map(({ email }) => email)).toEqual(["ann.ette@googlemail.com"]);
  });
});

test("forty simultaneous decisions of two operators count as one", async () => {
  const { id } = await friendOfOneself();
  const decided = await Promise.all(
    Array.from({ length: 40 }, (_, number) => decideEntry(app, id, number % 2 === 0 ? "clear" : "reject")),
  );
  expect(decided.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await waitlist.miscounts()).toEqual([]);
});

test("a decision about an unknown entry is refused", async () => {
  const unknown = { ok: false, refusal: { reason: "entry-unknown" } };
  expect(await decideEntry(app, "ent_nobody", "clear")).toEqual(unknown);
  const { id } = await friendOfOneself();
  await env.DB.prepare("update entries set state = 'joined' where id = ?").bind(id).run();
  expect(await decideEntry(app, id, "reject")).toEqual({ ok: false, refusal: { reason: "place-is-over" } });
  expect(await decideEntry(app, id, "clear")).toMatchObject({ ok: true });
});

test("an operator finds every entry of an address with its position, and none for an unknown address", async () => {
  await waitlist.waiting("first@example.com");
  await confirmEntry(app, await waitlist.pending("Mara@example.com"));
  const other = new WaitlistDriver();
  await other.pending("mara@example.com");
  const found = await findEntriesOf(app, " MARA@example.com ");
  expect(found.map(({ gate, state, position }) => ({ gate, state, position }))).toEqual(
    expect.arrayContaining([
      { gate: waitlist.gate, state: "waiting", position: { ahead: 1, behind: 0 } },
      { gate: other.gate, state: "pending", position: null },
    ]),
  );
  expect(found).toHaveLength(2);
  expect(await findEntriesOf(app, "no address")).toEqual([]);
});
