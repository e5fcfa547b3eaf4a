import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import { paginate, readPage } from "../../http/lists.ts";
import { nothing, route } from "../../http/routing.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { newId } from "../../ids.ts";
import { demand, idOf } from "../demand.ts";

type Warning = Stripe.Radar.EarlyFraudWarning;

/** As Stripe documents them. */
export const FRAUD_TYPES = [
  "card_never_received",
  "fraudulent_card_application",
  "made_with_counterfeit_card",
  "made_with_lost_card",
  "made_with_stolen_card",
  "misc",
  "unauthorized_use_of_card",
] as const;
export type FraudType = (typeof FRAUD_TYPES)[number];

const path = "/v1/radar/early_fraud_warnings";

export const earlyFraudWarningRoutes = [
  route(
    "GET",
    path,
    (form) => ({
      page: readPage(form),
      charge: form.text("charge"),
      intent: form.text("payment_intent"),
      created: form.range("created"),
    }),
    (tx, { page, charge, intent, created }) =>
      paginate(
        path,
        page,
        [...tx.store.newestFirst("early_fraud_warning")]
          .filter(
            (warning) =>
              (charge === undefined || warning.charge === charge) &&
              (intent === undefined || warning.payment_intent === intent) &&
              created(warning.created),
          )
          .map((warning) => current(tx, warning)),
      ),
  ),
  route("GET", `${path}/:id`, nothing, (tx, _, id = "") => current(tx, demand(tx, "early_fraud_warning", id))),
];

/** The bank that issued a card reports a payment by it as fraud, usually some days before its holder disputes it. */
export function warnOfFraud(tx: Transaction, charge: Stripe.Charge, fraudType: FraudType): Warning {
  if (charge.status !== "succeeded" || charge.payment_method_details?.type !== "card")
    throw invalid(`Charge ${charge.id} isn't a paid one by card; no bank warns of it.`);
  const warning = current(tx, {
    id: newId("issfr"),
    object: "radar.early_fraud_warning",
    actionable: true,
    charge: charge.id,
    created: tx.clock.now(),
    fraud_type: fraudType,
    livemode: false,
    ...(charge.payment_intent !== null && { payment_intent: idOf(charge.payment_intent) }),
  });
  tx.store.put("early_fraud_warning", warning, charge.customer === null ? null : idOf(charge.customer));
  tx.record("radar.early_fraud_warning.created", warning);
  return warning;
}

/** Actionable until the charge is disputed or refunded in full. */
function current(tx: Transaction, warning: Warning): Warning {
  const { disputed, refunded } = demand(tx, "charge", idOf(warning.charge));
  return { ...warning, actionable: !disputed && !refunded };
}
