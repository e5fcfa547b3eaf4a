import buildOnce from "#tests/support/site/build-once.ts";
import { startSite } from "#tests/support/site/site.ts";
import type { Table } from "../table.ts";
import { benchOrdersPage } from "./orders-page.ts";
import { benchWebhooks } from "./webhooks.ts";

/** The built site and the Stripe emulator on one machine: the cost of an event, a sync and the list of orders. */
export async function* benchBilling(rounds: number): AsyncGenerator<Table> {
  await buildOnce();
  const site = await startSite();
  yield* benchOrdersPage(site, rounds);
  yield* benchWebhooks(site, rounds);
  await site.close();
}
