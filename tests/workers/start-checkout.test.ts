import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { small } from "#tests/support/catalogue.ts";
import { killedAtCall } from "#tests/support/killed.ts";
import { openTill } from "#tests/support/till.ts";

test("who changes language, time zone and name between two clicks goes on with the checkout of the first, also where its answer was lost", async () => {
  const till = await openTill();
  // The calls: a customer, a look at what else is open, and the checkout, whose answer nobody reads.
  const { payments } = killedAtCall(till.payments, 3, "after");
  await expect(till.choose(small.id, "month", { ...till.app, payments })).rejects.toThrow("killed");
  await env.DB.prepare("update accounts set locale = 'de-DE', time_zone = 'Europe/Berlin', name = 'Mara' where id = ?")
    .bind(till.accountId)
    .run();
  const begun = await till.choose();
  const { data: sessions } = await till.stripe.checkout.sessions.list({ limit: 100 });
  expect(sessions).toMatchObject([{ status: "open", client_reference_id: begun.ok && begun.value.orderId }]);
  expect((await till.rows()).orders).toMatchObject([{ state: "pending" }]);
});
