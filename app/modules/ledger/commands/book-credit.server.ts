import type { App } from "#app/app.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { ensureCustomer } from "#app/modules/checkout/commands/ensure-customer.server.ts";
import type { ProviderTrouble } from "#app/modules/subscriptions/provider.rules.ts";
import { followCredit, type Powers } from "./follow-credit.server.ts";
import { sumUnbooked } from "../queries.server.ts";

/**
 * Before somebody pays for the first time: what their ledger holds becomes a balance at the provider, so that it comes off that very
 * payment. Only now a customer is made, since credit alone needs none. Where it can't be booked nothing may be charged: the amount
 * that was quoted counts on it.
 */
export async function bookCredit(
  app: Powers & Pick<App, "db" | "clock">,
  account: Account,
): Promise<Result<null, ProviderTrouble>> {
  const { payments } = app;
  const [waiting] = await sumUnbooked(app.db, account.id);
  if (!payments || !waiting || waiting.amountMinor === 0) return done(null);
  const customer = await ensureCustomer({ ...app, payments }, account);
  if (!customer.ok) return customer;
  const followed = await followCredit(app, account.id);
  if (!followed.ok) return followed;
  const [left] = await sumUnbooked(app.db, account.id);
  return left?.amountMinor === 0 ? done(null) : refused({ reason: "provider-unreachable", isFinal: false });
}
