import type { App } from "#app/app.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import { shownPrices } from "#app/modules/catalogue/shown-prices.rules.ts";
import { spellNumber } from "#app/modules/billing/orders/rules.ts";
import { findDelivery } from "../queries.server.ts";
import { findOrderAtStripe, findRefusedEmail, findSentEmail, findSignedUp } from "../everyone.queries.server.ts";
import { describeSetUpProgress, type SetUpProgress } from "../set-up-progress.rules.ts";
import { stripeMode } from "../health.rules.ts";

type Needed = Pick<App, "db" | "clock" | "product" | "payments" | "stripeDashboard" | "isTestMode">;

/** The steps to a first payment, for operators. Stripe is asked beside the database. */
export async function readSetUpProgress(app: Needed): Promise<SetUpProgress> {
  const { db, product, payments } = app;
  const [{ sent, refused, signedUp, paid, delivery }, prices] = await Promise.all([
    batchNamed(db, {
      sent: findSentEmail(db),
      refused: findRefusedEmail(db),
      signedUp: findSignedUp(db, app.clock()),
      paid: findOrderAtStripe(db),
      delivery: findDelivery(db),
    }),
    payments?.comparePrices(shownPrices(product)),
  ]);
  const [order] = paid;
  return describeSetUpProgress({
    stripe: stripeMode({
      hasKeys: payments !== null,
      hasDashboard: app.stripeDashboard !== null,
      isTestMode: app.isTestMode,
    }),
    hasPrices: prices?.ok === true && prices.value.length === 0,
    isEmailSent: sent.length > 0,
    isEmailRefused: refused.length > 0,
    hasSignedUp: signedUp.length > 0,
    order: order ? { number: spell(order.numberYear, order.numberInYear) } : null,
    hasDelivered: delivery.length > 0,
  });
}

const spell = (year: number | null, inYear: number | null): string | null =>
  year === null || inYear === null ? null : spellNumber(year, inYear);
