import type { App } from "#app/app.ts";
import { refused, type Result } from "#app/core/result.ts";
import type { OrderId } from "#app/core/id.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import {
  type CheckoutRefusal,
  type Choice,
  startCheckout,
} from "#app/modules/billing/checkout/commands/start-checkout.server.ts";
import { postCredit } from "#app/modules/billing/credit/commands/post-credit.server.ts";
import { translateFailure } from "#app/modules/billing/subscriptions/provider.rules.ts";

/** Starts a first payment. Earned credit is posted to Stripe before its checkout opens, since the quote relies on it. */
export async function beginCheckout(
  app: App,
  account: Account,
  choice: Choice,
): Promise<Result<{ orderId: OrderId; url: string }, CheckoutRefusal>> {
  const posted = await postCredit(app, account);
  return posted.ok ? startCheckout(app, account, choice) : refused(translateFailure(posted.refusal));
}
