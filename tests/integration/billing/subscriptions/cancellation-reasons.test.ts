import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { readMetrics } from "#app/modules/operators/reads/read-metrics.server.ts";
import { showPlan } from "#app/modules/billing/changes/reads/show-plan.server.ts";
import { reasonsToCancel, reasonTakenMs } from "#app/modules/billing/subscriptions/cancellation-reasons.rules.ts";
import { answerCancellationReason } from "#app/modules/billing/subscriptions/commands/answer-cancellation-reason.server.ts";
import { dayMs } from "#app/core/time/time.ts";
import { product } from "#app/product/config.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { aCustomer } from "#tests/support/clients/device-driver.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

let app: TestApp;
let viewer: Viewer;

beforeEach(async () => {
  await emptyTables("cancellation_reasons", "subscriptions");
  app = testApp();
  viewer = await aCustomer(app);
});

type Plan = { id: string; state?: string; cancelsAt?: number | null; endedAt?: number | null };

async function aPlan({ id, state = "active", cancelsAt = null, endedAt = null }: Plan, of = viewer): Promise<void> {
  await env.DB.prepare(
    `insert into subscriptions (id, account_id, state, plan_id, interval, amount_minor, currency, started_at, period_ends_at,
       cancels_at, ended_at, synced_at) values (?, ?, ?, ?, 'month', 600, ?, 0, ?, ?, ?, 0)`,
  )
    .bind(id, of.account.id, state, small.id, product.currency, app.clock() + dayMs, cancelsAt, endedAt)
    .run();
}

const give = (reason: (typeof reasonsToCancel)[number], comment = "", by = viewer) =>
  answerCancellationReason(app, by, { reason, comment });
const rows = async () =>
  (await env.DB.prepare("select subscription_id as plan, reason, comment from cancellation_reasons order by 1").all())
    .results;
const nothing = { ok: false, refusal: { reason: "nothing-cancelled" } };

describe("the reason of a cancellation", () => {
  test("is stored for the cancelled plan, not for one that ended before, and the last answer counts", async () => {
    await aPlan({ id: "sub_old", state: "ended", endedAt: app.clock() - dayMs });
    await aPlan({ id: "sub_new", cancelsAt: app.clock() + dayMs });
    expect((await showPlan(app, viewer.account.id)).question).toEqual({ given: null });
    expect((await give("unused", "Too\nrarely")).ok).toBe(true);
    expect((await give("other")).ok).toBe(true);
    expect(await rows()).toEqual([{ plan: "sub_new", reason: "other", comment: null }]);
    expect((await showPlan(app, viewer.account.id)).question?.given).toMatchObject({ reason: "other", comment: null });
    expect((await readMetrics(app)).cancellations).toEqual([{ reason: "other", count: 1 }]);
  });

  test.each<[string, (now: number) => Plan]>([
    ["nothing was cancelled", () => ({ id: "sub_1" })],
    ["it never began", () => ({ id: "sub_1", state: "incomplete" })],
    ["it ended too long ago", (now) => ({ id: "sub_1", state: "ended", cancelsAt: 1, endedAt: now - reasonTakenMs })],
  ])("isn't accepted when %s", async (_when, planAt) => {
    await aPlan(planAt(app.clock()));
    expect(await give("unused")).toEqual(nothing);
    expect((await showPlan(app, viewer.account.id)).question).toBeNull();
    expect(await rows()).toEqual([]);
  });

  test("isn't accepted from another account, nor from an ended session", async () => {
    await aPlan({ id: "sub_1", cancelsAt: app.clock() + dayMs });
    expect(await give("unused", "", await aCustomer(app))).toEqual(nothing);
    await env.DB.prepare("update sessions set state = 'revoked' where account_id = ?").bind(viewer.account.id).run();
    expect(await give("unused")).toEqual(nothing);
    expect(await rows()).toEqual([]);
  });

  test("is stored once, however often it is sent at the same time, and not if the cancellation is undone first", async () => {
    await aPlan({ id: "sub_1", cancelsAt: app.clock() + dayMs });
    const sent = Array.from({ length: 12 }, (_, nth) => give("other", `Sent ${nth}`));
    expect((await Promise.all(sent)).every(({ ok }) => ok)).toBe(true);
    expect(await rows()).toHaveLength(1);
    await env.DB.exec("delete from cancellation_reasons; update subscriptions set cancels_at = null");
    expect(await give("other")).toEqual(nothing);
  });
});
