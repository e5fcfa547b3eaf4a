import type { AccountId } from "#app/core/id.ts";
import type { CustomerId } from "#app/core/stripe/ids.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App } from "#app/app.ts";
import { done, type Result } from "#app/core/result.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { findAccountByAddress } from "#app/modules/accounts/queries.server.ts";
import { findPlan } from "#app/modules/catalogue/rules.ts";
import type { ProviderFailure } from "#app/modules/billing/subscriptions/provider.rules.ts";
import {
  addCustomer,
  findCustomer,
  findCustomerByProviderId,
} from "#app/modules/billing/subscriptions/queries.server.ts";
import { decideUnclaimed } from "#app/modules/billing/subscriptions/unclaimed-customers.rules.ts";
import {
  changeUnclaimed,
  removeUnclaimed,
} from "#app/modules/billing/subscriptions/unclaimed-customers.queries.server.ts";

type Deps = Pick<App, "db" | "clock" | "product" | "payments" | "report">;

/**
 * For a customer with a plan of ours that the database doesn't know, such as one that the team created in Stripe's dashboard: gives it to the
 * account that has proven the same address, or lists it for operators. Returns the account that has it now. Asking twice changes nothing.
 */
export async function claimCustomer(
  { db, clock, product, payments, report }: Deps,
  providerId: CustomerId,
): Promise<Result<AccountId | null, ProviderFailure>> {
  if (!payments) return done(null);
  const found = await payments.describeCustomer(providerId);
  if (!found.ok) return found;
  const plans = (found.value?.plans ?? []).map((planId) =>
    planId !== null && findPlan(product, planId) ? planId : null,
  );
  const address = parseEmailAddress(found.value?.email ?? "");
  const [account] = address ? await findAccountByAddress(db, address.canonical) : [];
  const [own] = account ? await findCustomer(db, account.id) : [];
  const verdict = decideUnclaimed(
    found.value && { ...found.value, plans },
    account ? { id: account.id, state: account.state, hasCustomer: own !== undefined } : null,
  );
  if (verdict.kind === "ignored") {
    await removeUnclaimed(db, providerId);
    return done(null);
  }
  if (verdict.kind === "unclaimed") {
    const { planId, reason, accountId } = verdict;
    await changeUnclaimed(db, { providerId, planId, reason, accountId }, clock());
    return done(null);
  }
  const { customers } = await batchNamed(db, {
    // It may have paid before, so its payment methods are hashed later.
    added: addCustomer(db, { accountId: verdict.accountId, providerId, areMethodsHashed: false, now: clock() }),
    customers: findCustomerByProviderId(db, providerId),
    unclaimed: removeUnclaimed(db, providerId),
  });
  // Its checkout may have created another one meanwhile: the next look lists this one.
  if (customers[0]?.accountId !== verdict.accountId) return done(null);
  report(new Error(`Customer ${providerId} of Stripe's dashboard is account ${verdict.accountId}'s now`));
  // For a restored database, which finds the account by it.
  await payments.nameAccount(providerId, verdict.accountId);
  return done(verdict.accountId);
}
