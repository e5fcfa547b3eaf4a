import type { AccountId } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { dayMs, minuteMs } from "#app/core/time/time.ts";
import { requeueEntry } from "../../commands/requeue-entry.server.ts";
import { joinEntries } from "../../commands/join-entries.server.ts";
import { joinSignedIn } from "../../commands/join-waitlist.server.ts";
import { sweepWaitlist } from "../../commands/sweep-waitlist.server.ts";
import { large } from "#tests/support/billing/catalogue.ts";
import { CodeDriver } from "#tests/support/clients/code-driver.ts";
import { killedAtBatch } from "#tests/support/database/killed-worker.ts";
import { WaitlistDriver } from "../waitlist-driver.ts";
import type { TestApp } from "#tests/support/site/worker-app.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";

let waitlist: WaitlistDriver;
let app: TestApp;
let people = 0;

const forty = Array.from({ length: 40 }, (_, number) => number);

beforeEach(async () => {
  await emptyTables("entries", "queue_counts", "emails");
  waitlist = new WaitlistDriver(`plan:${large.id}`);
  ({ app } = waitlist);
});

/** An account that waits for the plan. */
async function customer() {
  people += 1;
  const email = `again-${people}@example.com`;
  const { account } = await new CodeDriver(app, email).signedIn();
  return { email, account, token: await waitlist.waiting(email) };
}

/** Paid for, and running. */
async function buy(accountId: AccountId): Promise<void> {
  people += 1;
  await env.DB.batch([
    env.DB.prepare(
      `insert into orders (id, account_id, state, kind, plan_id, interval, currency, amount_minor, created_at, updated_at, paid_at,
         number_year, number_in_year) values (?1, ?2, 'paid', 'new-plan', ?3, 'month', 'EUR', 1500, ?4, ?4, ?4, 2027, ?5)`,
    ).bind(`ord_again_${people}`, accountId, large.id, app.clock(), people),
    env.DB.prepare(
      `insert into subscriptions (id, account_id, state, plan_id, interval, amount_minor, currency, started_at, period_ends_at,
         synced_at) values (?1, ?2, 'active', ?3, 'month', 1500, 'EUR', ?4, ?4, ?4)`,
    ).bind(`sub_again_${people}`, accountId, large.id, app.clock()),
  ]);
}

const end = (accountId: AccountId) =>
  env.DB.prepare("update subscriptions set state = 'ended', ended_at = 1 where account_id = ?").bind(accountId).run();

describe("an account that passed the gate", () => {
  test("is updated and emailed in one batch: killed before it nothing is written, killed after it nothing is missing, and the next call completes the rest", async () => {
    for (const when of ["before", "after"] as const) {
      const { account, email } = await customer();
      await buy(account.id);
      await expect(joinEntries({ ...app, db: killedAtBatch(app.db, 1, when) }, account.id)).rejects.toThrow("killed");
      const row = () =>
        env.DB.prepare("select state, told_at is not null as told from entries where email = ?").bind(email).first();
      expect(await row()).toEqual(when === "before" ? { state: "waiting", told: 0 } : { state: "joined", told: 1 });
      await Promise.all(forty.map(() => joinEntries(app, account.id)));
      expect(await row()).toEqual({ state: "joined", told: 1 });
    }
    expect(await waitlist.queued("waitlist-joined")).toBe(2);
  });
});

describe("an account whose plan ended", () => {
  test("starts again at the end of the queue from the entry's page, once, even with forty clicks, and keeps links, friends and emails", async () => {
    const { account, token } = await customer();
    const { shareCode } = await waitlist.entry(token);
    const others = await waitlist.crowd(7);
    await waitlist.waiting("friend@example.com", shareCode);
    await buy(account.id);
    await joinEntries(app, account.id);
    expect(await waitlist.entry(token)).toMatchObject({ state: "joined" });
    expect(await requeueEntry(app, token)).toMatchObject({ refusal: { reason: "place-is-over" } });
    await end(account.id);
    expect(await waitlist.entry(token)).toMatchObject({ state: "ended", friends: 1 });
    // Joining once more leads to that page, and changes nothing.
    await joinSignedIn(app, account, null);
    expect(await waitlist.entry(token)).toMatchObject({ state: "ended" });
    app.pass(dayMs);
    await Promise.all(forty.map(() => requeueEntry(app, token)));
    // Ten are waiting, and a friend gives five places.
    expect(await waitlist.entry(token)).toMatchObject({ state: "waiting", ahead: 3, behind: 5, friends: 1 });
    expect(await waitlist.entry(others[0] ?? "")).toMatchObject({ ahead: 0 });
    expect(await waitlist.miscounts()).toEqual([]);
    await sweepWaitlist(app);
    expect(await waitlist.entry(token)).toMatchObject({ state: "waiting" });
    await buy(account.id);
    await joinEntries(app, account.id);
    expect(await waitlist.entry(token)).toMatchObject({ state: "joined" });
    expect(await waitlist.queued("waitlist-joined")).toBe(2);
    expect(await waitlist.miscounts()).toEqual([]);
  });

  test("can't while the list is full, the gate is another one, or the account is closed, and a stranger can't do it", async () => {
    const { account, email, token } = await customer();
    await buy(account.id);
    await joinEntries(app, account.id);
    await end(account.id);
    const full = { ...app, product: { ...app.product, waitlist: "full" as const } };
    expect(await requeueEntry(full, token)).toMatchObject({ refusal: { reason: "list-full" } });
    expect(await requeueEntry({ ...app, gate: { kind: "none" } }, token)).toMatchObject({
      refusal: { reason: "place-is-over" },
    });
    app.pass(minuteMs);
    await waitlist.join(email);
    expect(await waitlist.entry(token)).toMatchObject({ state: "ended" });
    await env.DB.prepare("update accounts set state = 'closed' where id = ?").bind(account.id).run();
    expect(await requeueEntry(app, token)).toMatchObject({ refusal: { reason: "place-is-over" } });
  });
});
