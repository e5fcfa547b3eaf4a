import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { App } from "#app/app.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import { accounts } from "#app/modules/accounts/schema.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import { changeProfile } from "#app/modules/accounts/commands/change-profile.server.ts";
import { runSubscriptionAction } from "#app/modules/billing/changes/commands/run-subscription-action.server.ts";
import { holdToSession } from "#app/http/session/hold-to-session.server.ts";
import { aCustomer } from "#tests/support/clients/device-driver.ts";
import { openBillingHarness } from "#tests/support/billing/billing-harness.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

/**
 * A session that ends after its viewer was loaded and before anything is written: what can still happen once a body
 * is complete.
 */
const url = { pathname: "/settings" };

let app: TestApp;
let viewer: Viewer;
let held: App;

beforeEach(async () => {
  app = testApp();
  viewer = await aCustomer(app);
  held = holdToSession(app, viewer.session, url);
});

async function end(sessionId = viewer.session.id): Promise<void> {
  await env.DB.prepare("update sessions set state = 'revoked' where id = ?").bind(sessionId).run();
}

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "nothing",
    (error: unknown) => (error instanceof Response ? [error.status, error.headers.get("Location")] : error),
  );
}

const led = [303, "/login?redirectTo=%2Fsettings"];
const storedName = async () => (await findAccount(app.db, viewer.account.id))[0]?.name;
/** A batch whose own conditions don't ask for a session. */
const renames = (name: string) => {
  const { id } = viewer.account;
  return batchNamed(held.db, {
    written: held.db.update(accounts).set({ name }).where(eq(accounts.id, id)),
    read: findAccount(held.db, id),
  });
};

describe("the first write of an ended session", () => {
  test("is refused in a batch", async () => {
    await end();
    expect(await thrownBy(renames("Late"))).toEqual(led);
    expect(await storedName()).toBe(null);
  });

  test("is refused alone, whatever its own condition", async () => {
    await end();
    const bare = held.db.$client.prepare("update accounts set name = 'Late' where id = ?").bind(viewer.account.id);
    expect(await thrownBy(bare.run())).toEqual(led);
    expect(await thrownBy(bare.raw())).toEqual(led);
    expect(await thrownBy(changeProfile(held, viewer, { name: "Late", timeZone: "UTC" }))).toEqual(led);
    expect(await storedName()).toBe(null);
  });

  test("fails with the original error for any other reason", async () => {
    const broken = held.db.$client.prepare("insert into accounts (id) values ('acc_half')");
    expect(String(await thrownBy(broken.run()))).toContain("NOT NULL constraint failed");
  });
});

test("an active session writes, and what it began is completed if it ends meanwhile", async () => {
  expect((await renames("First")).written.meta.changes).toBe(1);
  await end();
  await held.db.$client.prepare("update accounts set name = 'Kept' where id = ?").bind(viewer.account.id).run();
  expect(await storedName()).toBe("Kept");
});

test("an ended session can still read", async () => {
  await end();
  expect(await findAccount(held.db, viewer.account.id)).toHaveLength(1);
});

test("an ended session causes no change at Stripe", async () => {
  const harness = await openBillingHarness();
  await harness.buy();
  await harness.reconcile();
  const request = await aCustomer(harness.app);
  const [row] = await findAccount(harness.app.db, harness.accountId);
  if (!row) throw new Error("There is no account");
  const cancel = () => runSubscriptionAction(holdToSession(harness.app, request.session, url), row, "cancel");
  await end(request.session.id);
  expect(await thrownBy(cancel())).toEqual(led);
  const [subscription] = (await harness.stripe.subscriptions.list()).data;
  expect(subscription?.cancel_at_period_end).toBe(false);
  await env.DB.prepare("update sessions set state = 'active' where id = ?").bind(request.session.id).run();
  expect(await cancel()).toMatchObject({ ok: true });
});
