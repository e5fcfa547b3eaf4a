import type { App } from "#app/app.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { ensureCustomer } from "#app/modules/billing/checkout/commands/ensure-customer.server.ts";
import type { ProviderFailure } from "#app/modules/billing/subscriptions/provider.rules.ts";
import { syncCredit, type Deps } from "./sync-credit.server.ts";
import { sumUnposted } from "../queries.server.ts";

/**
 * Transfers the ledger's credit to a customer balance at Stripe before a first payment, which it then reduces. The customer is created only
 * now. If this fails, nothing may be charged, since the quoted amount relies on it.
 */
export async function postCredit(
  app: Deps & Pick<App, "db" | "clock">,
  account: Account,
): Promise<Result<null, ProviderFailure>> {
  const { payments } = app;
  const [waiting] = await sumUnposted(app.db, account.id);
  if (!payments || !waiting || waiting.amountMinor === 0) return done(null);
  const customer = await ensureCustomer({ ...app, payments }, account);
  if (!customer.ok) return customer;
  const synced = await syncCredit(app, account.id);
  if (!synced.ok) return synced;
  const [left] = await sumUnposted(app.db, account.id);
  return left?.amountMinor === 0 ? done(null) : refused({ reason: "provider-unreachable", isFinal: false });
}
